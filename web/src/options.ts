// What the user has chosen, in one place: parts of the page change it and hear of changes.

import type { ColourName } from "./draw/quantity.ts";
import type { Theme } from "./draw/look.ts";

export interface Options {
  theme: Theme;
  colour: ColourName;
  wireframe: boolean;
  nodes: boolean;
  constraints: boolean;
  contacts: boolean;
  velocities: boolean;
  ground: boolean;
  cut: boolean;
  cutAxis: 0 | 1 | 2;
  /** Place of the cut between the ends of the scene, 0 … 1. */
  cutPlace: number;
  /** Which side stays. */
  cutFlip: boolean;
  /** Play speed of films, 1 is real time. */
  speed: number;
  loop: boolean;
  ledger: boolean;
  /** The panels at the sides (wide pages). */
  panels: boolean;
}

const DEFAULTS: Options = {
  theme: "dark",
  colour: "body",
  wireframe: false,
  nodes: false,
  constraints: true,
  contacts: false,
  velocities: false,
  ground: true,
  cut: false,
  cutAxis: 1,
  cutPlace: 0.5,
  cutFlip: false,
  speed: 1,
  loop: true,
  ledger: false,
  panels: true,
};

/** Kept between visits. The rest belongs to the scene on show. */
const REMEMBERED: readonly (keyof Options)[] = ["theme", "ledger", "panels", "loop"];
const STORAGE = "aspic.viewer";

type Listener = (options: Readonly<Options>, changed: keyof Options) => void;

export class OptionStore {
  private readonly values: Options;
  private readonly listeners: Listener[] = [];
  private readonly kept: Partial<Record<keyof Options, unknown>>;

  constructor() {
    this.kept = read();
    this.values = { ...DEFAULTS, theme: systemTheme(), ...this.kept } as Options;
    if (this.values.theme !== "light" && this.values.theme !== "dark") this.values.theme = systemTheme();
    // Until the user chooses, the page follows the system.
    matchMedia("(prefers-color-scheme: light)").addEventListener("change", () => {
      if (this.kept.theme === undefined) this.change("theme", systemTheme());
    });
  }

  get all(): Readonly<Options> {
    return this.values;
  }

  get<K extends keyof Options>(key: K): Options[K] {
    return this.values[key];
  }

  set<K extends keyof Options>(key: K, value: Options[K]): void {
    if (this.values[key] === value) return;
    if (REMEMBERED.includes(key)) {
      this.kept[key] = value;
      write(this.kept);
    }
    this.change(key, value);
  }

  toggle(key: { [K in keyof Options]: Options[K] extends boolean ? K : never }[keyof Options]): void {
    this.set(key, !this.values[key]);
  }

  on(listener: Listener): void {
    this.listeners.push(listener);
  }

  private change<K extends keyof Options>(key: K, value: Options[K]): void {
    if (this.values[key] === value) return;
    this.values[key] = value;
    for (const listener of this.listeners) listener(this.values, key);
  }
}

function systemTheme(): Theme {
  return matchMedia("(prefers-color-scheme: light)").matches ? "light" : "dark";
}

/** Storage may be refused, for instance on file:// addresses; then nothing is remembered. */
function read(): Partial<Record<keyof Options, unknown>> {
  try {
    const all = JSON.parse(localStorage.getItem(STORAGE) ?? "{}") as Record<string, unknown>;
    return Object.fromEntries(REMEMBERED.filter((key) => typeof all[key] === typeof DEFAULTS[key]).map((key) => [key, all[key]]));
  } catch {
    return {};
  }
}

function write(values: object): void {
  try {
    localStorage.setItem(STORAGE, JSON.stringify(values));
  } catch {
    // Not remembered, and nothing is lost but that.
  }
}
