// Which frame of a film to ask for next: the one under the play head, those ahead, and when nothing
// else is to do the rest of the film from coarse to fine, so that the ledger fills everywhere at once.

import type { Frame } from "../protocol/frame.ts";
import { FrameCache } from "./cache.ts";
import type { Need } from "./source.ts";

/** Questions under way at a time. */
const OUTSTANDING = 4;
/** Frames ahead of the head that come before the rest of the film. */
const AHEAD = 48;
/** Of a film larger than the cache, so many frames give the outline of the ledger. */
const OUTLINE = 128;

export class Fetcher {
  readonly cache: FrameCache;
  private readonly ask: (index: number) => void;
  /** Frames asked for, in this order, and with which fields. */
  private readonly outstanding = new Map<number, number>();
  /** Fields that were asked for each frame; asking again would give no more. */
  private readonly granted = new Map<number, number>();
  private readonly failed = new Set<number>();
  private readonly seen = new Set<number>();
  private now: Need = { head: 0, frames: 0, fields: 0 };
  /** Where the search for the rest goes on: stride (0: at the start, −1: all is here) and index. */
  private stride = 0;
  private next = 0;

  constructor(ask: (index: number) => void, budget: number) {
    this.ask = ask;
    this.cache = new FrameCache(budget);
  }

  need(need: Need): void {
    const restart = need.frames !== this.now.frames || need.fields !== this.now.fields;
    this.now = need;
    if (restart) this.stride = 0;
    this.fill();
  }

  arrived(frame: Frame): void {
    this.granted.set(frame.index, this.outstanding.get(frame.index) ?? frame.fields);
    this.outstanding.delete(frame.index);
    this.failed.delete(frame.index);
    this.seen.add(frame.index);
    this.cache.put(frame, this.now.head);
    this.fill();
  }

  /** The server could not give a frame: the oldest question is the one it means. */
  refused(): void {
    const [oldest] = this.outstanding.keys();
    if (oldest === undefined) return;
    this.outstanding.delete(oldest);
    this.failed.add(oldest);
    this.fill();
  }

  missing(index: number): boolean {
    return this.failed.has(index);
  }

  /** A new connection: what was asked will not be answered. */
  reset(forget: boolean): void {
    this.outstanding.clear();
    this.granted.clear();
    this.failed.clear();
    this.stride = 0;
    if (!forget) return;
    this.cache.clear();
    this.seen.clear();
  }

  private fill(): void {
    while (this.outstanding.size < OUTSTANDING) {
      const index = this.choose();
      if (index === undefined) return;
      this.outstanding.set(index, this.now.fields);
      this.ask(index);
    }
  }

  private choose(): number | undefined {
    const { head, frames } = this.now;
    const ahead = Math.min(AHEAD, this.capacity() - 2, frames - 1);
    for (let k = 0; k <= ahead; k++) {
      const index = (head + k) % frames;
      if (this.lacks(index)) return index;
    }
    return this.outstanding.size < OUTSTANDING / 2 ? this.chooseRest() : undefined;
  }

  /** Strides halve: …, 4, 2, 1. Films that do not fit stop at the outline. */
  private chooseRest(): number | undefined {
    const { frames } = this.now;
    if (frames === 0 || this.stride < 0) return undefined;
    const whole = frames <= this.capacity();
    const finest = whole ? 1 : Math.max(1, Math.floor(frames / OUTLINE));
    if (this.stride === 0) [this.stride, this.next] = [1 << Math.ceil(Math.log2(frames)), 0];
    for (; this.stride >= finest && this.stride >= 1; this.stride = this.stride >> 1, this.next = 0) {
      for (; this.next < frames; this.next += this.stride) {
        const index = this.next;
        if (whole ? this.lacks(index) : !this.seen.has(index) && this.lacks(index)) return index;
      }
    }
    this.stride = -1;
    return undefined;
  }

  private lacks(index: number): boolean {
    if (this.outstanding.has(index) || this.failed.has(index)) return false;
    const frame = this.cache.get(index);
    const here = frame ? frame.fields | (this.granted.get(index) ?? 0) : 0;
    return frame === undefined || (this.now.fields & ~here) !== 0;
  }

  /** Frames that fit into the cache, judged by those that are here. */
  private capacity(): number {
    return this.cache.size === 0 ? AHEAD : Math.max(3, Math.floor((this.cache.budget * this.cache.size) / this.cache.bytes));
  }
}
