// Play, pause, step, scrub, speed and loop for films; pause, step and reset for live runs.

import type { OptionStore } from "../options.ts";
import { iconButton, setIcon, setPressed } from "./controls.ts";
import { el, setText } from "./dom.ts";
import { pace, seconds } from "./format.ts";
import { Scrub, type ScrubState } from "./scrub.ts";

export const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 4] as const;

export interface TransportActions {
  playPause(): void;
  step(by: number): void;
  seek(index: number): void;
  reset(): void;
}

export class Transport {
  readonly node: HTMLElement;
  readonly scrub: Scrub;
  private readonly play: HTMLButtonElement;
  private readonly time = el("span", { class: "time" });
  private readonly total = el("span", { class: "time-total" });
  private readonly frame = el("span", { class: "frame-count" });
  private readonly pace = el("span", { class: "pace" });
  private readonly state = el("span", { class: "run-state" });

  constructor(options: OptionStore, actions: TransportActions) {
    this.scrub = new Scrub(actions.seek);
    this.play = iconButton("play", "Play or pause", "Space", actions.playPause);
    this.play.classList.add("primary");
    const back = iconButton("back", "Frame before", "←", () => actions.step(-1));
    back.classList.add("film-only");
    const on = iconButton("forward", "Next frame or step", "→", () => actions.step(1));
    const reset = iconButton("reset", "Start again", "R", actions.reset);
    reset.classList.add("live-only");
    const loop = iconButton("loop", "Play again and again", "O", () => options.toggle("loop"));
    loop.classList.add("film-only");
    const ledger = iconButton("chart", "Energies over time", "L", () => options.toggle("ledger"));
    ledger.classList.add("ledger-button");
    const speed = this.speedChoice(options);
    const refresh = () => {
      setPressed(loop, options.get("loop"));
      setPressed(ledger, options.get("ledger"));
      speed.value = String(options.get("speed"));
    };
    options.on(refresh);
    refresh();
    const times = el("div", { class: "times" }, this.time, this.total);
    const live = el("div", { class: "live-line live-only" }, this.state, this.pace);
    const rest = el("div", { class: "transport-rest" }, this.frame, speed, loop, ledger);
    this.node = el(
      "div",
      { class: "transport" },
      el("div", { class: "buttons" }, reset, back, this.play, on),
      times,
      this.scrub.node,
      live,
      rest,
    );
  }

  updateFilm(state: ScrubState, t: number, playing: boolean, waiting: boolean): void {
    setIcon(this.play, playing ? "pause" : "play");
    this.play.classList.toggle("waiting", waiting);
    setText(this.time, `${seconds(t, state.interval)} s`);
    setText(this.total, `/ ${seconds(Math.max(0, state.frames - 1) * state.interval, state.interval)} s`);
    setText(this.frame, `${state.frames ? state.index : "–"} / ${Math.max(0, state.frames - 1)}`);
    this.scrub.update(state);
  }

  updateLive(t: number, running: boolean, failed: boolean, slower: number): void {
    setIcon(this.play, running ? "pause" : "play");
    setText(this.time, `${t.toFixed(3)} s`);
    setText(this.state, failed ? "stopped: step failed" : running ? "running" : "paused");
    this.state.dataset["state"] = failed ? "failed" : running ? "running" : "paused";
    setText(this.pace, running ? pace(slower) : "");
    this.pace.classList.toggle("realtime", slower > 0 && slower <= 1.05);
  }

  private speedChoice(options: OptionStore): HTMLSelectElement {
    const choices = SPEEDS.map((s) => el("option", { value: s }, `${s}×`));
    const speed = el("select", { class: "speed film-only", tip: "Speed of play", key: "[ ]", "aria-label": "Speed of play" }, ...choices);
    speed.addEventListener("change", () => {
      options.set("speed", Number(speed.value));
      // So that keys go to the film again, not to the list.
      speed.blur();
    });
    return speed;
  }
}
