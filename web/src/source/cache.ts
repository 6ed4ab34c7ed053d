// Frames of a film, bounded by memory: what is farthest from the play head goes first.

import type { Frame } from "../protocol/frame.ts";

export class FrameCache {
  private readonly frames = new Map<number, Frame>();
  private used = 0;

  /** `budget`: bytes of frames to keep. */
  constructor(readonly budget: number) {}

  /** Bytes of all frames here. */
  get bytes(): number {
    return this.used;
  }

  get size(): number {
    return this.frames.size;
  }

  get(index: number): Frame | undefined {
    return this.frames.get(index);
  }

  has(index: number): boolean {
    return this.frames.has(index);
  }

  /** Keeps a frame; makes room around the play head `head`. */
  put(frame: Frame, head: number): void {
    this.used += frame.bytes - (this.frames.get(frame.index)?.bytes ?? 0);
    this.frames.set(frame.index, frame);
    while (this.used > this.budget && this.frames.size > 1) this.drop(this.farthest(head));
  }

  clear(): void {
    this.frames.clear();
    this.used = 0;
  }

  private drop(index: number): void {
    this.used -= this.frames.get(index)?.bytes ?? 0;
    this.frames.delete(index);
  }

  /** Frames behind the head count twice: play goes forward. */
  private farthest(head: number): number {
    let worst = -1;
    let distance = -1;
    for (const index of this.frames.keys()) {
      const d = index < head ? 2 * (head - index) : index - head;
      if (d > distance) [worst, distance] = [index, d];
    }
    return worst;
  }
}
