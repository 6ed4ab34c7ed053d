// The two themes as the stage sees them: light, shadow and ground.

export type Theme = "dark" | "light";

export interface Look {
  /** Light from all around. */
  environment: number;
  /** The lamp that casts shadows. */
  key: number;
  /** The lamp straight above. */
  above: number;
  /** Sky and floor light. */
  sky: string;
  floor: string;
  fill: number;
  exposure: number;
  /** How dark shadows on the ground are, 0 … 1. */
  shadowStrength: number;
  shadowColour: string;
  groundTint: string;
  groundTintStrength: number;
  grid: string;
  gridStrength: number;
  wire: string;
  /** Markers on top of everything. */
  accent: string;
  pin: string;
  node: string;
  velocity: string;
  force: string;
}

export const LOOKS: Record<Theme, Look> = {
  dark: {
    environment: 0.62,
    key: 2.2,
    above: 0.35,
    sky: "#dfe8ff",
    floor: "#3b3532",
    fill: 0.35,
    exposure: 1.02,
    shadowStrength: 0.66,
    shadowColour: "#05060a",
    groundTint: "#79839a",
    groundTintStrength: 0.36,
    grid: "#a9b6d6",
    gridStrength: 0.15,
    wire: "#05070b",
    accent: "#ffb454",
    pin: "#ff5d73",
    node: "#dfe6f5",
    velocity: "#7fd6ff",
    force: "#ffd166",
  },
  light: {
    environment: 0.72,
    key: 2.4,
    above: 0.4,
    sky: "#ffffff",
    floor: "#d9d2c8",
    fill: 0.45,
    exposure: 1.04,
    shadowStrength: 0.42,
    shadowColour: "#2a3350",
    groundTint: "#ffffff",
    groundTintStrength: 0.75,
    grid: "#5b6a86",
    gridStrength: 0.26,
    wire: "#10141c",
    accent: "#c76a00",
    pin: "#d11f46",
    node: "#222a38",
    velocity: "#0a6fb8",
    force: "#b3541e",
  },
};
