// Surfaces and tetrahedra: creases, normals, cuts, rays.

import assert from "node:assert/strict";
import { test } from "node:test";
import { boxMesh } from "../e2e/mesh.ts";
import { boundsOf, diagonal, growBounds } from "../src/geometry/bounds.ts";
import { splitAtCreases } from "../src/geometry/crease.ts";
import { uniqueEdges } from "../src/geometry/incidence.ts";
import { gather3, smoothNormals } from "../src/geometry/normals.ts";
import { pick } from "../src/geometry/pick.ts";
import { keepTets, openFaces, tetGraph } from "../src/geometry/tets.ts";

const BOX = boxMesh([3, 3, 3], [2, 2, 2], [0, 0, -1]);
const POINTS = BOX.points.length / 3;
const TRIANGLES = Uint32Array.from(BOX.triangles);
const TETS = Uint32Array.from(BOX.tets);

/** A sphere of radius 1 around the origin: rings of points between two poles. */
function sphere(rings: number, sides: number): { points: Float32Array; triangles: Uint32Array } {
  const points = [0, 0, 1];
  for (let r = 1; r < rings; r++) {
    const polar = (Math.PI * r) / rings;
    for (let s = 0; s < sides; s++) {
      const around = (2 * Math.PI * s) / sides;
      points.push(Math.sin(polar) * Math.cos(around), Math.sin(polar) * Math.sin(around), Math.cos(polar));
    }
  }
  points.push(0, 0, -1);
  const last = points.length / 3 - 1;
  const at = (r: number, s: number) => 1 + (r - 1) * sides + (s % sides);
  const triangles: number[] = [];
  for (let s = 0; s < sides; s++) {
    triangles.push(0, at(1, s), at(1, s + 1), last, at(rings - 1, s + 1), at(rings - 1, s));
    for (let r = 1; r < rings - 1; r++) triangles.push(at(r, s), at(r + 1, s), at(r + 1, s + 1), at(r, s), at(r + 1, s + 1), at(r, s + 1));
  }
  return { points: Float32Array.from(points), triangles: Uint32Array.from(triangles) };
}

test("a box has three vertices at each corner, two on each edge, one on a face", () => {
  const { source } = splitAtCreases(TRIANGLES, BOX.points, POINTS);
  const copies = new Map<number, number>();
  for (const p of source) copies.set(p, (copies.get(p) ?? 0) + 1);
  for (const [p, n] of copies) {
    const onFaces = [0, 1, 2].filter((c) => Math.abs(Math.abs(BOX.points[3 * p + c]) - 1) < 1e-6).length;
    assert.equal(n, onFaces, `point ${p}`);
  }
  assert.equal(copies.size, 4 ** 3 - 2 ** 3);
});

test("normals of a box are those of its faces, also at its edges", () => {
  const { corners, source } = splitAtCreases(TRIANGLES, BOX.points, POINTS);
  const positions = new Float32Array(3 * source.length);
  const normals = new Float32Array(3 * source.length);
  gather3(source, BOX.points, positions);
  smoothNormals(corners, positions, normals);
  for (let v = 0; v < source.length; v++) {
    const n = [...normals.subarray(3 * v, 3 * v + 3)];
    const axis = n.findIndex((x) => Math.abs(x) > 0.999);
    assert.ok(axis >= 0, `normal ${n}`);
    assert.ok(Math.abs(positions[3 * v + axis] - Math.sign(n[axis])) < 1e-5, "points outwards, on its face");
  }
});

test("a sphere is not split, and its normals point along the radius", () => {
  const { points, triangles } = sphere(16, 24);
  const { corners, source } = splitAtCreases(triangles, points, points.length / 3);
  assert.equal(source.length, points.length / 3);
  const normals = new Float32Array(points.length);
  smoothNormals(corners, points, normals);
  for (let i = 0; i < points.length; i += 3) {
    const cosine = normals[i] * points[i] + normals[i + 1] * points[i + 1] + normals[i + 2] * points[i + 2];
    assert.ok(cosine > 0.99, `cosine ${cosine}`);
  }
});

