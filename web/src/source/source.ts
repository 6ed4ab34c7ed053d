// Where scenes and frames come from. Two implementations: a server's socket, and the film in an exported page.

import type { Frame } from "../protocol/frame.ts";
import type { Command } from "../protocol/message.ts";
import type { LiveState, Notice, Scene, TextFile, Topology } from "../protocol/scene.ts";

export type Link = "connecting" | "open" | "lost";

/** What a source tells the page. */
export interface SourceEvents {
  /** A scene to show: at the start, after a reset, after a reconnection. `anew`: earlier frames of a film count no more. */
  scene(scene: Scene, topology: Topology, anew: boolean): void;
  /** A frame arrived. Live: the newest. Film: one that was asked for. */
  frameArrived(frame: Frame): void;
  /** Ledger rows that are known without their frames (exported films). */
  ledgerRow(index: number, row: Float64Array): void;
  growth(frames: number, complete: boolean): void;
  notice(notice: Notice): void;
  file(file: TextFile): void;
  state(state: LiveState): void;
  linkChanged(link: Link): void;
  /** Nothing can be shown; the text says why. */
  failed(text: string): void;
}

/** Where the film's play head is and where it goes: what to fetch first. */
export interface Need {
  head: number;
  /** Frames there now. */
  frames: number;
  /** Fields the view needs. */
  fields: number;
}

export interface Source {
  start(events: SourceEvents): void;
  /** Film: a frame that is here, with at least the positions. */
  at(index: number): Frame | undefined;
  /** Film: whether a frame cannot be had (corrupt on disk). */
  missing(index: number): boolean;
  /** Film: fetch what this asks for. */
  need(need: Need): void;
  /** Film: which frames are here, for the scrub bar. */
  has(index: number): boolean;
  /** Live: ask for the next frame with these fields; at most one is under way. */
  ready(fields: number): void;
  send(command: Command): void;
  /** Try to connect now instead of later. */
  retry(): void;
}
