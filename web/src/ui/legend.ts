// The legend of the colour map: title, unit, gradient, numbers, and a lock for the range.

import { mapGradient } from "../draw/colourmap.ts";
import { QUANTITIES, type ColourName, type SmoothRange } from "../draw/quantity.ts";
import { iconButton, setIcon, setPressed } from "./controls.ts";
import { el, setText } from "./dom.ts";
import { scaleFor, short } from "./format.ts";

export class Legend {
  readonly node: HTMLElement;
  private readonly title = el("span", { class: "legend-title" });
  private readonly unit = el("span", { class: "legend-unit" });
  private readonly bar = el("div", { class: "legend-bar" });
  private readonly marks = [0, 1, 2, 3, 4].map(() => el("span"));
  private readonly lock: HTMLButtonElement;
  private range: SmoothRange | undefined;

  constructor() {
    this.lock = iconButton("unlock", "Keep this range", "", () => this.toggleLock());
    const head = el("div", { class: "legend-head" }, this.title, this.unit, this.lock);
    this.node = el("div", { class: "legend glass", hidden: true }, head, this.bar, el("div", { class: "legend-marks" }, ...this.marks));
  }

  update(name: ColourName, range: SmoothRange, painted: boolean): void {
    this.range = range;
    this.node.hidden = name === "body";
    if (name === "body") return;
    const quantity = QUANTITIES[name];
    const scale = scaleFor(range.value, quantity.unit);
    setText(this.title, quantity.title);
    setText(this.unit, painted ? `[${scale.unit}]` : "waiting for data");
    const gradient = mapGradient(quantity.map);
    if (this.bar.dataset["map"] !== quantity.map) {
      this.bar.dataset["map"] = quantity.map;
      this.bar.style.background = gradient;
    }
    this.marks.forEach((mark, k) => setText(mark, painted ? short((0.25 * k * range.value) / scale.size) : ""));
    setIcon(this.lock, range.locked ? "lock" : "unlock");
    setPressed(this.lock, range.locked);
  }

  private toggleLock(): void {
    if (!this.range) return;
    this.range.locked = !this.range.locked;
    setIcon(this.lock, this.range.locked ? "lock" : "unlock");
    setPressed(this.lock, this.range.locked);
  }
}
