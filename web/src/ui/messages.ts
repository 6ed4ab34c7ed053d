// What the page says by itself: short notices, and a banner while the connection is lost.

import type { Notice } from "../protocol/scene.ts";
import { iconButton } from "./controls.ts";
import { el } from "./dom.ts";
import { icon } from "./icons.ts";

const MOST = 4;
/** How long a notice stays [ms]. */
const STAY = { info: 5000, warning: 9000, error: 20000 } as const;

export class Toasts {
  readonly node = el("div", { class: "toasts", role: "status", "aria-live": "polite" });

  /** The same notice again is counted, not stacked. */
  add({ level, text }: Notice): void {
    const known = [...this.node.children].find((t) => (t as HTMLElement).dataset["text"] === text) as HTMLElement | undefined;
    const times = Number(known?.dataset["times"] ?? 0) + 1;
    known?.remove();
    const toast = el(
      "div",
      { class: `toast glass ${level}` },
      icon(level === "info" ? "info" : "warning"),
      el("span", {}, times > 1 ? `${text} (${times}×)` : text),
    );
    toast.append(iconButton("close", "Close", "", () => toast.remove()));
    toast.dataset["text"] = text;
    toast.dataset["times"] = String(times);
    this.node.append(toast);
    while (this.node.children.length > MOST) this.node.firstElementChild?.remove();
    window.setTimeout(() => toast.remove(), STAY[level] ?? STAY.info);
  }
}

export class Banner {
  readonly node: HTMLElement;

  constructor(retry: () => void) {
    const again = el("button", { class: "text-button", type: "button", onclick: retry }, "Try now");
    this.node = el(
      "div",
      { class: "banner glass", role: "alert", hidden: true },
      el("span", { class: "spinner" }),
      el("span", {}, "Connection lost. Trying again …"),
      again,
    );
  }

  show(on: boolean): void {
    this.node.hidden = !on;
  }
}

/** Instead of everything, when there is nothing to show. */
export function emptyScreen(title: string, text: string): HTMLElement {
  return el("div", { class: "empty" }, el("h1", {}, title), el("p", {}, text));
}
