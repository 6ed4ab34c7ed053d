// The play head of a film: shows exact frames, waits for those not here yet, follows a film that grows.

/** What the player must know of a source. */
export interface FrameStock {
  has(index: number): boolean;
  missing(index: number): boolean;
}

export class Player {
  playing = true;
  frames = 0;
  complete = true;
  /** Time between frames [s]. */
  interval = 1 / 24;
  /** Whether play waits for a frame. */
  waiting = false;
  private head = 0;

  constructor(private readonly stock: FrameStock) {}

  /** The frame under the head. */
  get index(): number {
    return Math.max(0, Math.min(Math.floor(this.head), this.frames - 1));
  }

  get atEnd(): boolean {
    return this.index >= this.frames - 1;
  }

  /** A film of so many frames; the head stays where it is when it can. */
  load(frames: number, complete: boolean, interval: number): void {
    [this.frames, this.complete, this.interval] = [frames, complete, interval];
    this.head = Math.min(this.head, Math.max(frames - 1, 0));
  }

  /** More frames (or fewer, when a film turns out to be cut short). A head at the end goes along. */
  grow(frames: number, complete: boolean): void {
    const follow = this.frames > 0 && this.atEnd && !this.playing;
    [this.frames, this.complete] = [frames, complete];
    if (follow || this.head > frames - 1) this.head = Math.max(frames - 1, 0);
  }

  /** Moves the head by `dt` seconds of wall time. */
  tick(dt: number, speed: number, loop: boolean): void {
    this.waiting = false;
    if (!this.playing || this.frames === 0) return;
    let next = this.head + (dt * speed) / this.interval;
    if (next >= this.frames) {
      if (!this.complete) next = this.frames - 1;
      else if (loop) next %= this.frames;
      else [next, this.playing] = [this.frames - 1, false];
    }
    // A film still being written: the head rests on the last frame.
    if (!this.complete) next = Math.min(next, this.frames - 1);
    const target = Math.floor(next);
    if (this.stock.has(target) || target === this.index) this.head = next;
    else if (this.stock.missing(target)) this.head = Math.min(target + 1, this.frames - 1);
    else this.waiting = true;
  }

  seek(index: number): void {
    this.head = Math.max(0, Math.min(Math.round(index), this.frames - 1));
  }

  /** One frame back or on, and stop there. */
  step(by: number): void {
    this.playing = false;
    this.seek(this.index + by);
  }

  /** Plays or pauses; from the end of a film play starts again. */
  toggle(loop: boolean): void {
    if (!this.playing && this.complete && !loop && this.atEnd) this.head = 0;
    this.playing = !this.playing;
  }
}
