// Ropes: capsules and rays past them.

import assert from "node:assert/strict";
import { test } from "node:test";
import { capsule } from "../src/geometry/capsule.ts";
import { pickSegment } from "../src/geometry/segments.ts";
import { bodySize } from "../src/ui/tree.ts";

/** Three segments along x, one metre each, at the height 0; a fourth across them, one metre below. */
const POSITIONS = Float32Array.of(0, 0, 0, 1, 0, 0, 2, 0, 0, 3, 0, 0, 1.4, -1, -1, 1.4, 1, -1);
const EDGES = [0, 1, 1, 2, 2, 3, 4, 5];
const RADII = [0.1, 0.1, 0.1, 0.1];
const ALL = [0, 1, 2, 3];
const DOWN = [0, 0, -1] as const;

function pickAt(x: number, y: number, slack = 0, shown = ALL) {
  return pickSegment([x, y, 5], DOWN, POSITIONS, EDGES, shown, RADII, slack);
}

test("a ray through a rope meets its near side, and takes the nearer end of the segment", () => {
  const hit = pickAt(1.3, 0.06);
  assert.ok(hit?.exact);
  assert.equal(hit.point, 1);
  // 0.06 beside the axis the side is √(0.1² − 0.06²) = 0.08 above it.
  assert.ok(Math.abs(hit.distance - 4.92) < 1e-6, `${hit.distance}`);
  assert.equal(pickAt(1.7, 0)?.point, 2);
});

test("the rope in front is met, and the one behind when the first is not shown", () => {
  assert.equal(pickAt(1.4, 0.05)?.point, 1);
  assert.equal(pickAt(1.4, 0.05, 0, [3])?.point, 5);
});

test("a ray that passes a thin rope takes hold of it only within reach, the nearest to the eye's line first", () => {
  assert.equal(pickAt(0.2, 0.15), null);
  const near = pickAt(0.2, 0.15, 0.02);
  assert.equal(near?.point, 0);
  assert.equal(near?.exact, false);
  // Between both ropes: 0.2 beside the upper one, 0.15 beside the lower.
  assert.equal(pickAt(1.55, 0.3, 0.05)?.point, 5);
  // What is met beats what is passed, even farther away.
  assert.equal(pickAt(1.45, 0.15, 0.05)?.exact, true);
});

test("ropes behind the eye and broken points are not met", () => {
  assert.equal(pickSegment([1, 0, 5], [0, 0, 1], POSITIONS, EDGES, ALL, RADII, 0.1), null);
  const broken = POSITIONS.slice();
  broken[0] = NaN;
  assert.equal(pickSegment([0.2, 0, 5], DOWN, broken, EDGES, [0], RADII, 0.1), null);
  // A segment without a length is a ball.
  assert.equal(pickSegment([0.05, 0, 5], DOWN, POSITIONS, [0, 0], [0], RADII, 0)?.point, 0);
});

test("a capsule is closed, lies on the unit ball and looks outward", () => {
  const exact = 2 * Math.PI + (4 / 3) * Math.PI;
  // With one ring: a hexagonal prism and two pyramids on hexagons of area (3/2)√3.
  const hexagonal = (2 + 2 / 3) * 1.5 * Math.sqrt(3);
  for (const [sides, rings, least, most] of [
    [6, 1, 0.9999 * hexagonal, 1.0001 * hexagonal],
    [12, 3, 0.9 * exact, exact],
  ]) {
    const { round, ends, index } = capsule(sides, rings);
    const sidesOf = new Map<string, number>();
    let volume = 0;
    for (let t = 0; t < index.length; t += 3) {
      // Pulled apart by 2 along z, around the origin: the fan to the origin adds up to the volume.
      const [a, b, c] = [0, 1, 2].map((k) => {
        const v = index[t + k];
        return [round[3 * v], round[3 * v + 1], round[3 * v + 2] + 2 * ends[v] - 1];
      });
      volume += (a[0] * (b[1] * c[2] - b[2] * c[1]) + a[1] * (b[2] * c[0] - b[0] * c[2]) + a[2] * (b[0] * c[1] - b[1] * c[0])) / 6;
      for (let k = 0; k < 3; k++) {
        const edge = [index[t + k], index[t + ((k + 1) % 3)]];
        const key = `${edge}`;
        sidesOf.set(key, (sidesOf.get(key) ?? 0) + 1);
      }
    }
    for (const [key, n] of sidesOf) {
      const [p, q] = key.split(",");
      assert.equal(n, 1, key);
      assert.equal(sidesOf.get(`${q},${p}`), 1, key);
    }
    assert.ok(volume > least && volume < most, `${volume}`);
    for (let v = 0; v < ends.length; v++) assert.ok(Math.abs(Math.hypot(...round.subarray(3 * v, 3 * v + 3)) - 1) < 1e-6);
  }
});

test("a body tells what it has: edges of a rope, triangles of a cloth, tetrahedra of a solid", () => {
  const body = { name: "b", kind: "points" as const, radius: 0, tets: [0, 0] as [number, number], triangles: [0, 0] as [number, number] };
  assert.equal(bodySize({ ...body, points: [4, 9], edges: [2, 6] }), "5 points, 4 edges");
  assert.equal(bodySize({ ...body, points: [0, 9], edges: [0, 0], triangles: [0, 8] }), "9 points, 8 triangles");
  assert.equal(bodySize({ ...body, points: [0, 9], edges: [0, 0], triangles: [0, 8], tets: [0, 12] }), "9 points, 12 tetrahedra");
});
