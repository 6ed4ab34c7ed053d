// Which point of a moving surface a ray meets: every triangle in one tight loop (Möller and Trumbore 1997).

export interface Hit {
  /** The corner or end that is nearest to the hit. */
  point: number;
  /** Along the ray, in lengths of its direction. */
  distance: number;
}

export type Vector = readonly [number, number, number];

/** `shown`: the triangles to test. Both sides count. */
export function pick(
  origin: Vector,
  direction: Vector,
  positions: Float32Array,
  triangles: ArrayLike<number>,
  shown: ArrayLike<number>,
): Hit | null {
  const [ox, oy, oz] = origin;
  const [dx, dy, dz] = direction;
  let best = Infinity;
  let triangle = -1;
  for (let s = 0; s < shown.length; s++) {
    const t = 3 * shown[s];
    const a = 3 * triangles[t];
    const b = 3 * triangles[t + 1];
    const c = 3 * triangles[t + 2];
    const ax = positions[a];
    const ay = positions[a + 1];
    const az = positions[a + 2];
    const ux = positions[b] - ax;
    const uy = positions[b + 1] - ay;
    const uz = positions[b + 2] - az;
    const vx = positions[c] - ax;
    const vy = positions[c + 1] - ay;
    const vz = positions[c + 2] - az;
    const px = dy * vz - dz * vy;
    const py = dz * vx - dx * vz;
    const pz = dx * vy - dy * vx;
    const determinant = ux * px + uy * py + uz * pz;
    if (determinant === 0) continue;
    const inverse = 1 / determinant;
    const sx = ox - ax;
    const sy = oy - ay;
    const sz = oz - az;
    const u = (sx * px + sy * py + sz * pz) * inverse;
    if (u < 0 || u > 1) continue;
    const qx = sy * uz - sz * uy;
    const qy = sz * ux - sx * uz;
    const qz = sx * uy - sy * ux;
    const v = (dx * qx + dy * qy + dz * qz) * inverse;
    if (v < 0 || u + v > 1) continue;
    const distance = (vx * qx + vy * qy + vz * qz) * inverse;
    if (distance <= 0 || distance >= best) continue;
    best = distance;
    triangle = shown[s];
  }
  if (triangle < 0) return null;
  const at: Vector = [ox + best * dx, oy + best * dy, oz + best * dz];
  return { point: nearestCorner(at, positions, triangles, triangle), distance: best };
}

function nearestCorner(at: Vector, positions: Float32Array, triangles: ArrayLike<number>, triangle: number): number {
  let nearest = triangles[3 * triangle];
  let square = Infinity;
  for (let k = 0; k < 3; k++) {
    const point = triangles[3 * triangle + k];
    const i = 3 * point;
    const d = (positions[i] - at[0]) ** 2 + (positions[i + 1] - at[1]) ** 2 + (positions[i + 2] - at[2]) ** 2;
    if (d < square) [nearest, square] = [point, d];
  }
  return nearest;
}
