// The film inside an exported page: quantised frames, each stored as the difference to the one before.

import { FIELD_WIDTHS, type Frame } from "./frame.ts";
import { decodeJson, decodeTopology } from "./message.ts";
import { checkScene, Field, type Scene, type Topology } from "./scene.ts";

const MAGIC = 0x6d6c6661;
const FILM_VERSION = 1;

/** Numbers of one field in one frame, quantised to [lowest, highest]. */
interface Quantised {
  lowest: number;
  highest: number;
  values: Uint16Array;
}

interface StoredFrame {
  t: number;
  ledger: Float64Array;
  positions: Uint16Array;
  fields: Map<number, Quantised>;
}

/** Reads the head at once and the frames one after the other, because each needs the one before. */
export class Film {
  readonly scene: Scene;
  readonly topology: Topology;
  /** Box of all positions in all frames [m]. */
  readonly lower: [number, number, number];
  readonly upper: [number, number, number];
  readonly fields: number;
  /** Frames the film promises. */
  readonly length: number;
  private readonly bytes: ArrayBuffer;
  private readonly view: DataView;
  private readonly stored: StoredFrame[] = [];
  private at: number;

  constructor(bytes: ArrayBuffer) {
    this.bytes = bytes;
    this.view = new DataView(bytes);
    if (bytes.byteLength < 8 || this.view.getUint32(0, true) !== MAGIC) throw new Error("This page's film is not one of aspic.");
    const version = this.view.getUint32(4, true);
    if (version !== FILM_VERSION) throw new Error(`This page cannot read version ${version} of the film format. Export the film again.`);
    const text = decodeJson(bytes, 8);
    const mesh = decodeTopology(bytes, padded(text.end));
    this.topology = mesh.topology;
    this.at = padded(mesh.end);
    this.length = this.takeUint();
    this.lower = [this.takeFloat(), this.takeFloat(), this.takeFloat()];
    this.upper = [this.takeFloat(), this.takeFloat(), this.takeFloat()];
    this.takeFloat(); // the largest speed component: nothing here needs it
    this.fields = this.takeUint();
    this.scene = checkScene({ ...(text.value as Partial<Scene>), mode: "film", frames: this.length, complete: true, fields: this.fields });
  }

  /** Frames read so far. */
  get read(): number {
    return this.stored.length;
  }

  /** Reads the next frame; false when all are read. Throws when the film is cut short. */
  readNext(): boolean {
    if (this.stored.length >= this.length) return false;
    const last = this.stored.at(-1);
    const t = this.takeDouble();
    const ledger = Float64Array.from({ length: this.scene.ledger.length }, () => this.takeDouble());
    const positions = this.takePlanes(3 * this.topology.points, last?.positions);
    const fields = new Map<number, Quantised>();
    for (const [bit, width] of FIELD_WIDTHS) {
      if (!(this.fields & bit)) continue;
      const lowest = this.takeFloat();
      const highest = this.takeFloat();
      const values = this.takePlanes(width * this.topology.points, last?.fields.get(bit)?.values);
      fields.set(bit, { lowest, highest, values });
    }
    this.stored.push({ t, ledger, positions, fields });
    return true;
  }

  /** The ledger row of a frame that was read. */
  ledger(index: number): Float64Array {
    return this.stored[index].ledger;
  }

  /** A frame that was read, as floating-point arrays. */
  frame(index: number): Frame {
    const { t, ledger, positions, fields } = this.stored[index];
    const field = (bit: number) => {
      const q = fields.get(bit);
      return q ? dequantise(q.values, [q.lowest], [q.highest]) : null;
    };
    const contact = field(Field.contact);
    const step = this.scene.ledger.indexOf("step");
    const frame: Frame = {
      index,
      t,
      points: this.topology.points,
      fields: this.fields,
      contacts: contact ? countNonZero(contact) : 0,
      slower: 0,
      step: step < 0 ? 0 : ledger[step],
      steps: 0,
      rejected: 0,
      newton: 0,
      paused: false,
      failed: false,
      ledger,
      positions: dequantise(positions, this.lower, this.upper),
      velocities: field(Field.velocity),
      stress: field(Field.stress),
      energy: field(Field.energy),
      contact,
      reaction: field(Field.reaction),
      bytes: 0,
    };
    for (const array of [frame.positions, frame.velocities, frame.stress, frame.energy, frame.contact, frame.reaction]) {
      frame.bytes += array?.byteLength ?? 0;
    }
    return frame;
  }

  private takeUint(): number {
    return this.view.getUint32(this.advance(4), true);
  }

  private takeFloat(): number {
    return this.view.getFloat32(this.advance(4), true);
  }

  private takeDouble(): number {
    return this.view.getFloat64(this.advance(8), true);
  }

  /** All low bytes, all high bytes, then padding; added to the frame before, modulo 2¹⁶. */
  private takePlanes(count: number, before: Uint16Array | undefined): Uint16Array {
    const start = this.advance(2 * count);
    const low = new Uint8Array(this.bytes, start, count);
    const high = new Uint8Array(this.bytes, start + count, count);
    this.at = padded(this.at);
    const values = new Uint16Array(count);
    if (before) for (let i = 0; i < count; i++) values[i] = before[i] + low[i] + 256 * high[i];
    else for (let i = 0; i < count; i++) values[i] = low[i] + 256 * high[i];
    return values;
  }

  private advance(bytes: number): number {
    const start = this.at;
    if (start + bytes > this.bytes.byteLength) throw new Error(`The film is cut short after ${this.stored.length} frames.`);
    this.at += bytes;
    return start;
  }
}

function padded(at: number): number {
  return (at + 3) & ~3;
}

/** 0 … 65535 → lowest … highest, per component when there are three of each. */
export function dequantise(values: Uint16Array, lowest: readonly number[], highest: readonly number[]): Float32Array {
  const out = new Float32Array(values.length);
  const width = lowest.length;
  for (let c = 0; c < width; c++) {
    const low = lowest[c];
    const unit = (highest[c] - low) / 65535;
    for (let i = c; i < values.length; i += width) out[i] = low + unit * values[i];
  }
  return out;
}

/** Quantised zeros are not exactly zero: a thousandth of the largest force counts as none. */
function countNonZero(vectors: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < vectors.length; i++) largest = Math.max(largest, Math.abs(vectors[i]));
  let count = 0;
  for (let i = 0; i < vectors.length; i += 3) {
    const size = Math.max(Math.abs(vectors[i]), Math.abs(vectors[i + 1]), Math.abs(vectors[i + 2]));
    if (size > 1e-3 * largest) count++;
  }
  return count;
}

/** Base64 of gzip → the bytes of a film. Throws in browsers that cannot unpack. */
export async function unpackFilm(base64: string): Promise<ArrayBuffer> {
  if (typeof DecompressionStream === "undefined") {
    throw new Error("This browser cannot unpack the film. Use a current Firefox, Chrome, Edge or Safari.");
  }
  const packed = Uint8Array.from(atob(base64.trim()), (c) => c.charCodeAt(0));
  const stream = new Blob([packed]).stream().pipeThrough(new DecompressionStream("gzip"));
  return new Response(stream).arrayBuffer();
}
