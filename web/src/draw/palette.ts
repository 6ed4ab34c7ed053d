// A colour for each body: warm and cool in turn, so that neighbours in the list differ.

import type { Body } from "../protocol/scene.ts";

const COLOURS = ["#f0715a", "#2aa9a0", "#f2b23e", "#7f78ea", "#4ba3e3", "#e56f9c", "#8fbf52", "#ee8b45", "#5a74dc", "#4fc492"];
const OBSTACLE = "#8d95a3";

/** CSS colours, one a body. Obstacles are grey; beyond the list hues go round by the golden angle. */
export function bodyColours(bodies: readonly Body[]): string[] {
  let next = 0;
  return bodies.map((body) => {
    if (body.kind === "obstacle") return OBSTACLE;
    const k = next++;
    return COLOURS[k] ?? `hsl(${Math.round((k * 137.508) % 360)} 62% 60%)`;
  });
}
