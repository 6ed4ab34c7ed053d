// Which corners of triangles lie at each point, and the edges that follow from it.

/** Corners at point p: corners[start[p] … start[p + 1]). A corner is a place in the list of triangles. */
export interface Incidence {
  start: Uint32Array;
  corners: Uint32Array;
}

export function cornersByPoint(triangles: Uint32Array, points: number): Incidence {
  const start = new Uint32Array(points + 1);
  for (let i = 0; i < triangles.length; i++) start[triangles[i] + 1]++;
  for (let p = 0; p < points; p++) start[p + 1] += start[p];
  const fill = start.slice(0, points);
  const corners = new Uint32Array(triangles.length);
  for (let i = 0; i < triangles.length; i++) corners[fill[triangles[i]]++] = i;
  return { start, corners };
}

/** Every edge of the triangles once, as two points. */
export function uniqueEdges(triangles: Uint32Array, points: number): Uint32Array {
  const { start, corners } = cornersByPoint(triangles, points);
  const mark = new Int32Array(points).fill(-1);
  const out = new Uint32Array(2 * triangles.length);
  let n = 0;
  for (let p = 0; p < points; p++) {
    for (let k = start[p]; k < start[p + 1]; k++) {
      const corner = corners[k];
      const first = 3 * Math.floor(corner / 3);
      for (let step = 1; step <= 2; step++) {
        const q = triangles[first + ((corner - first + step) % 3)];
        if (q <= p || mark[q] === p) continue;
        mark[q] = p;
        out[n++] = p;
        out[n++] = q;
      }
    }
  }
  return out.slice(0, n);
}
