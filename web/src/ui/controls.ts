// Small controls that the panels are made of: buttons, switches, sections.

import { el } from "./dom.ts";
import { icon, type IconName } from "./icons.ts";

/** A square button with an icon. */
export function iconButton(name: IconName, tip: string, key: string, onclick: () => void): HTMLButtonElement {
  return el("button", { class: "icon-button", type: "button", tip, key, onclick }, icon(name));
}

/** Puts another icon on a button. */
export function setIcon(button: HTMLElement, name: IconName): void {
  if (button.dataset["icon"] === name) return;
  button.dataset["icon"] = name;
  button.querySelector("svg")?.replaceWith(icon(name));
}

/** A pressed look, and the same for screen readers. */
export function setPressed(button: HTMLElement, on: boolean): void {
  button.setAttribute("aria-pressed", String(on));
}

export interface Switch {
  node: HTMLElement;
  set(on: boolean): void;
  enable(on: boolean): void;
}

/** A line with a label and a switch. */
export function makeSwitch(label: string, tip: string, key: string, change: () => void): Switch {
  const knob = el("button", { class: "switch", type: "button", role: "switch", "aria-label": label, onclick: change });
  const node = el("label", { class: "line switch-line", tip, key }, el("span", {}, label), knob);
  return {
    node,
    set: (on) => knob.setAttribute("aria-checked", String(on)),
    enable: (on) => {
      knob.disabled = !on;
      node.classList.toggle("off", !on);
    },
  };
}

/** A part of a panel that folds. */
export function section(title: string, open: boolean, ...children: (Node | null)[]): HTMLDetailsElement {
  const body = el("div", { class: "section-body" }, ...children);
  const node = el("details", { class: "section" }, el("summary", {}, el("span", {}, title)), body);
  node.open = open;
  return node;
}

/** One choice of a few, side by side. */
export function segments<T extends string | number>(
  choices: readonly (readonly [T, string])[],
  label: string,
  choose: (value: T) => void,
): { node: HTMLElement; set(value: T): void } {
  const buttons = choices.map(([value, text]) => el("button", { type: "button", role: "radio", onclick: () => choose(value) }, text));
  const node = el("div", { class: "segments", role: "radiogroup", "aria-label": label }, ...buttons);
  const set = (value: T) => choices.forEach(([v], k) => buttons[k].setAttribute("aria-checked", String(v === value)));
  return { node, set };
}

/** A slider whose filled part is drawn by its style. */
export function slider(
  label: string,
  min: number,
  max: number,
  step: number | "any",
  input: (value: number) => void,
): { node: HTMLInputElement; set(value: number): void } {
  const node = el("input", { type: "range", min, max, step, "aria-label": label });
  const paint = () => node.style.setProperty("--part", `${(100 * (node.valueAsNumber - min)) / (max - min)}%`);
  node.addEventListener("input", () => {
    paint();
    input(node.valueAsNumber);
  });
  const set = (value: number) => {
    node.valueAsNumber = value;
    paint();
  };
  return { node, set };
}
