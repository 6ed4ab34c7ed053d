// Colour maps, ranges and numbers for people.

import assert from "node:assert/strict";
import { test } from "node:test";
import { MAP_NAMES, mapPixels, sampleMap } from "../src/draw/colourmap.ts";
import { gridCell } from "../src/draw/ground.ts";
import { robustMaximum, SmoothRange } from "../src/draw/quantity.ts";
import type { Parameter } from "../src/protocol/scene.ts";
import { grouped, pace, scaleFor, seconds, short, ticks, withUnit } from "../src/ui/format.ts";
import { placeOf, typed, unitFor, valueAt } from "../src/ui/parameters.ts";

/** CIE L* of an sRGB colour. */
function lightness([r, g, b]: readonly number[]): number {
  const linear = (c: number) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  const y = 0.2126 * linear(r) + 0.7152 * linear(g) + 0.0722 * linear(b);
  return y > 0.008856 ? 116 * Math.cbrt(y) - 16 : 903.3 * y;
}

test("every colour map gets lighter all the way", () => {
  for (const name of MAP_NAMES) {
    let last = -1;
    for (let i = 0; i <= 64; i++) {
      const now = lightness(sampleMap(name, i / 64));
      assert.ok(now > last - 0.35, `${name} at ${i}/64: ${now} after ${last}`);
      last = Math.max(last, now);
    }
  }
});

test("colour maps are clamped and start and end where they should", () => {
  assert.deepEqual(sampleMap("viridis", -1), [0x44, 0x01, 0x54]);
  assert.deepEqual(sampleMap("viridis", 2), [0xfd, 0xe7, 0x25]);
  assert.deepEqual(sampleMap("viridis", NaN), [0x44, 0x01, 0x54]);
  const pixels = mapPixels("plasma", 256);
  assert.deepEqual([...pixels.subarray(0, 4)], [0x0d, 0x08, 0x87, 255]);
});

test("a single spike does not set the range", () => {
  const values = Float32Array.from({ length: 10_000 }, (_, i) => i / 10_000);
  assert.ok(Math.abs(robustMaximum(values) - 0.998) < 0.005);
  values[7] = 1000;
  assert.ok(robustMaximum(values) < 5);
  assert.equal(robustMaximum(new Float32Array(5)), 0);
});

test("a range rises fast, falls slowly, and stays when it is locked", () => {
  const range = new SmoothRange();
  range.follow(10);
  assert.equal(range.value, 10);
  range.follow(20);
  assert.equal(range.value, 15);
  range.follow(0);
  assert.ok(range.value > 14);
  range.locked = true;
  range.follow(100);
  assert.ok(range.value < 15);
});

test("numbers are short and carry the right prefix", () => {
  assert.equal(withUnit(12345, "Pa"), "12.3 kPa");
  assert.equal(withUnit(-0.0221, "J"), "−22.1 mJ");
  assert.equal(withUnit(0, "J"), "0 J");
  assert.equal(short(0.25), "0.25");
  assert.equal(short(100), "100");
  assert.equal(grouped(1234567), "1 234 567");
  assert.equal(seconds(1.25, 1 / 24), "1.250");
  assert.equal(scaleFor(3e6, "Pa").unit, "MPa");
});

test("the pace is told in words", () => {
  assert.equal(pace(1.0), "real time");
  assert.equal(pace(0.5), "real time");
  assert.equal(pace(3.21), "3.2× slower than real time");
  assert.equal(pace(0), "");
});

test("ticks are round and lie inside", () => {
  assert.deepEqual(
    ticks(0, 1, 5).map((x) => Number(x.toFixed(6))),
    [0, 0.2, 0.4, 0.6, 0.8, 1],
  );
  assert.ok(ticks(-3.7, 9.2, 4).every((x) => x >= -3.7 && x <= 9.2));
});

test("grid cells are one, two or five times a power of ten", () => {
  for (const size of [0.0013, 0.4, 7, 90])
    assert.match((gridCell(size) / 10 ** Math.floor(Math.log10(gridCell(size) * 1.0001))).toFixed(3), /^[125]\.000$/);
});

test("sliders go there and back on both scales", () => {
  const linear: Parameter = { key: "a", label: "", unit: "", group: "", value: 0, min: -20, max: 20, scale: "linear" };
  const log: Parameter = { ...linear, min: 10, max: 1000, scale: "log" };
  assert.equal(valueAt(linear, 0.5), 0);
  assert.ok(Math.abs(valueAt(log, 0.5) - 100) < 1e-9);
  for (const p of [linear, log]) for (const x of [0, 0.3, 1]) assert.ok(Math.abs(placeOf(p, valueAt(p, x)) - x) < 1e-12);
  assert.equal(placeOf(log, 1e9), 1);
  assert.equal(typed(-9.80665), "-9.807");
});

test("large moduli are shown with a prefix, accelerations without", () => {
  const modulus: Parameter = { key: "a", label: "", unit: "Pa", group: "", value: 0, min: 1, max: 1e9, scale: "log" };
  assert.deepEqual(unitFor(modulus, 2e8), { size: 1e6, unit: "MPa" });
  assert.deepEqual(unitFor({ ...modulus, unit: "m/s²" }, -9810), { size: 1, unit: "m/s²" });
  assert.deepEqual(unitFor({ ...modulus, unit: "s" }, 0.02), { size: 1e-3, unit: "ms" });
});
