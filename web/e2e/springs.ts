// A toy for live mode: points joined by springs along the edges of tetrahedra. Not physics, only something that swings.

import type { Mesh } from "./mesh.ts";

const MASS = 0.002;
const FLOOR_STIFFNESS = 400;

export class Springs {
  readonly positions: Float32Array;
  readonly velocities: Float32Array;
  readonly contact: Float32Array;
  readonly pins = new Set<number>();
  grabbed: { point: number; to: [number, number, number] } | null = null;
  gravity = -9.81;
  stiffness = 60;
  damping = 1.5;
  t = 0;
  steps = 0;
  private readonly edges: [number, number, number][];

  constructor(
    private readonly mesh: Mesh,
    private readonly held: readonly number[],
  ) {
    this.positions = mesh.points.slice();
    this.velocities = new Float32Array(mesh.points.length);
    this.contact = new Float32Array(mesh.points.length);
    this.edges = edgesOf(mesh);
  }

  reset(): void {
    this.positions.set(this.mesh.points);
    this.velocities.fill(0);
    this.t = this.steps = 0;
  }

  /** Moves on by `dt` seconds, in small steps. */
  advance(dt: number): void {
    const count = Math.ceil(dt / 0.0005);
    for (let k = 0; k < count; k++) this.step(dt / count);
  }

  private step(h: number): void {
    const { positions: q, velocities: v } = this;
    const force = this.forces();
    const still = new Set([...this.held, ...this.pins]);
    for (let p = 0; p < q.length / 3; p++) {
      for (let c = 0; c < 3; c++) {
        const i = 3 * p + c;
        v[i] = still.has(p) ? 0 : v[i] + (h * force[i]) / MASS;
        q[i] += h * v[i];
      }
    }
    this.t += h;
    this.steps++;
  }

  private forces(): Float64Array {
    const { positions: q, velocities: v } = this;
    const force = new Float64Array(q.length);
    this.contact.fill(0);
    for (let i = 0; i < q.length; i++) force[i] = (i % 3 === 2 ? MASS * this.gravity : 0) - MASS * this.damping * v[i];
    for (const [a, b, rest] of this.edges) {
      const d = [0, 1, 2].map((c) => q[3 * b + c] - q[3 * a + c]);
      const length = Math.hypot(d[0], d[1], d[2]) || 1e-9;
      const rate = [0, 1, 2].reduce((sum, c) => sum + ((v[3 * b + c] - v[3 * a + c]) * d[c]) / length, 0);
      const pull = (this.stiffness * (length - rest) + 0.02 * rate) / length;
      for (let c = 0; c < 3; c++) {
        force[3 * a + c] += pull * d[c];
        force[3 * b + c] -= pull * d[c];
      }
    }
    for (let i = 2; i < q.length; i += 3) if (q[i] < 0) force[i] += this.contact[i] = -FLOOR_STIFFNESS * q[i];
    const { grabbed } = this;
    if (grabbed) for (let c = 0; c < 3; c++) force[3 * grabbed.point + c] += 25 * (grabbed.to[c] - q[3 * grabbed.point + c]);
    return force;
  }
}

function edgesOf({ tets, points }: Mesh): [number, number, number][] {
  const seen = new Map<string, [number, number, number]>();
  for (let t = 0; t < tets.length; t += 4) {
    for (let i = 0; i < 4; i++) {
      for (let j = i + 1; j < 4; j++) {
        const [a, b] = [Math.min(tets[t + i], tets[t + j]), Math.max(tets[t + i], tets[t + j])];
        const length = Math.hypot(...[0, 1, 2].map((c) => points[3 * a + c] - points[3 * b + c]));
        seen.set(`${a},${b}`, [a, b, length]);
      }
    }
  }
  return [...seen.values()];
}
