// How many frames were shown in the last second.

export class Rate {
  private times: number[] = [];

  /** A frame was shown at `now` [ms]. */
  count(now: number): void {
    this.times.push(now);
    if (this.times.length > 512) this.times = this.times.slice(-256);
  }

  perSecond(now: number): number {
    this.times = this.times.filter((t) => now - t <= 1000);
    return this.times.length;
  }
}
