// The wire format: what one side writes, the other reads.

import assert from "node:assert/strict";
import { test } from "node:test";
import { frameMessage, growthMessage, jsonMessage, topologyMessage } from "../e2e/encode.ts";
import { frameBytes } from "../src/protocol/frame.ts";
import { decodeMessage } from "../src/protocol/message.ts";

/** A copy whose buffer holds nothing else, as a socket gives it. */
function alone(message: Buffer): ArrayBuffer {
  return new Uint8Array(message).buffer;
}

const SCENE = {
  version: 1,
  mode: "film",
  title: "Wackelpudding „β“",
  points: 4,
  tets: 1,
  triangles: 4,
  fields: 3,
  frames: 7,
  complete: false,
  frame_interval: 0.5,
};

test("a scene keeps its text and gets what was left out", () => {
  const message = decodeMessage(alone(jsonMessage(1, SCENE)));
  assert.equal(message.kind, "scene");
  assert.equal(message.scene.title, "Wackelpudding „β“");
  assert.equal(message.scene.frames, 7);
  assert.deepEqual([message.scene.bodies, message.scene.edges], [[], 0]);
});

test("a scene of another version is refused with a cure", () => {
  assert.throws(() => decodeMessage(alone(jsonMessage(1, { ...SCENE, version: 2 }))), /version 2.*Reload/);
});

test("a mesh comes back as it was sent", () => {
  const rest = Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1);
  const mesh = { triangles: [0, 2, 1, 0, 1, 3], tets: [0, 1, 2, 3], edges: [3, 1], rest };
  const message = decodeMessage(alone(topologyMessage(mesh)));
  assert.equal(message.kind, "topology");
  assert.deepEqual([...message.topology.triangles], [0, 2, 1, 0, 1, 3]);
  assert.deepEqual([...message.topology.tets], [0, 1, 2, 3]);
  assert.deepEqual([...message.topology.edges], [3, 1]);
  assert.deepEqual(message.topology.rest, rest);
});

test("a mesh that names a point it lacks is refused", () => {
  const mesh = { triangles: [], tets: [], edges: [], rest: new Float32Array(9) };
  assert.throws(() => decodeMessage(alone(topologyMessage({ ...mesh, triangles: [0, 1, 9] }))), /point 9/);
  assert.throws(() => decodeMessage(alone(topologyMessage({ ...mesh, edges: [0, 3] }))), /point 3/);
});

test("a frame's arrays are views of the message, in the order of the bits", () => {
  const positions = Float32Array.of(1, 2, 3, 4, 5, 6);
  const fields = new Map([
    [8, Float32Array.of(0, 0, 7, 0, 0, 8)],
    [2, Float32Array.of(11, 12)],
  ]);
  const buffer = alone(
    frameMessage({
      index: 5,
      t: 0.25,
      ledger: [0.25, -3],
      positions,
      fields,
      slower: 3.2,
      step: 1e-3,
      steps: 9,
      rejected: 2,
      newton: 30,
      flags: 1,
      contacts: 2,
    }),
  );
  const message = decodeMessage(buffer);
  assert.equal(message.kind, "frame");
  const { frame } = message;
  assert.deepEqual([frame.index, frame.t, frame.points, frame.fields, frame.contacts], [5, 0.25, 2, 10, 2]);
  assert.deepEqual(
    [frame.slower, frame.step, frame.steps, frame.rejected, frame.newton, frame.paused, frame.failed],
    [3.2, 1e-3, 9, 2, 30, true, false],
  );
  assert.deepEqual([...frame.ledger], [0.25, -3]);
  assert.deepEqual([...frame.positions], [1, 2, 3, 4, 5, 6]);
  assert.deepEqual([...(frame.stress ?? [])], [11, 12]);
  assert.deepEqual([...(frame.contact ?? [])], [0, 0, 7, 0, 0, 8]);
  assert.equal(frame.velocities, null);
  assert.equal(frame.positions.buffer, buffer);
  assert.equal(buffer.byteLength, frameBytes(2, 2, 10));
});

test("a frame that is cut short is refused", () => {
  const whole = alone(frameMessage({ index: 0, t: 0, ledger: [0], positions: new Float32Array(30) }));
  assert.throws(() => decodeMessage(whole.slice(0, whole.byteLength - 4)), /shorter/);
});

test("growth, notices, files and states are told apart; later kinds are not an error", () => {
  assert.deepEqual(decodeMessage(alone(growthMessage(12, true))), { kind: "growth", frames: 12, complete: true });
  assert.deepEqual(decodeMessage(alone(jsonMessage(4, { level: "info", text: "x" }))), {
    kind: "notice",
    notice: { level: "info", text: "x" },
  });
  assert.deepEqual(decodeMessage(alone(jsonMessage(6, { name: "a", text: "b" }))), { kind: "file", file: { name: "a", text: "b" } });
  assert.equal(decodeMessage(alone(jsonMessage(7, { paused: true, pins: [], grabbed: null, ignored: 0 }))).kind, "state");
  assert.deepEqual(decodeMessage(Uint32Array.of(99).buffer), { kind: "unknown", number: 99 });
});
