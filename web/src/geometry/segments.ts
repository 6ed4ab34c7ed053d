// Which point of a rope a ray meets: every segment as a capsule, in one tight loop.

import type { Hit, Vector } from "./pick.ts";

/** Where a ray passes a rope, and whether it meets it or only comes near. */
export interface Pass extends Hit {
  exact: boolean;
}

/**
 * The segment that a ray meets first; if it meets none, the one it passes nearest as the eye sees it.
 * `shown`: the edges to test. `radii`: one an edge. `slack`: how far beside a rope still counts, per length along the ray.
 * The direction has length 1.
 */
export function pickSegment(
  origin: Vector,
  direction: Vector,
  positions: Float32Array,
  edges: ArrayLike<number>,
  shown: ArrayLike<number>,
  radii: ArrayLike<number>,
  slack: number,
): Pass | null {
  const [dx, dy, dz] = direction;
  let best: Pass | null = null;
  let bestScore = Infinity;
  for (let s = 0; s < shown.length; s++) {
    const e = shown[s];
    const [p, q] = [edges[2 * e], edges[2 * e + 1]];
    const [a, b] = [3 * p, 3 * q];
    const ux = positions[b] - positions[a];
    const uy = positions[b + 1] - positions[a + 1];
    const uz = positions[b + 2] - positions[a + 2];
    const wx = positions[a] - origin[0];
    const wy = positions[a + 1] - origin[1];
    const wz = positions[a + 2] - origin[2];
    // Both at right angles to the ray, where their distance is seen.
    const along = wx * dx + wy * dy + wz * dz;
    const rise = ux * dx + uy * dy + uz * dz;
    const [ax, ay, az] = [wx - along * dx, wy - along * dy, wz - along * dz];
    const [vx, vy, vz] = [ux - rise * dx, uy - rise * dy, uz - rise * dz];
    const length = vx * vx + vy * vy + vz * vz;
    const share = length > 0 ? Math.min(1, Math.max(0, -(ax * vx + ay * vy + az * vz) / length)) : 0;
    const square = (ax + share * vx) ** 2 + (ay + share * vy) ** 2 + (az + share * vz) ** 2;
    const depth = along + share * rise;
    const radius = radii[e];
    const exact = square <= radius * radius;
    if (!(depth > 0) || !(exact || square <= (radius + slack * depth) ** 2)) continue;
    const distance = exact ? depth - Math.sqrt(radius * radius - square) : depth;
    // What is met beats what is passed.
    if (best?.exact && !exact) continue;
    const score = exact ? distance : (Math.sqrt(square) - radius) / depth;
    if (best && best.exact === exact && score >= bestScore) continue;
    best = { point: share < 0.5 ? p : q, distance, exact };
    bestScore = score;
  }
  return best;
}
