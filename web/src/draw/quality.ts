// How much drawing a machine can bear: less while things move, the full picture when they rest.

import type { IUniform, WebGLRenderer } from "three";

/** Pixels per CSS pixel; marks need it to keep their size. */
export const pixelRatio: IUniform<number> = { value: 1 };

/** Draws slower than this count against a machine [s]. */
const SLOW = 0.04;
const SLOW_DRAWS = 40;
/** After this rest the full picture is drawn [ms]. */
const REST = 220;

/** Whether pictures are computed without a graphics card, as on servers and in virtual machines. */
export function isSoftware(): boolean {
  const context = document.createElement("canvas").getContext("webgl2");
  if (!context) return false;
  const names = context.getExtension("WEBGL_debug_renderer_info");
  const name = names ? String(context.getParameter(names.UNMASKED_RENDERER_WEBGL)) : "";
  context.getExtension("WEBGL_lose_context")?.loseContext();
  return /swiftshader|llvmpipe|softpipe|software|basic render/i.test(name);
}

export class Quality {
  /** Whether this machine is slow. */
  lean: boolean;
  /** Called once, when a machine turns out to be slow. */
  onLean: () => void = () => {};
  private slow = 0;
  private drawnAt = 0;
  private full = true;

  constructor(
    private readonly renderer: WebGLRenderer,
    readonly software: boolean,
  ) {
    this.lean = software;
    this.set(this.fullRatio);
  }

  /** Before a drawing: fewer pixels while a slow machine draws one frame after the other. */
  moving(): void {
    if (this.lean && this.full) this.set(this.leanRatio);
    this.full = !this.lean;
  }

  /** Nothing changed: whether the picture should be drawn again with all pixels. */
  resting(now: number): boolean {
    if (this.full || now - this.drawnAt < REST) return false;
    this.full = true;
    this.set(this.fullRatio);
    return true;
  }

  /** After a drawing that took `dt` seconds. */
  drawn(dt: number, now: number): void {
    this.drawnAt = now;
    if (this.lean) return;
    this.slow = dt > SLOW ? this.slow + 1 : Math.max(0, this.slow - 2);
    if (this.slow < SLOW_DRAWS) return;
    this.lean = true;
    this.onLean();
  }

  /** Without multisampling, twice the pixels smooth the edges. */
  private get fullRatio(): number {
    return this.software ? Math.max(1.5, Math.min(window.devicePixelRatio, 2)) : Math.min(window.devicePixelRatio, 2);
  }

  private get leanRatio(): number {
    return this.software ? 0.7 : Math.min(1, window.devicePixelRatio);
  }

  private set(ratio: number): void {
    this.renderer.setPixelRatio(ratio);
    pixelRatio.value = ratio;
  }
}
