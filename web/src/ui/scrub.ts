// The scrub bar: where the film is, which frames are here, and a label under the pointer.

import { el, setText } from "./dom.ts";
import { seconds } from "./format.ts";

/** Pieces of the bar that can be filled apart. */
const PIECES = 200;

export interface ScrubState {
  index: number;
  frames: number;
  interval: number;
  complete: boolean;
}

export class Scrub {
  readonly node: HTMLElement;
  private readonly fill = el("div", { class: "scrub-fill" });
  private readonly thumb = el("div", { class: "scrub-thumb" });
  private readonly label = el("div", { class: "scrub-label glass", hidden: true });
  private readonly loaded = el("canvas", { class: "scrub-loaded", width: PIECES, height: 1 });
  private state: ScrubState = { index: 0, frames: 0, interval: 1, complete: true };
  private loadedCount = -1;

  constructor(private readonly seek: (index: number) => void) {
    const track = el("div", { class: "scrub-track" }, this.loaded, this.fill);
    this.node = el("div", { class: "scrub", role: "slider", tabindex: 0, "aria-label": "Frame" }, track, this.thumb, this.label);
    this.node.addEventListener("pointerdown", (event) => {
      this.node.setPointerCapture(event.pointerId);
      this.node.classList.add("dragging");
      this.seek(this.frameAt(event));
    });
    this.node.addEventListener("pointermove", (event) => {
      if (this.node.hasPointerCapture(event.pointerId)) this.seek(this.frameAt(event));
      this.point(event);
    });
    const end = () => this.node.classList.remove("dragging");
    this.node.addEventListener("pointerup", end);
    this.node.addEventListener("pointercancel", end);
    this.node.addEventListener("pointerleave", () => (this.label.hidden = true));
  }

  update(state: ScrubState): void {
    this.state = state;
    const part = state.frames > 1 ? state.index / (state.frames - 1) : 0;
    this.node.style.setProperty("--part", String(part));
    this.node.setAttribute("aria-valuemin", "0");
    this.node.setAttribute("aria-valuemax", String(Math.max(0, state.frames - 1)));
    this.node.setAttribute("aria-valuenow", String(state.index));
    this.node.setAttribute("aria-valuetext", `${seconds(state.index * state.interval, state.interval)} s`);
    this.node.classList.toggle("growing", !state.complete);
  }

  /** Draws which frames are here; `count` says whether anything changed. */
  paintLoaded(has: (index: number) => boolean, count: number): void {
    if (count === this.loadedCount) return;
    this.loadedCount = count;
    const context = this.loaded.getContext("2d");
    if (!context) return;
    context.clearRect(0, 0, PIECES, 1);
    const { frames } = this.state;
    for (let k = 0; k < PIECES && frames > 0; k++) {
      if (has(Math.min(frames - 1, Math.floor(((k + 0.5) / PIECES) * frames)))) context.fillRect(k, 0, 1, 1);
    }
  }

  private frameAt(event: PointerEvent): number {
    const { left, width } = this.node.getBoundingClientRect();
    const part = Math.min(1, Math.max(0, (event.clientX - left) / Math.max(width, 1)));
    return Math.round(part * Math.max(0, this.state.frames - 1));
  }

  private point(event: PointerEvent): void {
    const index = this.frameAt(event);
    const { frames, interval } = this.state;
    this.label.hidden = frames === 0;
    setText(this.label, `${seconds(index * interval, interval)} s · ${index}`);
    this.label.style.left = `${(100 * index) / Math.max(1, frames - 1)}%`;
  }
}
