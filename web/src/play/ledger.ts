// Ledger rows as they arrive: by frame for films, in order for live runs.

/** Live rows beyond this number are thinned out. */
const MOST_ROWS = 6000;

export class LedgerRows {
  private sparse: (Float64Array | undefined)[] = [];
  private list: Float64Array[] | undefined = [];
  /** Changes with every change of the rows. */
  version = 0;

  /** Rows in order of time. */
  get rows(): readonly Float64Array[] {
    return (this.list ??= this.sparse.filter((row) => row !== undefined));
  }

  clear(): void {
    this.sparse = [];
    this.changed();
  }

  /** The row of a film's frame. A copy, so that the frame's memory can go. */
  put(index: number, row: Float64Array): void {
    if (this.sparse[index] || !isWhole(row)) return;
    this.sparse[index] = row.slice();
    this.changed();
  }

  /** The next row of a live run. Time that goes back means a new start. */
  append(row: Float64Array): void {
    if (!isWhole(row)) return;
    const last = this.sparse.at(-1);
    if (last && row[0] < last[0]) this.sparse = [];
    else if (last && row[0] === last[0]) return;
    this.sparse.push(row.slice());
    if (this.sparse.length > MOST_ROWS) this.sparse = this.sparse.filter((_, k) => k % 2 === 0);
    this.changed();
  }

  private changed(): void {
    this.version++;
    this.list = undefined;
  }
}

/** Frames may come before their row is written; it then has only its time. */
function isWhole(row: Float64Array): boolean {
  return row.every((x) => !Number.isNaN(x));
}

export interface Curve {
  /** Name in the ledger. */
  key: string;
  label: string;
  colour: string;
  /** Column of the ledger. */
  column: number;
  /** Shown relative to the first row: where the zero of gravity lies says nothing. */
  relative: boolean;
  /** Shown unless the user says otherwise. */
  usual: boolean;
  wide: boolean;
}

/** Colours of Okabe and Ito where they fit, told apart by every kind of colour vision. */
const KNOWN: readonly [key: string, label: string, colour: string, extra?: Partial<Curve>][] = [
  ["kinetic", "Kinetic", "#e4572e"],
  ["elastic_bulk", "Elastic, volume", "#3b82c4"],
  ["elastic_shear", "Elastic, shape", "#5cc0f0"],
  ["gravity", "Gravity, change", "#16a085", { relative: true }],
  ["springs", "Springs", "#cc79a7"],
  ["contact", "Contact", "#e3c31c"],
  ["viscous_loss", "Viscous loss", "#e69f00"],
  ["friction_loss", "Friction loss", "#a9744f"],
  ["plastic_loss", "Plastic loss", "#7b4a8f"],
  ["impact_loss", "Impact loss", "#a33a4b"],
  ["numerical_loss", "Numerical loss", "#8f96a3"],
  ["drag_work", "Work of drags", "#8d7cf0"],
  ["load_work", "Work of loads", "#6d9f3a"],
  ["total", "Total", "", { relative: true, wide: true }],
  ["residual", "Residual", "#f06292", { usual: false }],
];

/** The curves that a ledger with these columns has. */
export function curvesOf(names: readonly string[]): Curve[] {
  return KNOWN.filter(([key]) => names.includes(key)).map(([key, label, colour, extra]) => ({
    key,
    label,
    colour,
    column: names.indexOf(key),
    relative: false,
    usual: true,
    wide: false,
    ...extra,
  }));
}

/** The energy a curve shows in a row [J]. The total is taken relative to the first gravity, as in ledger.svg. */
export function curveValue(curve: Curve, row: Float64Array, first: Float64Array, gravity: number): number {
  if (!curve.relative) return row[curve.column];
  return row[curve.column] - (gravity >= 0 ? first[gravity] : first[curve.column]);
}
