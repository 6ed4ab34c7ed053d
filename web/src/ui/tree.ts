// The scene tree: bodies with colour, name, size and an eye; half-spaces and constraints below.

import type { Body, Range, Scene } from "../protocol/scene.ts";
import { iconButton, setIcon } from "./controls.ts";
import { el } from "./dom.ts";
import { grouped } from "./format.ts";

export interface TreeActions {
  focus(body: number): void;
  setHidden(body: number, hidden: boolean): void;
  isHidden(body: number): boolean;
  /** Marks a body while the pointer is on its line. */
}

const KINDS = { solid: "", affine: "stiff", obstacle: "obstacle", points: "mass points" } as const;

/** Lines of the tree, made anew for each scene. */
export function sceneTree(scene: Scene, colours: readonly string[], actions: TreeActions): HTMLElement {
  const list = el("div", { class: "tree", role: "list" });
  scene.bodies.forEach((_, b) => list.append(bodyLine(scene, b, colours[b], actions)));
  for (const plane of scene.planes) list.append(plainLine(plane.name, "half-space", "plane-swatch"));
  for (const constraint of scene.constraints) {
    const count = constraint.points.length;
    list.append(
      plainLine(constraint.name, count ? `${grouped(count)} ${count === 1 ? "point" : "points"}` : "constraint", "constraint-swatch"),
    );
  }
  return list;
}

function bodyLine(scene: Scene, b: number, colour: string, actions: TreeActions): HTMLElement {
  const body = scene.bodies[b];
  const eye = iconButton("eye", "Show or hide", "", () => show(!actions.isHidden(b)));
  const line = el("div", { class: "tree-line", role: "listitem" });
  const show = (hidden: boolean) => {
    actions.setHidden(b, hidden);
    setIcon(eye, hidden ? "eyeOff" : "eye");
    line.classList.toggle("hidden-body", hidden);
  };
  const size = bodySize(body);
  const swatch = el("span", { class: "swatch" });
  swatch.style.background = colour;
  const name = el(
    "button",
    { class: "tree-name", type: "button", tip: `${size}. Click to look at it.`, onclick: () => actions.focus(b) },
    swatch,
    el("span", { class: "ellipsis" }, body.name),
    el("small", {}, KINDS[body.kind] ?? ""),
  );
  show(actions.isHidden(b));
  line.append(name, eye);
  return line;
}

/** How much of what a body has: triangles only where they are not the skin of tetrahedra. */
export function bodySize(body: Body): string {
  const count = ([first, end]: Range, word: string) => (end > first ? [`${grouped(end - first)} ${word}`] : []);
  const inner = body.tets[1] > body.tets[0] ? count(body.tets, "tetrahedra") : count(body.triangles, "triangles");
  return [...count(body.points, "points"), ...inner, ...count(body.edges, "edges")].join(", ");
}

function plainLine(name: string, note: string, swatch: string): HTMLElement {
  return el(
    "div",
    { class: "tree-line plain", role: "listitem" },
    el("span", { class: `swatch ${swatch}` }),
    el("span", { class: "ellipsis" }, name),
    el("small", {}, note),
  );
}