test("edges, points and triangles of a closed surface obey Euler's formula", () => {
  const edges = uniqueEdges(TRIANGLES, POINTS).length / 2;
  const used = new Set(TRIANGLES).size;
  assert.equal(used - edges + TRIANGLES.length / 3, 2);
});

test("every face of a tetrahedron is a neighbour's or the surface's", () => {
  const { neighbours, owners } = tetGraph(TETS, TRIANGLES, POINTS);
  const outer = neighbours.filter((t) => t < 0).length;
  assert.equal(outer, TRIANGLES.length / 3);
  assert.ok(owners.every((t) => t >= 0));
  for (let t = 0; t < neighbours.length / 4; t++) {
    for (let f = 0; f < 4; f++) {
      const beyond = neighbours[4 * t + f];
      if (beyond < 0) continue;
      const common = [0, 1, 2, 3].filter((k) => TETS.subarray(4 * beyond, 4 * beyond + 4).includes(TETS[4 * t + k]));
      assert.equal(common.length, 3);
    }
  }
});

test("a cut and the surface that stays close the half that stays", () => {
  const graph = tetGraph(TETS, TRIANGLES, POINTS);
  const kept = new Uint8Array(TETS.length / 4);
  keepTets(TETS, BOX.points, { axis: 2, position: 0.1, side: 1 }, kept);
  const open = openFaces(TETS, graph, kept, []);
  assert.ok(open.length > 0);
  const stays = [...graph.owners].flatMap((t, i) => (kept[t] ? [...TRIANGLES.subarray(3 * i, 3 * i + 3)] : []));
  const sides = new Map<string, number>();
  const all = [...stays, ...open];
  for (let i = 0; i < all.length; i += 3) {
    for (let k = 0; k < 3; k++) {
      const edge = [all[i + k], all[i + ((k + 1) % 3)]].sort((a, b) => a - b).join();
      sides.set(edge, (sides.get(edge) ?? 0) + 1);
    }
  }
  for (const [edge, n] of sides) assert.equal(n % 2, 0, `edge ${edge} has ${n} sides`);
});

test("both sides of a cut together are the whole", () => {
  const [low, high] = [new Uint8Array(TETS.length / 4), new Uint8Array(TETS.length / 4)];
  keepTets(TETS, BOX.points, { axis: 0, position: 0.123, side: 1 }, low);
  keepTets(TETS, BOX.points, { axis: 0, position: 0.123, side: -1 }, high);
  assert.ok(low.every((x, t) => x + high[t] === 1));
});

test("a ray meets the near side of a box, at the nearest corner of the triangle", () => {
  const all = Uint32Array.from({ length: TRIANGLES.length / 3 }, (_, i) => i);
  const hit = pick([0.9, 0.8, 5], [0, 0, -1], BOX.points, TRIANGLES, all);
  assert.ok(hit);
  assert.ok(Math.abs(hit.distance - 4) < 1e-6);
  assert.deepEqual([...BOX.points.subarray(3 * hit.point, 3 * hit.point + 3)].map(Math.round), [1, 1, 1]);
  assert.equal(pick([3, 0, 5], [0, 0, -1], BOX.points, TRIANGLES, all), null);
  assert.equal(pick([0, 0, 5], [0, 0, 1], BOX.points, TRIANGLES, all), null);
});

test("boxes ignore points that are not numbers", () => {
  const box = boundsOf(Float32Array.of(1, 2, 3, NaN, 0, 0, -1, 0, 0));
  assert.deepEqual(box, { lower: [-1, 0, 0], upper: [1, 2, 3] });
  assert.equal(growBounds(box, { lower: [0, 0, 0], upper: [1, 1, 1] }), false);
  assert.ok(Math.abs(diagonal(box) - Math.sqrt(4 + 4 + 9)) < 1e-12);
});
