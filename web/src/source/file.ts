// The film in an exported page: unpacked at the start, then shown like a film from a server.

import { Film, unpackFilm } from "../protocol/film.ts";
import type { Frame } from "../protocol/frame.ts";
import { FrameCache } from "./cache.ts";
import type { Need, Source, SourceEvents } from "./source.ts";

/** Bytes of frames to keep as floating-point numbers, beside the quantised film. */
const CACHE_BYTES = 64 * 1024 * 1024;
/** Reading pauses after this time so that the page stays alive [ms]. */
const SLICE = 12;

export class FileSource implements Source {
  private readonly cache = new FrameCache(CACHE_BYTES);
  private film: Film | undefined;

  constructor(private readonly base64: string) {}

  start(events: SourceEvents): void {
    events.linkChanged("open");
    this.load(events).catch((cause: unknown) => {
      const text = cause instanceof Error ? cause.message : String(cause);
      if (!this.film || this.film.read === 0) return events.failed(text);
      // Frames that a film cut short promised but does not hold are taken from the scrub bar.
      events.growth(this.film.read, true);
      events.notice({ level: "error", text });
    });
  }

  at(index: number): Frame | undefined {
    const film = this.film;
    if (!film || index < 0 || index >= film.read) return undefined;
    const kept = this.cache.get(index);
    if (kept) return kept;
    const frame = film.frame(index);
    this.cache.put(frame, index);
    return frame;
  }

  has(index: number): boolean {
    return this.film !== undefined && index < this.film.read;
  }

  missing(): boolean {
    return false;
  }

  need(_need: Need): void {}

  ready(): void {}

  send(): void {}

  retry(): void {}

  private async load(events: SourceEvents): Promise<void> {
    const film = new Film(await unpackFilm(this.base64));
    this.film = film;
    film.readNext();
    events.scene(film.scene, film.topology, true);
    let paused = performance.now();
    for (let index = 0; index < film.read; index++) {
      events.ledgerRow(index, film.ledger(index));
      if (!film.readNext()) continue;
      if (performance.now() - paused < SLICE) continue;
      await new Promise((resolve) => setTimeout(resolve, 0));
      paused = performance.now();
    }
  }
}
