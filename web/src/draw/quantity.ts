// What bodies can be coloured by: where the numbers come from, their unit and their colour map.

import type { Frame } from "../protocol/frame.ts";
import { Field, type Topology } from "../protocol/scene.ts";
import type { MapName } from "./colourmap.ts";

export type ColourName = "body" | "speed" | "displacement" | "stress" | "energy" | "contact";

export interface Quantity {
  label: string;
  /** In the legend. */
  title: string;
  unit: string;
  /** The field a frame must carry; 0 for none. */
  field: number;
  map: MapName;
}

export const QUANTITIES: Record<ColourName, Quantity> = {
  body: { label: "Body", title: "Body", unit: "", field: 0, map: "viridis" },
  speed: { label: "Speed", title: "Speed", unit: "m/s", field: Field.velocity, map: "viridis" },
  displacement: { label: "Displacement", title: "Displacement from rest", unit: "m", field: 0, map: "viridis" },
  stress: { label: "Stress", title: "Von Mises stress", unit: "Pa", field: Field.stress, map: "plasma" },
  energy: { label: "Strain energy", title: "Strain-energy density", unit: "J/m³", field: Field.energy, map: "plasma" },
  contact: { label: "Contact force", title: "Contact force per point", unit: "N", field: Field.contact, map: "inferno" },
};

export const COLOUR_NAMES = Object.keys(QUANTITIES) as ColourName[];

/** Writes the quantity at every point into `out`; false when the frame lacks its field. */
export function quantityValues(name: ColourName, frame: Frame, topology: Topology, out: Float32Array): boolean {
  switch (name) {
    case "body":
      return false;
    case "speed":
      return sizes(frame.velocities, null, out);
    case "displacement":
      return sizes(frame.positions, topology.rest, out);
    case "contact":
      return sizes(frame.contact, null, out);
    case "stress":
      return copy(frame.stress, out);
    case "energy":
      return copy(frame.energy, out);
  }
}

function copy(from: Float32Array | null, out: Float32Array): boolean {
  if (!from) return false;
  out.set(from);
  return true;
}

/** Lengths of the vectors, less those of `origin` where there is one. */
function sizes(vectors: Float32Array | null, origin: Float32Array | null, out: Float32Array): boolean {
  if (!vectors) return false;
  for (let p = 0, i = 0; p < out.length; p++, i += 3) {
    let x = vectors[i];
    let y = vectors[i + 1];
    let z = vectors[i + 2];
    if (origin) {
      x -= origin[i];
      y -= origin[i + 1];
      z -= origin[i + 2];
    }
    out[p] = Math.sqrt(x * x + y * y + z * z);
  }
  return true;
}

const BINS = 512;
const counts = new Uint32Array(BINS);

/** The value that all but a few thousandths of the points stay below: single spikes do not wash out the rest. */
export function robustMaximum(values: Float32Array): number {
  let largest = 0;
  for (let i = 0; i < values.length; i++) if (values[i] > largest && values[i] < Infinity) largest = values[i];
  if (largest === 0) return 0;
  counts.fill(0);
  const scale = (BINS - 1) / largest;
  let positive = 0;
  for (let i = 0; i < values.length; i++) {
    const v = values[i];
    if (!(v > 0 && v <= largest)) continue;
    counts[(v * scale) | 0]++;
    positive++;
  }
  let above = Math.floor(0.002 * positive);
  let bin = BINS - 1;
  while (bin > 0 && above >= counts[bin]) above -= counts[bin--];
  return (largest * (bin + 1)) / BINS;
}

/** The top of the legend over time: up at once by half, down slowly. */
export class SmoothRange {
  private top = 0;
  /** A range the user keeps; frames do not change it. */
  locked = false;

  get value(): number {
    return this.top;
  }

  set value(top: number) {
    this.top = top;
  }

  /** Takes the top of the next frame. */
  follow(top: number): void {
    if (this.locked) return;
    if (this.top === 0) this.top = top;
    else if (top > this.top) this.top += 0.5 * (top - this.top);
    else this.top = Math.max(top, 0.985 * this.top);
  }

  restart(): void {
    if (!this.locked) this.top = 0;
  }
}
