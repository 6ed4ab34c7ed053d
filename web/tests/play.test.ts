// Playing a film: the head, the cache, what is fetched, the ledger.

import assert from "node:assert/strict";
import { test } from "node:test";
import { frameMessage } from "../e2e/encode.ts";
import { curvesOf, curveValue, LedgerRows } from "../src/play/ledger.ts";
import { Player } from "../src/play/player.ts";
import { decodeFrame, type Frame } from "../src/protocol/frame.ts";
import { FrameCache } from "../src/source/cache.ts";
import { Fetcher } from "../src/source/fetcher.ts";
import { nearestRow } from "../src/ui/plot.ts";

function frame(index: number, points = 10, fields = 0): Frame {
  const arrays = new Map(fields & 2 ? [[2, new Float32Array(points)]] : []);
  return decodeFrame(
    new Uint8Array(frameMessage({ index, t: index, ledger: [index], positions: new Float32Array(3 * points), fields: arrays })).buffer,
  );
}

function player(frames: number, complete = true): Player {
  const out = new Player({ has: () => true, missing: () => false });
  out.load(frames, complete, 0.1);
  return out;
}

test("play advances by the frame interval and starts again in a loop", () => {
  const p = player(10);
  p.tick(0.25, 1, true);
  assert.equal(p.index, 2);
  p.tick(0.25, 2, true);
  assert.equal(p.index, 7);
  p.tick(0.4, 1, true);
  assert.equal(p.index, 1);
});

test("without a loop play stops on the last frame and starts anew from the first", () => {
  const p = player(5);
  p.tick(9, 1, false);
  assert.deepEqual([p.index, p.playing], [4, false]);
  p.toggle(false);
  assert.deepEqual([p.index, p.playing], [0, true]);
});

test("play waits for a frame that is not here, and passes one that cannot be had", () => {
  const here = new Set([0, 1, 2]);
  const lost = new Set<number>();
  const p = new Player({ has: (i) => here.has(i), missing: (i) => lost.has(i) });
  p.load(10, true, 0.1);
  for (let k = 0; k < 20; k++) p.tick(0.06, 1, true);
  assert.deepEqual([p.index, p.waiting], [2, true]);
  lost.add(3);
  here.add(4);
  for (let k = 0; k < 3; k++) p.tick(0.06, 1, true);
  assert.equal(p.index, 4);
});

test("a head at the end of a growing film follows, another stays", () => {
  const p = player(10, false);
  p.playing = false;
  p.seek(9);
  p.grow(15, false);
  assert.equal(p.index, 14);
  p.seek(3);
  p.grow(20, true);
  assert.equal(p.index, 3);
});

test("play rests on the last frame of a film that is being written, even in a loop", () => {
  const p = player(4, false);
  p.tick(10, 1, true);
  assert.deepEqual([p.index, p.playing], [3, true]);
  p.grow(6, false);
  p.tick(0.1, 1, true);
  assert.equal(p.index, 4);
});

test("the cache stays within its memory and keeps what is near the head", () => {
  const size = frame(0).bytes;
  const cache = new FrameCache(5 * size);
  for (let i = 0; i < 20; i++) cache.put(frame(i), i);
  assert.ok(cache.bytes <= 5 * size);
  assert.ok(cache.has(19) && cache.has(18) && !cache.has(2));
  cache.put(frame(19, 10), 19);
  assert.equal(cache.bytes, cache.size * size);
});

test("frames are asked for from the head on, a few at a time, and each once", () => {
  const asked: number[] = [];
  const fetcher = new Fetcher((i) => asked.push(i), 1e9);
  fetcher.need({ head: 6, frames: 10, fields: 0 });
  assert.deepEqual(asked, [6, 7, 8, 9]);
  for (let k = 0; k < 10; k++) fetcher.arrived(frame(asked[k]));
  assert.deepEqual(
    [...asked].sort((a, b) => a - b),
    [0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  );
  fetcher.need({ head: 2, frames: 10, fields: 0 });
  assert.equal(asked.length, 10);
});

test("a new field is fetched again, but not for ever when the server lacks it", () => {
  const asked: number[] = [];
  const fetcher = new Fetcher((i) => asked.push(i), 1e9);
  const answer = (fields: number) => {
    for (let k = 0; k < asked.length; k++) fetcher.arrived(frame(asked[k], 10, fields));
    asked.length = 0;
  };
  fetcher.need({ head: 0, frames: 4, fields: 0 });
  answer(0);
  fetcher.need({ head: 0, frames: 4, fields: 2 });
  assert.ok(asked.length > 0);
  for (let k = 0; k < 8 && asked.length; k++) answer(0);
  fetcher.need({ head: 1, frames: 4, fields: 2 });
  assert.deepEqual(asked, []);
});

test("a film larger than the memory is sampled for the ledger, not fetched whole", () => {
  const size = frame(0).bytes;
  const seen = new Set<number>();
  let count = 0;
  const queue: number[] = [];
  const fetcher = new Fetcher((i) => queue.push(i), 60 * size);
  fetcher.need({ head: 0, frames: 5000, fields: 0 });
  while (queue.length && count++ < 3000) {
    const index = queue.shift() as number;
    seen.add(index);
    fetcher.arrived(frame(index));
  }
  assert.ok(count < 600, `${count} frames were fetched`);
  assert.ok(
    [...seen].some((i) => i > 4000),
    "the end of the film was not sampled",
  );
});

test("a frame that the server refuses is not asked for again", () => {
  const asked: number[] = [];
  const fetcher = new Fetcher((i) => asked.push(i), 1e9);
  fetcher.need({ head: 0, frames: 3, fields: 0 });
  fetcher.refused();
  assert.ok(fetcher.missing(0));
  fetcher.arrived(frame(1));
  fetcher.arrived(frame(2));
  fetcher.need({ head: 0, frames: 3, fields: 0 });
  assert.deepEqual(asked, [0, 1, 2]);
});

test("gravity and the total are shown from where they started", () => {
  const names = ["t", "kinetic", "gravity", "total"];
  const [kinetic, gravity, total] = curvesOf(names);
  const first = Float64Array.of(0, 1, -5, -4);
  const row = Float64Array.of(1, 2, -6, -4);
  assert.deepEqual(
    [kinetic, gravity, total].map((c) => curveValue(c, row, first, 2)),
    [2, -1, 1],
  );
});

test("live rows begin anew when time goes back", () => {
  const rows = new LedgerRows();
  for (const t of [0, 1, 1, 2]) rows.append(Float64Array.of(t));
  assert.deepEqual(
    rows.rows.map((r) => r[0]),
    [0, 1, 2],
  );
  rows.append(Float64Array.of(0.5));
  assert.deepEqual(
    rows.rows.map((r) => r[0]),
    [0.5],
  );
  assert.equal(
    nearestRow(
      [0, 1, 2].map((t) => Float64Array.of(t)),
      1.4,
    ),
    1,
  );
});
