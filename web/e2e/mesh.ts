// Generated meshes for the mock server: a box of cells, each cut into six tetrahedra; a rope; a cloth.

export interface Mesh {
  /** x y z per point [m] */
  points: Float32Array;
  tets: number[];
  triangles: number[];
  edges: number[];
}

/** Kuhn's six tetrahedra of a cube: all have the main diagonal in common, so neighbours fit. */
const KUHN = [
  [0, 1, 3, 7],
  [0, 3, 2, 7],
  [0, 2, 6, 7],
  [0, 6, 4, 7],
  [0, 4, 5, 7],
  [0, 5, 1, 7],
] as const;

/** A box with its bottom in the middle at `base`. */
export function boxMesh(cells: [number, number, number], size: [number, number, number], base: [number, number, number]): Mesh {
  const [nx, ny, nz] = cells;
  const at = (i: number, j: number, k: number) => (k * (ny + 1) + j) * (nx + 1) + i;
  const points: number[] = [];
  for (let k = 0; k <= nz; k++) {
    for (let j = 0; j <= ny; j++) {
      for (let i = 0; i <= nx; i++)
        points.push(base[0] + size[0] * (i / nx - 0.5), base[1] + size[1] * (j / ny - 0.5), base[2] + (size[2] * k) / nz);
    }
  }
  const tets: number[] = [];
  for (let k = 0; k < nz; k++) {
    for (let j = 0; j < ny; j++) {
      for (let i = 0; i < nx; i++) {
        const corner = (c: number) => at(i + (c & 1), j + ((c >> 1) & 1), k + (c >> 2));
        for (const tet of KUHN) tets.push(...tet.map(corner));
      }
    }
  }
  return { points: Float32Array.from(points), tets, triangles: boundary(tets, Float32Array.from(points)), edges: [] };
}

/** A rope from one end to the other. */
export function ropeMesh(segments: number, from: readonly number[], to: readonly number[]): Mesh {
  const points = Array.from({ length: segments + 1 }, (_, i) => from.map((x, c) => x + ((to[c] - x) * i) / segments)).flat();
  const edges = Array.from({ length: segments }, (_, i) => [i, i + 1]).flat();
  return { points: Float32Array.from(points), tets: [], triangles: [], edges };
}

/** An upright square cloth of so many cells a side, its lower edge in the middle at `base`. */
export function clothMesh(cells: number, size: number, base: readonly number[]): Mesh {
  const [points, triangles]: [number[], number[]] = [[], []];
  for (let k = 0; k <= cells; k++) {
    for (let i = 0; i <= cells; i++) points.push(base[0] + size * (i / cells - 0.5), base[1], base[2] + (size * k) / cells);
  }
  for (let k = 0; k < cells; k++) {
    for (let i = 0; i < cells; i++) {
      const a = k * (cells + 1) + i;
      triangles.push(a, a + 1, a + cells + 2, a, a + cells + 2, a + cells + 1);
    }
  }
  return { points: Float32Array.from(points), tets: [], triangles, edges: [] };
}

/** Faces that only one tetrahedron has, turned outwards. */
function boundary(tets: readonly number[], points: Float32Array): number[] {
  const faces = new Map<string, number[] | null>();
  for (let t = 0; t < tets.length; t += 4) {
    const [a, b, c, d] = tets.slice(t, t + 4);
    for (const [face, other] of [
      [[a, b, c], d],
      [[a, b, d], c],
      [[a, c, d], b],
      [[b, c, d], a],
    ] as const) {
      const key = [...face].sort((x, y) => x - y).join();
      faces.set(key, faces.has(key) ? null : outwards([...face], other, points));
    }
  }
  return [...faces.values()].flatMap((face) => face ?? []);
}

function outwards([a, b, c]: number[], inside: number, points: Float32Array): number[] {
  const p = (i: number) => points.subarray(3 * i, 3 * i + 3);
  const minus = (u: Float32Array, v: Float32Array) => [u[0] - v[0], u[1] - v[1], u[2] - v[2]];
  const [u, v, w] = [minus(p(b), p(a)), minus(p(c), p(a)), minus(p(inside), p(a))];
  const side = w[0] * (u[1] * v[2] - u[2] * v[1]) + w[1] * (u[2] * v[0] - u[0] * v[2]) + w[2] * (u[0] * v[1] - u[1] * v[0]);
  return side > 0 ? [a, c, b] : [a, b, c];
}
