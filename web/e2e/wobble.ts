// The mock's film: jelly blocks, a rope and a cloth that sway, with made-up fields and a ledger that swings with them.

import type { FrameData } from "./encode.ts";
import { boxMesh, clothMesh, ropeMesh, type Mesh } from "./mesh.ts";

export const INTERVAL = 1 / 30;
export const LEDGER = [
  "t",
  "kinetic",
  "elastic_bulk",
  "elastic_shear",
  "gravity",
  "springs",
  "contact",
  "viscous_loss",
  "friction_loss",
  "numerical_loss",
  "drag_work",
  "load_work",
  "total",
  "residual",
  "step",
];

interface Part {
  name: string;
  mesh: Mesh;
  phase: number;
  radius?: number;
}

const PARTS: Part[] = [
  { name: "large", mesh: boxMesh([6, 6, 8], [0.12, 0.12, 0.16], [0, 0, 0]), phase: 0 },
  { name: "small", mesh: boxMesh([4, 4, 4], [0.07, 0.07, 0.07], [0.15, 0.02, 0]), phase: 1.3 },
  { name: "rope", mesh: ropeMesh(20, [0.11, -0.07, 0.005], [0.2, -0.07, 0.16]), phase: 0.6, radius: 0.004 },
  { name: "cloth", mesh: clothMesh(12, 0.12, [-0.16, 0.02, 0.02]), phase: 2, radius: 0.001 },
];

interface Body {
  name: string;
  kind: string;
  radius: number;
  points: [number, number];
  tets: [number, number];
  triangles: [number, number];
  edges: [number, number];
}

function joined(): { rest: Float32Array; tets: number[]; triangles: number[]; edges: number[]; bodies: Body[] } {
  const [rest, tets, triangles, edges]: number[][] = [[], [], [], []];
  const bodies: Body[] = [];
  for (const { name, mesh, radius } of PARTS) {
    const before = [rest.length / 3, tets.length / 4, triangles.length / 3, edges.length / 2];
    const p = before[0];
    rest.push(...mesh.points);
    tets.push(...mesh.tets.map((x) => x + p));
    triangles.push(...mesh.triangles.map((x) => x + p));
    edges.push(...mesh.edges.map((x) => x + p));
    bodies.push({
      name,
      kind: radius ? "points" : "solid",
      radius: radius ?? 0,
      points: [p, rest.length / 3],
      tets: [before[1], tets.length / 4],
      triangles: [before[2], triangles.length / 3],
      edges: [before[3], edges.length / 2],
    });
  }
  return { rest: Float32Array.from(rest), tets, triangles, edges, bodies };
}

export const WOBBLE = joined();

export function wobbleScene(frames: number, complete: boolean): object {
  return {
    version: 1,
    mode: "film",
    title: "Wobbling blocks",
    points: WOBBLE.rest.length / 3,
    tets: WOBBLE.tets.length / 4,
    triangles: WOBBLE.triangles.length / 3,
    edges: WOBBLE.edges.length / 2,
    bodies: WOBBLE.bodies,
    planes: [{ name: "floor", point: [0, 0, 0], normal: [0, 0, 1] }],
    constraints: [{ name: "plate", points: [0, 6, 42, 48] }],
    frames,
    complete,
    frame_interval: INTERVAL,
    duration: frames * INTERVAL,
    ledger: LEDGER,
    fields: 31,
    parameters: [],
  };
}

/** A frame of the film. Bodies lean and stretch more the higher up. */
export function wobbleFrame(index: number, wanted: number): FrameData {
  const t = index * INTERVAL;
  const { rest } = WOBBLE;
  const positions = rest.slice();
  const [velocities, contact, reaction] = [0, 1, 2].map(() => new Float32Array(rest.length));
  const [stress, energy] = [0, 1].map(() => new Float32Array(rest.length / 3));
  let first = 0;
  for (const { mesh, phase } of PARTS) {
    const fade = Math.exp(-0.25 * t);
    const lean = 0.9 * fade * Math.sin(7 * t + phase);
    const rate = 0.9 * 7 * fade * Math.cos(7 * t + phase);
    for (let p = first; p < first + mesh.points.length / 3; p++) {
      const z = rest[3 * p + 2];
      positions[3 * p] += 4 * lean * z * z;
      positions[3 * p + 2] -= 3 * lean * lean * z * z;
      velocities[3 * p] = 4 * rate * z * z;
      stress[p] = 9e4 * Math.abs(lean) * (0.18 - z) * (1 + Math.abs(rest[3 * p]) / 0.06);
      energy[p] = stress[p] ** 2 / 6e4;
      if (z === 0) contact[3 * p + 2] = 0.02 + 0.05 * Math.max(0, lean * Math.sign(rest[3 * p] - 0.001));
    }
    first += mesh.points.length / 3;
  }
  const all = new Map([
    [1, velocities],
    [2, stress],
    [4, energy],
    [8, contact],
    [16, reaction],
  ]);
  const fields = new Map([...all].filter(([bit]) => wanted & bit));
  return { index, t, ledger: ledger(t), positions, fields, contacts: 74, step: 1e-3 };
}

function ledger(t: number): number[] {
  const amplitude = Math.exp(-0.5 * t);
  const kinetic = 0.02 * amplitude * Math.cos(7 * t) ** 2;
  const shear = 0.02 * amplitude * Math.sin(7 * t) ** 2;
  return [t, kinetic, 0.1 * shear, 0.9 * shear, -1, 0, 0, 0.02 * (1 - amplitude), 0, 0, 0, 0, -0.98, 1e-9, 1e-3];
}
