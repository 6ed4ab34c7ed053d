// A frame (message kind 3): a header and typed-array views into the message, without copies.

import { Field } from "./scene.ts";

/** The state of all points at one time. Arrays are views of the message; do not change them. */
export interface Frame {
  index: number;
  /** [s] */
  t: number;
  points: number;
  /** Which of the arrays below are there, see `Field`. */
  fields: number;
  /** Points with a contact force; 0 when unknown. */
  contacts: number;
  /** Wall seconds per simulated second; 0 for films. */
  slower: number;
  /** Length of the last step [s]. */
  step: number;
  steps: number;
  rejected: number;
  newton: number;
  paused: boolean;
  failed: boolean;
  /** In the order of the scene's `ledger`. */
  ledger: Float64Array;
  /** x y z per point [m] */
  positions: Float32Array;
  /** x y z per point [m/s] */
  velocities: Float32Array | null;
  /** Von Mises stress per point [Pa] */
  stress: Float32Array | null;
  /** Elastic energy density per point [J/m³] */
  energy: Float32Array | null;
  /** Contact force, x y z per point [N] */
  contact: Float32Array | null;
  /** Force of the constraints, x y z per point [N] */
  reaction: Float32Array | null;
  /** Memory behind the arrays. */
  bytes: number;
}

/** Bytes before the arrays. */
export const HEADER = 64;

/** Numbers per point of each field, in the order of the message. */
export const FIELD_WIDTHS: readonly (readonly [bit: number, width: number])[] = [
  [Field.velocity, 3],
  [Field.stress, 1],
  [Field.energy, 1],
  [Field.contact, 3],
  [Field.reaction, 3],
];

/** Bytes of a frame message. */
export function frameBytes(points: number, ledger: number, fields: number): number {
  let numbers = 3 * points;
  for (const [bit, width] of FIELD_WIDTHS) if (fields & bit) numbers += width * points;
  return HEADER + 8 * ledger + 4 * numbers;
}

/** Reads a frame; throws when the message is shorter than its header promises. */
export function decodeFrame(buffer: ArrayBuffer): Frame {
  if (buffer.byteLength < HEADER) throw new Error("A frame message is shorter than its header.");
  const head = new DataView(buffer);
  const points = head.getUint32(16, true);
  const fields = head.getUint32(20, true);
  const ledger = head.getUint32(28, true);
  if (buffer.byteLength < frameBytes(points, ledger, fields)) {
    throw new Error(`Frame ${head.getUint32(4, true)} is shorter than its header promises.`);
  }
  let at = HEADER + 8 * ledger;
  const take = (width: number): Float32Array => {
    const view = new Float32Array(buffer, at, width * points);
    at += 4 * width * points;
    return view;
  };
  const takeField = (bit: number, width: number) => (fields & bit ? take(width) : null);
  const flags = head.getUint32(60, true);
  return {
    index: head.getUint32(4, true),
    t: head.getFloat64(8, true),
    points,
    fields,
    contacts: head.getUint32(24, true),
    slower: head.getFloat64(32, true),
    step: head.getFloat64(40, true),
    steps: head.getUint32(48, true),
    rejected: head.getUint32(52, true),
    newton: head.getUint32(56, true),
    paused: (flags & 1) !== 0,
    failed: (flags & 2) !== 0,
    ledger: new Float64Array(buffer, HEADER, ledger),
    // The order of these lines is the order of the message.
    positions: take(3),
    velocities: takeField(Field.velocity, 3),
    stress: takeField(Field.stress, 1),
    energy: takeField(Field.energy, 1),
    contact: takeField(Field.contact, 3),
    reaction: takeField(Field.reaction, 3),
    bytes: buffer.byteLength,
  };
}
