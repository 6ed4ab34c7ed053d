// Numbers about the scene and the steps, as a small table.

import type { Frame } from "../protocol/frame.ts";
import type { Scene } from "../protocol/scene.ts";
import { el, setText } from "./dom.ts";
import { grouped, withUnit } from "./format.ts";

type Row = "points" | "tets" | "triangles" | "edges" | "fps" | "step" | "steps" | "rejected" | "newton" | "contacts";

const LABELS: Record<Row, [label: string, tip: string]> = {
  points: ["Points", "Points of all bodies"],
  tets: ["Tetrahedra", "Elements of all bodies"],
  triangles: ["Triangles", "Triangles of all surfaces"],
  edges: ["Edges", "Segments of all ropes"],
  fps: ["Frames shown", "Frames shown in the last second"],
  step: ["Step size", "Length of the last time step"],
  steps: ["Steps", "Time steps taken"],
  rejected: ["Rejected", "Steps taken again with half the length, or with a smaller one"],
  newton: ["Newton iterations", "Of all implicit steps"],
  contacts: ["In contact", "Points with a contact force"],
};

export class Stats {
  readonly node = el("dl", { class: "stats" });
  private readonly values = {} as Record<Row, HTMLElement>;
  private readonly lines = {} as Record<Row, HTMLElement>;

  constructor() {
    for (const row of Object.keys(LABELS) as Row[]) {
      const [label, tip] = LABELS[row];
      this.values[row] = el("dd");
      this.lines[row] = el("div", { tip }, el("dt", {}, label), this.values[row]);
      this.node.append(this.lines[row]);
    }
  }

  setScene(scene: Scene): void {
    setText(this.values.points, grouped(scene.points));
    for (const row of ["tets", "triangles", "edges"] as const) this.put(row, scene[row], grouped);
  }

  /** Rows without a number (films do not know them all) are left out. */
  update(frame: Frame | undefined, fps: number): void {
    setText(this.values.fps, fps > 0 ? `${fps.toFixed(0)} /s` : "–");
    this.put("step", frame?.step ?? 0, (x) => withUnit(x, "s"));
    this.put("steps", frame?.steps ?? 0, grouped);
    this.put("rejected", frame?.rejected ?? 0, grouped, (frame?.steps ?? 0) > 0);
    this.put("newton", frame?.newton ?? 0, grouped);
    this.put("contacts", frame?.contacts ?? 0, grouped);
  }

  private put(row: Row, value: number, format: (x: number) => string, evenZero = false): void {
    this.lines[row].hidden = !(value > 0) && !evenZero;
    setText(this.values[row], format(value));
  }
}
