// The test interface: `window.aspic` tells end-to-end tests what the page shows. Nothing in the page uses it.

import { Vector3 } from "three";
import type { App } from "./app.ts";
import type { ColourName } from "./draw/quantity.ts";
import type { Options } from "./options.ts";
import type { Notice } from "./protocol/scene.ts";

export interface TestInterface {
  /** Whether a frame is on show. */
  readonly ready: boolean;
  readonly mode: "live" | "film" | null;
  /** Index of the frame on show; −1 before the first. */
  readonly frame: number;
  /** Its time [s]. */
  readonly time: number;
  /** Frames of the film that are known. */
  readonly framesKnown: number;
  /** Whether the film is written to its end. */
  readonly complete: boolean;
  readonly playing: boolean;
  /** Frames shown in the last second. */
  readonly fps: number;
  /** Wall seconds per simulated second (live). */
  readonly slower: number;
  readonly points: number;
  /** Fields of the frame on show. */
  readonly fields: number;
  /** Top of the legend. */
  readonly range: number;
  readonly grabbed: number | null;
  readonly link: string;
  /** Places of a point on the page [CSS px]. */
  pointOnScreen(point: number): [number, number];
  /** Where a point is [m]. */
  position(point: number): [number, number, number];
  /** The point that a click at this place would grab, or −1 [CSS px]. */
  pointAt(x: number, y: number): number;
  isPinned(point: number): boolean;
  setColour(name: ColourName): void;
  setOption<K extends keyof Options>(key: K, value: Options[K]): void;
  seek(index: number): void;
  play(on: boolean): void;
  /** Shows a notice, as one from the server. */
  notice(level: Notice["level"], text: string): void;
}

declare global {
  interface Window {
    aspic: TestInterface;
  }
}

export function exposeForTests(app: App): void {
  const position = (point: number) => [...(app.view?.positions.subarray(3 * point, 3 * point + 3) ?? [])] as [number, number, number];
  const state = {
    get ready() {
      return app.frame !== undefined;
    },
    get mode() {
      return app.view?.scene.mode ?? null;
    },
    get frame() {
      return app.frame?.index ?? -1;
    },
    get time() {
      return app.frame?.t ?? 0;
    },
    get framesKnown() {
      return app.player.frames;
    },
    get complete() {
      return app.player.complete;
    },
    get playing() {
      return app.live ? app.frame !== undefined && !app.paused : app.player.playing;
    },
    get fps() {
      return app.rate.perSecond(performance.now());
    },
    get slower() {
      return app.frame?.slower ?? 0;
    },
    get points() {
      return app.view?.topology.points ?? 0;
    },
    get fields() {
      return app.frame?.fields ?? 0;
    },
    get range() {
      return app.view?.range.value ?? 0;
    },
    get grabbed() {
      return app.grabbed;
    },
    get link() {
      return app.link;
    },
  };
  const actions = {
    pointOnScreen: (point: number) => app.stage.project(new Vector3(...position(point))),
    position,
    pointAt: (x: number, y: number) => app.view?.pick(app.stage.ray(x, y))?.point ?? -1,
    isPinned: (point: number) => app.view?.isPinned(point) ?? false,
    setColour: (name: ColourName) => app.options.set("colour", name),
    setOption: <K extends keyof Options>(key: K, value: Options[K]) => app.options.set(key, value),
    seek: (index: number) => app.seek(index),
    play: (on: boolean) => {
      if (on !== state.playing) app.playPause();
    },
    notice: (level: Notice["level"], text: string) => app.notice({ level, text }),
  };
  // Getters survive: the second object is added to the first.
  window.aspic = Object.assign(state, actions);
}
