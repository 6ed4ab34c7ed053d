// The ledger: energies over time, lines switched by their names, values under the pointer, click to go there.

import { curvesOf, curveValue, type Curve, type LedgerRows } from "../play/ledger.ts";
import { el, setText } from "./dom.ts";
import { withUnit } from "./format.ts";
import { drawPlot, nearestRow, PLOT_MARGIN, type PlotColours } from "./plot.ts";

export class LedgerPanel {
  readonly node: HTMLElement;
  private readonly canvas = el("canvas", { class: "plot" });
  private readonly names = el("div", { class: "plot-names" });
  private readonly hoverTime = el("span", { class: "plot-time" });
  private curves: Curve[] = [];
  private readonly off = new Set<string>();
  private readonly on = new Set<string>();
  private readonly values = new Map<string, HTMLElement>();
  private readonly buttons = new Map<string, HTMLElement>();
  private hover: number | null = null;
  private span = { start: 0, end: 1 };
  private drawn = "";
  private colours: PlotColours | undefined;

  /** `seek`: go to a time [s]. */
  constructor(
    private readonly ledger: LedgerRows,
    private readonly seek: (t: number) => void,
  ) {
    this.node = el(
      "section",
      { class: "ledger", "aria-label": "Energies over time" },
      el("div", { class: "plot-box" }, this.canvas),
      el("div", { class: "plot-side" }, this.hoverTime, this.names),
    );
    this.canvas.addEventListener("pointermove", (event) => {
      this.hover = this.timeAt(event);
      if (event.buttons === 1) this.seek(this.hover);
    });
    this.canvas.addEventListener("pointerdown", (event) => {
      this.canvas.setPointerCapture(event.pointerId);
      this.seek(this.timeAt(event));
    });
    this.canvas.addEventListener("pointerleave", () => (this.hover = null));
  }

  setScene(names: readonly string[]): void {
    this.curves = curvesOf(names);
    this.values.clear();
    this.buttons.clear();
    this.names.replaceChildren(...this.curves.map((curve) => this.nameOf(curve)));
    this.drawn = "";
  }

  /** The theme changed: read colours anew. */
  dress(): void {
    this.colours = undefined;
    this.drawn = "";
  }

  /** Draws when something changed. `end`: last time of the film, or undefined for live runs [s]. */
  update(now: number, end: number | undefined): void {
    const { rows } = this.ledger;
    const start = rows[0]?.[0] ?? 0;
    const last = rows.at(-1)?.[0] ?? start;
    this.span = { start: end === undefined ? start : Math.min(start, 0), end: Math.max(end ?? last, start + 1e-3) };
    const { width, height } = this.canvas.getBoundingClientRect();
    const ratio = Math.min(window.devicePixelRatio, 2);
    const state = [this.ledger.version, now, this.hover, width, height, ratio, [...this.off], [...this.on], this.span.end].join();
    if (state === this.drawn || width < 1) return;
    this.drawn = state;
    this.draw(width, height, ratio, now);
    this.writeValues(this.hover ?? now);
  }

  private draw(width: number, height: number, ratio: number, now: number): void {
    const [w, h] = [Math.round(width * ratio), Math.round(height * ratio)];
    if (this.canvas.width !== w) this.canvas.width = w;
    if (this.canvas.height !== h) this.canvas.height = h;
    const context = this.canvas.getContext("2d");
    if (!context) return;
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    this.colours ??= readColours(this.node);
    const input = { rows: this.ledger.rows, curves: this.shown(), gravity: this.gravity(), ...this.span, now, hover: this.hover };
    drawPlot(context, width, height, input, this.colours);
  }

  /** Curves that stay at zero are left out, unless the user switched them on. */
  private shown(): Curve[] {
    const { rows } = this.ledger;
    const curves = this.curves.filter((curve) => {
      const quiet = !rows.some((row) => row[curve.column] !== 0);
      this.buttons.get(curve.key)?.classList.toggle("quiet", quiet);
      const usual = curve.usual && !quiet;
      return usual ? !this.off.has(curve.key) : this.on.has(curve.key);
    });
    for (const [key, button] of this.buttons) button.setAttribute("aria-pressed", String(curves.some((c) => c.key === key)));
    return curves;
  }

  private gravity(): number {
    return this.curves.find((c) => c.key === "gravity")?.column ?? -1;
  }

  private writeValues(t: number): void {
    const { rows } = this.ledger;
    const row = rows[nearestRow(rows, t)];
    setText(this.hoverTime, row ? `Energy at ${row[0].toFixed(3)} s` : "Energy");
    for (const curve of this.curves) {
      const node = this.values.get(curve.key);
      if (node) setText(node, row ? withUnit(curveValue(curve, row, rows[0], this.gravity()), "J") : "–");
    }
  }

  private nameOf(curve: Curve): HTMLElement {
    const value = el("span", { class: "plot-value" });
    const dot = el("span", { class: "plot-dot" });
    dot.style.setProperty("--dot", curve.colour || "var(--text)");
    const toggle = () => {
      const pressed = button.getAttribute("aria-pressed") === "true";
      (pressed ? this.off : this.on).add(curve.key);
      (pressed ? this.on : this.off).delete(curve.key);
    };
    const button = el(
      "button",
      { class: "plot-name", type: "button", onclick: toggle },
      dot,
      el("span", { class: "ellipsis" }, curve.label),
      value,
    );
    this.values.set(curve.key, value);
    this.buttons.set(curve.key, button);
    return button;
  }

  private timeAt(event: PointerEvent): number {
    const { left, width } = this.canvas.getBoundingClientRect();
    const part = (event.clientX - left - PLOT_MARGIN.left) / (width - PLOT_MARGIN.left - PLOT_MARGIN.right);
    return this.span.start + Math.min(1, Math.max(0, part)) * (this.span.end - this.span.start);
  }
}

function readColours(node: HTMLElement): PlotColours {
  const style = getComputedStyle(node);
  const read = (name: string) => style.getPropertyValue(name).trim();
  return { text: read("--dim"), grid: read("--line"), cursor: read("--accent"), total: read("--text"), panel: read("--solid") };
}
