// Keeps everything in the light and in view: lamp, ground and camera follow what was seen of a scene.

import { centre, diagonal, type Bounds } from "../geometry/bounds.ts";
import type { Stage } from "./stage.ts";
import type { SceneView } from "./view.ts";

/** The camera follows when the scene has grown by this part since the last fit. */
const REFIT = 0.06;

export class Overview {
  private fittedSize = 0;

  constructor(
    private readonly stage: Stage,
    private readonly view: SceneView,
  ) {
    stage.rig.touched = false;
    stage.light(steady(view.seen));
    this.fit(false, true);
  }

  /** Takes positions into account [m], of a frame on show or one to come. A camera moved by the user stays. */
  see(positions: Float32Array, onShow: boolean): void {
    const grown = this.view.see(positions);
    // The smaller the lit box, the finer the shadows.
    if (onShow) this.stage.light(steady(this.view.lastBox));
    if (!grown) return;
    if (!this.stage.rig.touched && diagonal(this.view.worthSeeing) > (1 + REFIT) * this.fittedSize) this.fit(true);
  }

  /** The free part of the page changed. */
  resized(): void {
    if (!this.stage.rig.touched) this.fit(false);
  }

  private fit(smooth: boolean, fromStart = false): void {
    this.fittedSize = diagonal(this.view.worthSeeing);
    this.stage.rig.fit(this.view.worthSeeing, smooth, fromStart);
  }
}

/** A box around a box that changes only in steps, so that shadows do not creep while a body moves. */
export function steady(box: Bounds): Bounds {
  const size = 1.25 ** Math.ceil(Math.log(1.15 * diagonal(box)) / Math.log(1.25));
  const half = size / Math.sqrt(12);
  const middle = centre(box).map((x) => Math.round((16 * x) / size) * (size / 16));
  return {
    lower: [middle[0] - half, middle[1] - half, middle[2] - half],
    upper: [middle[0] + half, middle[1] + half, middle[2] + half],
  };
}
