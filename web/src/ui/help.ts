// The help panel: what keys and the mouse do.

import { iconButton } from "./controls.ts";
import { el } from "./dom.ts";

type Entry = readonly [keys: string, what: string];

const FILM: readonly Entry[] = [
  ["Space", "Play or pause"],
  ["←  →", "Frame before, next frame"],
  ["Home  End", "First, last frame"],
  ["[  ]", "Slower, faster"],
  ["O", "Loop"],
];

const LIVE: readonly Entry[] = [
  ["Space", "Pause or go on"],
  ["→", "One frame on"],
  ["R", "Start again"],
  ["Drag a body", "Pull it"],
  ["Double click  P", "Pin a point, or let it go"],
];

const VIEW: readonly Entry[] = [
  ["F", "Fit to view"],
  ["1  …  6", "Colour by"],
  ["W", "Wireframe"],
  ["N", "Nodes"],
  ["C", "Constraints"],
  ["K", "Contact forces"],
  ["V", "Velocities"],
  ["G", "Ground"],
  ["X", "Cut open"],
  ["L", "Energies over time"],
  ["B", "Panels"],
  ["T", "Dark or light"],
  ["?", "This help"],
];

const FILM_MOUSE: readonly Entry[] = [
  ["Drag", "Turn"],
  ["Right drag", "Move sideways"],
  ["Wheel", "Nearer, farther"],
];

const LIVE_MOUSE: readonly Entry[] = [
  ["Drag background", "Turn; also with the right button"],
  ["Shift drag", "Move sideways"],
  ["Wheel", "Nearer, farther"],
];

export class Help {
  readonly node = el("dialog", { class: "help glass", "aria-label": "Help" });

  constructor() {
    // A click on the backdrop lands on the dialog itself.
    this.node.addEventListener("click", (event) => {
      if (event.target === this.node) this.node.close();
    });
  }

  toggle(live: boolean): void {
    if (this.node.open) return this.node.close();
    const parts = [
      table(live ? "Live run" : "Film", live ? LIVE : FILM),
      table("Mouse", live ? LIVE_MOUSE : FILM_MOUSE),
      table("View", VIEW),
    ];
    const close = iconButton("close", "Close", "Esc", () => this.node.close());
    this.node.replaceChildren(
      el("header", {}, el("h2", {}, "Keys and mouse"), close),
      el("div", { class: "help-body" }, el("div", {}, parts[0], parts[1]), parts[2]),
    );
    this.node.showModal();
  }
}

function table(title: string, entries: readonly Entry[]): HTMLElement {
  const rows = entries.map(([keys, what]) => el("div", {}, el("dt", {}, ...keyCaps(keys)), el("dd", {}, what)));
  return el("section", {}, el("h3", {}, title), el("dl", {}, ...rows));
}

/** Keys are told apart by two spaces; words with one space between share a cap. */
function keyCaps(keys: string): HTMLElement[] {
  return keys.split("  ").map((part) => (part === "…" ? el("span", {}, "…") : el("kbd", {}, part)));
}
