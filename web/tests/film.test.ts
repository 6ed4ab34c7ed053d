// The film of an exported page: decoded frames lie within the quantisation of what was written.

import assert from "node:assert/strict";
import { gzipSync } from "node:zlib";
import { test } from "node:test";
import { filmBytes, topologyMessage } from "../e2e/encode.ts";
import { WOBBLE, wobbleFrame, wobbleScene } from "../e2e/wobble.ts";
import { Film, unpackFilm } from "../src/protocol/film.ts";

const FRAMES = Array.from({ length: 12 }, (_, i) => wobbleFrame(i, 31));

function film(kept = 31): ArrayBuffer {
  const topology = topologyMessage(WOBBLE);
  return new Uint8Array(filmBytes(wobbleScene(FRAMES.length, true), topology, FRAMES, kept)).buffer;
}

function readAll(bytes: ArrayBuffer): Film {
  const out = new Film(bytes);
  while (out.readNext());
  return out;
}

function worst(a: Float32Array, b: Float32Array): number {
  return a.reduce((max, x, i) => Math.max(max, Math.abs(x - b[i])), 0);
}

test("positions of all frames come back to half a step of the grid", () => {
  const decoded = readAll(film());
  assert.equal(decoded.read, 12);
  const step = Math.max(...[0, 1, 2].map((c) => decoded.upper[c] - decoded.lower[c])) / 65535;
  FRAMES.forEach((frame, i) => {
    const back = decoded.frame(i);
    assert.equal(back.t, frame.t);
    assert.deepEqual([...back.ledger], frame.ledger);
    assert.ok(worst(back.positions, frame.positions) < 0.51 * step + 1e-7);
  });
});

test("fields come back to half a step of their own range", () => {
  const decoded = readAll(film());
  for (const [bit, name] of [
    [1, "velocities"],
    [2, "stress"],
    [4, "energy"],
    [8, "contact"],
    [16, "reaction"],
  ] as const) {
    FRAMES.forEach((frame, i) => {
      const values = frame.fields?.get(bit) as Float32Array;
      const span = Math.max(...values) - Math.min(...values);
      assert.ok(worst(decoded.frame(i)[name] as Float32Array, values) <= (0.51 * span) / 65535 + 1e-6 * span, `${name}, frame ${i}`);
    });
  }
});

test("fields that were not kept are not there, and the scene says so", () => {
  const decoded = readAll(film(2));
  const frame = decoded.frame(3);
  assert.notEqual(frame.stress, null);
  assert.equal(frame.velocities, null);
  assert.equal(decoded.scene.fields, 2);
});

test("a film that is cut short gives the frames it has, then says so", () => {
  const whole = film();
  const cut = new Film(whole.slice(0, Math.floor(0.7 * whole.byteLength)));
  assert.throws(() => {
    while (cut.readNext());
  }, /cut short/);
  assert.ok(cut.read > 3 && cut.read < 12);
  assert.equal(cut.frame(0).points, WOBBLE.rest.length / 3);
});

test("bytes that are not a film are refused", () => {
  assert.throws(() => new Film(new ArrayBuffer(64)), /not one of aspic/);
});

test("base64 of gzip unpacks to the same bytes", async () => {
  const bytes = film();
  const text = gzipSync(new Uint8Array(bytes)).toString("base64");
  const back = await unpackFilm(`\n${text}\n`);
  assert.deepEqual(new Uint8Array(back), new Uint8Array(bytes));
});
