// Sliders for the numbers of a live scene: linear or logarithmic, with an entry field and a way back.

import type { Parameter } from "../protocol/scene.ts";
import { iconButton, slider } from "./controls.ts";
import { el, setText } from "./dom.ts";
import { scaleFor, type Scale } from "./format.ts";

/** Steps of a slider. */
const FINE = 1000;

/** 0 … 1 → value, on the parameter's scale. */
export function valueAt(parameter: Parameter, place: number): number {
  const { min, max } = parameter;
  if (isLog(parameter)) return min * (max / min) ** place;
  return min + place * (max - min);
}

/** value → 0 … 1, clamped. */
export function placeOf(parameter: Parameter, value: number): number {
  const { min, max } = parameter;
  const place = isLog(parameter) ? Math.log(value / min) / Math.log(max / min) : (value - min) / (max - min);
  return Math.min(1, Math.max(0, place || 0));
}

/** Logarithms need ends of the same sign. */
function isLog(parameter: Parameter): boolean {
  return parameter.scale === "log" && parameter.min * parameter.max > 0;
}

/** Four digits, as one would type them. */
export function typed(value: number): string {
  const text = Number(value.toPrecision(4));
  return Math.abs(text) >= 1e6 || (text !== 0 && Math.abs(text) < 1e-4) ? text.toExponential() : String(text);
}

/** Units that take a prefix: 20 kPa is easier to read than 20000 Pa. */
const PREFIXABLE = /^(Pa|Pa·s|s|m|N|J|N\/m)$/;

/** Groups are open until so many parameters are shown. */
const OPEN = 8;

/** The unit to show a value in. */
export function unitFor(parameter: Parameter, value: number): Scale {
  const { unit } = parameter;
  return PREFIXABLE.test(unit) && value !== 0 ? scaleFor(Math.abs(value), unit) : { size: 1, unit };
}

export class Parameters {
  readonly node = el("div", { class: "parameters" });
  /** Values before any change, by key: reset goes back to them. */
  private readonly originals = new Map<string, number>();
  private readonly pending = new Map<string, number>();
  /** Shows a value that came from the server, by key. */
  private readonly showValue = new Map<string, (value: number) => void>();
  private list = "";

  constructor(private readonly set: (key: string, value: number) => void) {}

  /** The same list again only brings new values, so that a slider stays in the user's hand. */
  setScene(parameters: readonly Parameter[]): void {
    const list = JSON.stringify(parameters.map((p) => ({ ...p, value: 0 })));
    if (list === this.list) return parameters.forEach((p) => this.showValue.get(p.key)?.(p.value));
    this.list = list;
    this.build(parameters);
  }

  /** Sends at most one value per key; call once per drawing. */
  flush(): void {
    for (const [key, value] of this.pending) this.set(key, value);
    this.pending.clear();
  }

  private build(parameters: readonly Parameter[]): void {
    const groups = new Map<string, HTMLElement>();
    this.node.replaceChildren();
    this.showValue.clear();
    let shown = 0;
    for (const parameter of parameters) {
      if (!this.originals.has(parameter.key)) this.originals.set(parameter.key, parameter.value);
      let group = groups.get(parameter.group);
      if (!group) {
        const title = parameter.group || "Parameters";
        const details = el("details", { class: "parameter-group" }, el("summary", {}, title), (group = el("div")));
        shown += parameters.filter((p) => p.group === parameter.group).length;
        details.open = groups.size === 0 || shown <= OPEN;
        groups.set(parameter.group, group);
        this.node.append(details);
      }
      group.append(this.line(parameter));
    }
  }

  private line(parameter: Parameter): HTMLElement {
    const { key } = parameter;
    const original = this.originals.get(key) ?? parameter.value;
    const entry = el("input", { class: "number", type: "text", inputmode: "decimal", "aria-label": parameter.label, spellcheck: "false" });
    const unit = el("small", { class: "unit" });
    const home = unitFor(parameter, original);
    const reset = iconButton("undo", `Back to ${typed(original / home.size)} ${home.unit}`, "", () => change(original, true));
    const range = slider(parameter.label, 0, FINE, 1, (place) => change(valueAt(parameter, place / FINE), false));
    range.node.dataset["parameter"] = key;
    let scale = home;
    const show = (value: number, moveSlider: boolean) => {
      scale = unitFor(parameter, value);
      entry.value = typed(value / scale.size);
      setText(unit, scale.unit);
      if (moveSlider) range.set(FINE * placeOf(parameter, value));
      reset.classList.toggle("invisible", Math.abs(value - original) <= 1e-9 * Math.abs(original));
    };
    let now = parameter.value;
    const change = (value: number, moveSlider: boolean) => {
      now = value;
      show(value, moveSlider);
      this.pending.set(key, value);
    };
    entry.addEventListener("change", () => {
      const value = scale.size * Number(entry.value.trim().replace(",", ".").replace("−", "-"));
      if (entry.value.trim() === "" || !Number.isFinite(value)) show(now, false);
      else change(Math.min(parameter.max, Math.max(parameter.min, value)), true);
    });
    show(parameter.value, true);
    this.showValue.set(key, (value) => {
      now = value;
      const held = document.activeElement === entry || range.node.matches(":active");
      if (!held) show(value, true);
    });
    const head = el("div", { class: "line" }, el("span", { class: "parameter-label ellipsis", tip: key }, parameter.label), entry, unit);
    return el("div", { class: "parameter" }, head, el("div", { class: "line" }, range.node, reset));
  }
}
