// Tetrahedra and their faces: who is whose neighbour, and the faces that a cut lays open.

/** The three points of face f of a tetrahedron: the face opposite to point f. */
export const FACES: readonly (readonly [number, number, number])[] = [
  [1, 2, 3],
  [0, 3, 2],
  [0, 1, 3],
  [0, 2, 1],
];

export interface TetGraph {
  /** Per tetrahedron and face the tetrahedron beyond, or −1. */
  neighbours: Int32Array;
  /** Per surface triangle the tetrahedron it belongs to, or −1 (bodies without an inside). */
  owners: Int32Array;
}

/** Finds common faces. Faces are put in buckets by their smallest point, where few others lie. */
export function tetGraph(tets: Uint32Array, triangles: Uint32Array, points: number): TetGraph {
  const count = tets.length / 4;
  const start = new Uint32Array(points + 1);
  const key = (t: number, f: number): [number, number, number] => {
    const [i, j, k] = FACES[f];
    return sort3(tets[4 * t + i], tets[4 * t + j], tets[4 * t + k]);
  };
  for (let t = 0; t < count; t++) for (let f = 0; f < 4; f++) start[key(t, f)[0] + 1]++;
  for (let p = 0; p < points; p++) start[p + 1] += start[p];
  const fill = start.slice(0, points);
  const bucket = new Uint32Array(4 * count); // 4 t + f
  const middle = new Uint32Array(4 * count);
  const last = new Uint32Array(4 * count);
  const neighbours = new Int32Array(4 * count).fill(-1);
  for (let t = 0; t < count; t++) {
    for (let f = 0; f < 4; f++) {
      const [a, b, c] = key(t, f);
      const end = fill[a];
      for (let k = start[a]; k < end; k++) {
        if (middle[k] !== b || last[k] !== c) continue;
        neighbours[4 * t + f] = bucket[k] >> 2;
        neighbours[bucket[k]] = t;
      }
      fill[a]++;
      bucket[end] = 4 * t + f;
      middle[end] = b;
      last[end] = c;
    }
  }
  const owners = new Int32Array(triangles.length / 3).fill(-1);
  for (let i = 0; i < owners.length; i++) {
    const [a, b, c] = sort3(triangles[3 * i], triangles[3 * i + 1], triangles[3 * i + 2]);
    for (let k = start[a]; k < start[a + 1]; k++) {
      if (middle[k] === b && last[k] === c) owners[i] = bucket[k] >> 2;
    }
  }
  return { neighbours, owners };
}

function sort3(a: number, b: number, c: number): [number, number, number] {
  if (a > b) [a, b] = [b, a];
  if (b > c) [b, c] = [c, b];
  if (a > b) [a, b] = [b, a];
  return [a, b, c];
}

/** Where a cut is: points with side · (coordinate − position) ≤ 0 stay. */
export interface Cut {
  axis: 0 | 1 | 2;
  position: number;
  side: 1 | -1;
}

/** Writes into `kept` (1 or 0 per tetrahedron) which have their centroid on the side that stays. */
export function keepTets(tets: Uint32Array, positions: Float32Array, cut: Cut, kept: Uint8Array): void {
  const { axis, side } = cut;
  const limit = 4 * cut.position;
  for (let t = 0, i = 0; t < kept.length; t++, i += 4) {
    const sum =
      positions[3 * tets[i] + axis] +
      positions[3 * tets[i + 1] + axis] +
      positions[3 * tets[i + 2] + axis] +
      positions[3 * tets[i + 3] + axis];
    kept[t] = side * (sum - limit) <= 0 ? 1 : 0;
  }
}

/** Points of the faces between kept tetrahedra and those cut away, three a face; grows `out` as needed. */
export function openFaces(tets: Uint32Array, graph: TetGraph, kept: Uint8Array, out: number[]): number[] {
  out.length = 0;
  for (let t = 0; t < kept.length; t++) {
    if (!kept[t]) continue;
    for (let f = 0; f < 4; f++) {
      const beyond = graph.neighbours[4 * t + f];
      if (beyond < 0 || kept[beyond]) continue;
      const [i, j, k] = FACES[f];
      out.push(tets[4 * t + i], tets[4 * t + j], tets[4 * t + k]);
    }
  }
  return out;
}
