// Numbers for people: SI prefixes, short digits, thin spaces.

const PREFIXES: readonly (readonly [number, string])[] = [
  [1e9, "G"],
  [1e6, "M"],
  [1e3, "k"],
  [1, ""],
  [1e-3, "m"],
  [1e-6, "µ"],
  [1e-9, "n"],
];

export interface Scale {
  size: number;
  /** With its prefix. */
  unit: string;
}

/** The prefix that keeps numbers up to `largest` short. Units of volumes and the like keep their own. */
export function scaleFor(largest: number, unit: string): Scale {
  const [size, prefix] = PREFIXES.find(([s]) => largest >= s) ?? (largest > 0 ? [1e-9, "n"] : [1, ""]);
  return { size, unit: `${prefix}${unit}` };
}

/** Three significant digits, no exponent between 0.001 and 100 000. */
export function short(value: number, digits = 3): string {
  if (!Number.isFinite(value)) return "–";
  const size = Math.abs(value);
  if (size === 0) return "0";
  if (size < 1e-3 || size >= 1e5)
    return value
      .toExponential(Math.max(0, digits - 2))
      .replace("e+", "e")
      .replace("-", "−");
  const places = Math.max(0, digits - 1 - Math.floor(Math.log10(size)));
  return trim(value.toFixed(places));
}

/** A value with its unit and the fitting prefix: 12.3 kPa. */
export function withUnit(value: number, unit: string): string {
  if (!Number.isFinite(value)) return "–";
  const scale = scaleFor(Math.abs(value), unit);
  return `${short(value / scale.size)} ${scale.unit}`;
}

/** 12 345 */
export function grouped(value: number): string {
  return Math.round(value)
    .toString()
    .replace(/\B(?=(\d{3})+$)/g, " ");
}

/** Time with a fixed number of digits, so that it does not jump while it runs. */
export function seconds(t: number, interval = 0.01): string {
  const places = Math.min(6, Math.max(2, Math.ceil(-Math.log10(interval)) + 1));
  return t.toFixed(interval > 0 ? places : 3).replace("-", "−");
}

/** How a live run keeps up: "real time" or "3.2× slower than real time". */
export function pace(slower: number): string {
  if (!(slower > 0)) return "";
  if (slower <= 1.05) return "real time";
  return `${slower < 10 ? slower.toFixed(1) : Math.round(slower)}× slower than real time`;
}

/** Round numbers between two ends, about `count` of them. */
export function ticks(low: number, high: number, count: number): number[] {
  const span = high - low;
  if (!(span > 0) || !Number.isFinite(span)) return [low];
  const rough = span / Math.max(count, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((k) => k * power).find((s) => s >= rough) ?? 10 * power;
  const out: number[] = [];
  for (let k = Math.ceil(low / step - 1e-9); k * step <= high + 1e-9 * step; k++) out.push(k * step);
  return out;
}

function trim(text: string): string {
  return (text.includes(".") ? text.replace(/\.?0+$/, "") : text).replace("-", "−");
}
