// Writes the messages of a server and the film of an exported page: the other side of the wire format.

import { gzipSync } from "node:zlib";

/** What a frame message holds. */
export interface FrameData {
  index: number;
  t: number;
  ledger: number[];
  positions: Float32Array;
  /** Arrays by bit of the field. */
  fields?: Map<number, Float32Array>;
  contacts?: number;
  slower?: number;
  step?: number;
  steps?: number;
  rejected?: number;
  newton?: number;
  flags?: number;
}

const FIELD_BITS = [1, 2, 4, 8, 16];

/** kind, length, JSON. */
export function jsonMessage(kind: number, value: unknown): Buffer {
  const text = Buffer.from(JSON.stringify(value), "utf8");
  const head = Buffer.alloc(8);
  head.writeUInt32LE(kind, 0);
  head.writeUInt32LE(text.length, 4);
  return Buffer.concat([head, text]);
}

export interface MeshData {
  triangles: readonly number[];
  tets: readonly number[];
  edges: readonly number[];
  rest: Float32Array;
}

export function topologyMessage({ triangles, tets, edges, rest }: MeshData): Buffer {
  const counts = Uint32Array.of(2, rest.length / 3, triangles.length / 3, tets.length / 4, edges.length / 2);
  return Buffer.concat([bytes(counts), ...[triangles, tets, edges].map((list) => bytes(Uint32Array.from(list))), bytes(rest)]);
}

export function growthMessage(frames: number, complete: boolean): Buffer {
  return bytes(Uint32Array.of(5, frames, complete ? 1 : 0));
}

export function frameMessage(frame: FrameData): Buffer {
  const fields = frame.fields ?? new Map<number, Float32Array>();
  const present = FIELD_BITS.filter((bit) => fields.has(bit));
  const head = Buffer.alloc(64);
  head.writeUInt32LE(3, 0);
  head.writeUInt32LE(frame.index, 4);
  head.writeDoubleLE(frame.t, 8);
  head.writeUInt32LE(frame.positions.length / 3, 16);
  head.writeUInt32LE(
    present.reduce((sum, bit) => sum | bit, 0),
    20,
  );
  head.writeUInt32LE(frame.contacts ?? 0, 24);
  head.writeUInt32LE(frame.ledger.length, 28);
  head.writeDoubleLE(frame.slower ?? 0, 32);
  head.writeDoubleLE(frame.step ?? 0, 40);
  [frame.steps, frame.rejected, frame.newton, frame.flags].forEach((x, k) => head.writeUInt32LE(x ?? 0, 48 + 4 * k));
  return Buffer.concat([
    head,
    bytes(Float64Array.from(frame.ledger)),
    bytes(frame.positions),
    ...present.map((bit) => bytes(fields.get(bit) as Float32Array)),
  ]);
}

/** The bytes of a film before gzip. */
export function filmBytes(scene: object, topology: Buffer, frames: readonly FrameData[], kept: number): Buffer {
  const all = frames.map((f) => f.positions);
  const lower = [0, 1, 2].map((c) => least(all, c, 3));
  const upper = [0, 1, 2].map(
    (c) =>
      -least(
        all.map((a) => a.map((x) => -x)),
        c,
        3,
      ),
  );
  const head = Buffer.alloc(8);
  head.writeUInt32LE(0x6d6c6661, 0);
  head.writeUInt32LE(1, 4);
  const parts = [
    head,
    padded(jsonMessage(1, scene)),
    padded(topology),
    bytes(Uint32Array.of(frames.length)),
    bytes(Float32Array.from([...lower, ...upper, 1])),
    bytes(Uint32Array.of(kept)),
  ];
  const before = new Map<number, Uint16Array>();
  for (const frame of frames) {
    parts.push(bytes(Float64Array.of(frame.t, ...frame.ledger)));
    parts.push(planes(quantise(frame.positions, lower, upper), before, 0));
    for (const bit of FIELD_BITS.filter((b) => kept & b)) {
      const values = frame.fields?.get(bit) as Float32Array;
      const ends = [Math.min(...values), Math.max(...values)].map(Math.fround);
      parts.push(bytes(Float32Array.from(ends)), planes(quantise(values, [ends[0]], [ends[1]]), before, bit));
    }
  }
  return Buffer.concat(parts);
}

/** A page with a film inside. */
export function exportedPage(page: string, film: Buffer): string {
  const tag = `<script id="film" type="application/octet-stream">${gzipSync(film).toString("base64")}</script>`;
  return page.replace("</head>", () => `${tag}</head>`);
}

function quantise(values: Float32Array, lower: readonly number[], upper: readonly number[]): Uint16Array {
  const width = lower.length;
  return Uint16Array.from(values, (x, i) => Math.round((65535 * (x - lower[i % width])) / (upper[i % width] - lower[i % width] || 1)));
}

function planes(values: Uint16Array, before: Map<number, Uint16Array>, key: number): Buffer {
  const last = before.get(key);
  before.set(key, values);
  const low = Buffer.alloc(values.length);
  const high = Buffer.alloc(values.length);
  values.forEach((x, i) => {
    const difference = (x - (last?.[i] ?? 0)) & 0xffff;
    low[i] = difference & 0xff;
    high[i] = difference >> 8;
  });
  return padded(Buffer.concat([low, high]));
}

function padded(part: Buffer): Buffer {
  return Buffer.concat([part, Buffer.alloc((4 - (part.length % 4)) % 4)]);
}

function bytes(array: Uint32Array | Float32Array | Float64Array): Buffer {
  return Buffer.from(array.buffer, array.byteOffset, array.byteLength);
}

function least(arrays: readonly Float32Array[], from: number, stride: number): number {
  let out = Infinity;
  for (const array of arrays) for (let i = from; i < array.length; i += stride) out = Math.min(out, array[i]);
  return out;
}
