// Keyboard shortcuts.

import { COLOUR_NAMES } from "../draw/quantity.ts";
import type { OptionStore } from "../options.ts";
import { SPEEDS } from "./transport.ts";

export interface KeyActions {
  playPause(): void;
  step(by: number): void;
  seek(index: number): void;
  reset(): void;
  fit(): void;
  help(): void;
  pin(): void;
  /** Whether a colour can be chosen in this scene. */
  canColour(name: (typeof COLOUR_NAMES)[number]): boolean;
}

export function installKeys(options: OptionStore, actions: KeyActions): void {
  const commands: Record<string, () => void> = {
    " ": actions.playPause,
    arrowleft: () => actions.step(-1),
    arrowright: () => actions.step(1),
    home: () => actions.seek(0),
    end: () => actions.seek(Infinity),
    "[": () => changeSpeed(options, -1),
    "]": () => changeSpeed(options, 1),
    o: () => options.toggle("loop"),
    r: actions.reset,
    f: actions.fit,
    "?": actions.help,
    p: actions.pin,
    t: () => options.set("theme", options.get("theme") === "dark" ? "light" : "dark"),
    w: () => options.toggle("wireframe"),
    n: () => options.toggle("nodes"),
    c: () => options.toggle("constraints"),
    k: () => options.toggle("contacts"),
    v: () => options.toggle("velocities"),
    g: () => options.toggle("ground"),
    x: () => options.toggle("cut"),
    l: () => options.toggle("ledger"),
    b: () => options.toggle("panels"),
  };
  COLOUR_NAMES.forEach((name, k) => {
    commands[String(k + 1)] = () => {
      if (actions.canColour(name)) options.set("colour", name);
    };
  });
  // A button pressed with the pointer gives the keys back; one reached by Tab keeps them.
  window.addEventListener("click", (event) => {
    if (event.detail > 0) (event.target as Element).closest<HTMLElement>("button, summary")?.blur();
  });
  window.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event)) return;
    const command = commands[event.key.toLowerCase()];
    if (!command) return;
    event.preventDefault();
    command();
  });
}

/** Keys belong to a field while one types in it; an open dialog keeps all but its own. */
function isTyping(event: KeyboardEvent): boolean {
  if (document.querySelector("dialog[open]")) return event.key !== "?";
  const target = event.target as HTMLElement;
  if (target instanceof HTMLInputElement)
    return target.type === "text" || event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End";
  // Space on a button presses it.
  return target instanceof HTMLSelectElement || (event.key === " " && target.closest("button, summary") !== null);
}

function changeSpeed(options: OptionStore, by: number): void {
  const at = SPEEDS.findIndex((s) => s === options.get("speed"));
  options.set("speed", SPEEDS[Math.min(SPEEDS.length - 1, Math.max(0, at + by))]);
}
