// Splits the points of a surface where it has sharp edges at rest, so that a box is not shaded like a pillow.

import { cornersByPoint } from "./incidence.ts";

/** Surface vertices as they are drawn: a point on a crease becomes several. */
export interface Split {
  /** Three vertices a triangle. */
  corners: Uint32Array;
  /** The point behind each vertex. */
  source: Uint32Array;
}

/** Two triangles at an edge are smooth together when their normals differ by less than this [rad].
 *  Coarse tubes with eight sides (45°) are smooth, boxes (90°) are not. */
export const CREASE = (58 * Math.PI) / 180;

export function splitAtCreases(triangles: Uint32Array, rest: Float32Array, points: number, crease = CREASE): Split {
  const normals = faceNormals(triangles, rest);
  const incidence = cornersByPoint(triangles, points);
  const corners = new Uint32Array(triangles.length);
  const source: number[] = [];
  const limit = Math.cos(crease);
  let group: number[] = [];
  for (let p = 0; p < points; p++) {
    const first = incidence.start[p];
    const count = incidence.start[p + 1] - first;
    if (count === 0) continue;
    group = smoothGroups(incidence.corners, first, count, triangles, normals, limit, group);
    const vertices: number[] = [];
    for (let k = 0; k < count; k++) {
      const root = group[k];
      if (vertices[root] === undefined) vertices[root] = source.push(p) - 1;
      corners[incidence.corners[first + k]] = vertices[root];
    }
  }
  return { corners, source: Uint32Array.from(source) };
}

/** For each corner at one point, the first corner of its smooth group. */
function smoothGroups(
  list: Uint32Array,
  first: number,
  count: number,
  triangles: Uint32Array,
  normals: Float32Array,
  limit: number,
  group: number[],
): number[] {
  for (let k = 0; k < count; k++) group[k] = k;
  for (let a = 0; a < count; a++) {
    for (let b = a + 1; b < count; b++) {
      if (group[a] === group[b] || !shareEdge(triangles, list[first + a], list[first + b])) continue;
      const s = 3 * Math.floor(list[first + a] / 3);
      const t = 3 * Math.floor(list[first + b] / 3);
      const cosine = normals[s] * normals[t] + normals[s + 1] * normals[t + 1] + normals[s + 2] * normals[t + 2];
      if (cosine < limit) continue;
      const [keep, drop] = group[a] < group[b] ? [group[a], group[b]] : [group[b], group[a]];
      for (let k = 0; k < count; k++) if (group[k] === drop) group[k] = keep;
    }
  }
  return group;
}

/** Whether two corners at the same point belong to triangles with an edge at that point in common. */
function shareEdge(triangles: Uint32Array, a: number, b: number): boolean {
  const s = 3 * Math.floor(a / 3);
  const t = 3 * Math.floor(b / 3);
  const a1 = triangles[s + ((a - s + 1) % 3)];
  const a2 = triangles[s + ((a - s + 2) % 3)];
  const b1 = triangles[t + ((b - t + 1) % 3)];
  const b2 = triangles[t + ((b - t + 2) % 3)];
  return a1 === b1 || a1 === b2 || a2 === b1 || a2 === b2;
}

/** Unit normals, x y z per triangle; zero for flat ones. */
function faceNormals(triangles: Uint32Array, rest: Float32Array): Float32Array {
  const out = new Float32Array(triangles.length);
  for (let t = 0; t < triangles.length; t += 3) {
    const [a, b, c] = [3 * triangles[t], 3 * triangles[t + 1], 3 * triangles[t + 2]];
    const [ux, uy, uz] = [rest[b] - rest[a], rest[b + 1] - rest[a + 1], rest[b + 2] - rest[a + 2]];
    const [vx, vy, vz] = [rest[c] - rest[a], rest[c + 1] - rest[a + 1], rest[c + 2] - rest[a + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const size = Math.hypot(x, y, z) || 1;
    out[t] = x / size;
    out[t + 1] = y / size;
    out[t + 2] = z / size;
  }
  return out;
}
