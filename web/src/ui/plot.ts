// Draws energy curves on a canvas: axes, lines, the cursor, and the nearest row under the pointer.

import { curveValue, type Curve } from "../play/ledger.ts";
import { scaleFor, short, ticks } from "./format.ts";

export interface PlotInput {
  rows: readonly Float64Array[];
  curves: readonly Curve[];
  gravity: number;
  /** Times shown [s]. */
  start: number;
  end: number;
  /** Where the film is [s]. */
  now: number;
  /** Time under the pointer [s]. */
  hover: number | null;
}

export interface PlotColours {
  text: string;
  grid: string;
  cursor: string;
  total: string;
  panel: string;
}

/** Room for the axes, CSS pixels. */
export const PLOT_MARGIN = { left: 46, right: 12, top: 18, bottom: 20 };

interface Frame2d {
  x(t: number): number;
  y(e: number): number;
  low: number;
  high: number;
  width: number;
  height: number;
}

/** Row nearest to a time, or −1. Rows are in order of time. */
export function nearestRow(rows: readonly Float64Array[], t: number): number {
  let [low, high] = [0, rows.length - 1];
  if (high < 0) return -1;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (rows[middle][0] <= t) low = middle;
    else high = middle;
  }
  return Math.abs(rows[low][0] - t) <= Math.abs(rows[high][0] - t) ? low : high;
}

export function drawPlot(context: CanvasRenderingContext2D, width: number, height: number, input: PlotInput, colours: PlotColours): void {
  context.clearRect(0, 0, width, height);
  context.font = "11px system-ui, sans-serif";
  const frame = makeFrame(width, height, input);
  drawAxes(context, frame, input, colours);
  context.save();
  context.beginPath();
  context.rect(PLOT_MARGIN.left, 0, frame.width, height);
  context.clip();
  for (const curve of input.curves) drawCurve(context, frame, input, curve, colours);
  drawCursor(context, frame, input, colours);
  context.restore();
}

function makeFrame(width: number, height: number, input: PlotInput): Frame2d {
  let [low, high] = [Infinity, -Infinity];
  const first = input.rows[0];
  for (const row of input.rows) {
    for (const curve of input.curves) {
      const e = curveValue(curve, row, first, input.gravity);
      if (e < low) low = e;
      if (e > high) high = e;
    }
  }
  if (!(low <= high)) [low, high] = [0, 1];
  if (high - low < 1e-12 * Math.max(Math.abs(high), Math.abs(low), 1e-9))
    [low, high] = [low - 0.5 * (Math.abs(low) || 1), high + 0.5 * (Math.abs(high) || 1)];
  const pad = 0.06 * (high - low);
  [low, high] = [low - pad, high + pad];
  const inner = { width: width - PLOT_MARGIN.left - PLOT_MARGIN.right, height: height - PLOT_MARGIN.top - PLOT_MARGIN.bottom };
  const span = Math.max(input.end - input.start, 1e-9);
  return {
    x: (t) => PLOT_MARGIN.left + ((t - input.start) / span) * inner.width,
    y: (e) => PLOT_MARGIN.top + ((high - e) / (high - low)) * inner.height,
    low,
    high,
    ...inner,
  };
}

function drawAxes(context: CanvasRenderingContext2D, frame: Frame2d, input: PlotInput, colours: PlotColours): void {
  const scale = scaleFor(Math.max(Math.abs(frame.low), Math.abs(frame.high)), "J");
  context.lineWidth = 1;
  context.textBaseline = "middle";
  context.textAlign = "right";
  for (const e of ticks(frame.low / scale.size, frame.high / scale.size, frame.height / 34)) {
    const y = Math.round(frame.y(e * scale.size)) + 0.5;
    context.strokeStyle = colours.grid;
    context.globalAlpha = Math.abs(e) < 1e-12 ? 1 : 0.5;
    context.beginPath();
    context.moveTo(PLOT_MARGIN.left, y);
    context.lineTo(PLOT_MARGIN.left + frame.width, y);
    context.stroke();
    context.globalAlpha = 1;
    context.fillStyle = colours.text;
    context.fillText(short(e), PLOT_MARGIN.left - 7, y);
  }
  const bottom = PLOT_MARGIN.top + frame.height;
  context.textBaseline = "alphabetic";
  context.textAlign = "center";
  for (const t of ticks(input.start, input.end, frame.width / 90)) {
    const x = frame.x(t);
    if (x < PLOT_MARGIN.left + frame.width - 14) context.fillText(short(t, 4), x, bottom + 15);
  }
  context.textAlign = "right";
  context.fillText("s", PLOT_MARGIN.left + frame.width, bottom + 15);
  context.fillText(scale.unit, PLOT_MARGIN.left - 7, PLOT_MARGIN.top - 6);
}

/** Many rows in one column of pixels are drawn as one stroke from the lowest to the highest. */
function drawCurve(context: CanvasRenderingContext2D, frame: Frame2d, input: PlotInput, curve: Curve, colours: PlotColours): void {
  const first = input.rows[0];
  context.strokeStyle = curve.colour || colours.total;
  context.lineWidth = curve.wide ? 2.2 : 1.5;
  context.lineJoin = "round";
  context.beginPath();
  let column = NaN;
  let [low, high] = [0, 0];
  for (const row of input.rows) {
    const x = frame.x(row[0]);
    const y = frame.y(curveValue(curve, row, first, input.gravity));
    if (!Number.isFinite(y)) continue;
    const pixel = Math.round(2 * x);
    if (pixel === column) {
      if (y >= low && y <= high) continue;
      [low, high] = [Math.min(low, y), Math.max(high, y)];
    } else [column, low, high] = [pixel, y, y];
    context.lineTo(x, y);
  }
  context.stroke();
}

function drawCursor(context: CanvasRenderingContext2D, frame: Frame2d, input: PlotInput, colours: PlotColours): void {
  const line = (t: number, colour: string, dash: number[]) => {
    context.strokeStyle = colour;
    context.lineWidth = 1.5;
    context.setLineDash(dash);
    context.beginPath();
    context.moveTo(frame.x(t), PLOT_MARGIN.top - 6);
    context.lineTo(frame.x(t), PLOT_MARGIN.top + frame.height);
    context.stroke();
    context.setLineDash([]);
  };
  line(input.now, colours.cursor, []);
  if (input.hover === null) return;
  const row = input.rows[nearestRow(input.rows, input.hover)];
  if (!row) return;
  line(row[0], colours.text, [3, 3]);
  for (const curve of input.curves) {
    context.fillStyle = curve.colour || colours.total;
    context.strokeStyle = colours.panel;
    context.beginPath();
    context.arc(frame.x(row[0]), frame.y(curveValue(curve, row, input.rows[0], input.gravity)), 3.5, 0, 2 * Math.PI);
    context.fill();
    context.stroke();
  }
}
