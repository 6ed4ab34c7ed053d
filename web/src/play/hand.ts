// The hand of the user in a live scene: grabs the point under the pointer, pulls it, pins it.

import { Plane, Vector3 } from "three";
import type { Stage } from "../draw/stage.ts";
import type { SceneView } from "../draw/view.ts";
import type { Command } from "../protocol/message.ts";
import { fromText } from "../ui/dom.ts";

/** Two taps within this time and distance pin a point [ms, px]. */
const TAP_TIME = 350;
const TAP_DISTANCE = 12;

export interface HandWorld {
  stage: Stage;
  /** The scene on show, when it is live. */
  live(): SceneView | undefined;
  send(command: Command): void;
}

interface Grip {
  pointer: number;
  point: number;
  /** Parallel to the screen, through the point where it was grabbed. */
  plane: Plane;
  to: Vector3;
  sent: boolean;
  at: [number, number];
}

export class Hand {
  /** Drawn over the canvas: the line from the point to the pointer, and the point that would be grabbed. */
  readonly overlay = fromText(
    '<svg class="hand-overlay" aria-hidden="true"><circle class="hover" r="6"/><line class="pull"/><circle class="held" r="5"/><circle class="goal" r="7"/></svg>',
  );
  private grip: Grip | undefined;
  private hover: { x: number; y: number; stale: boolean } | undefined;
  private hoverPoint = -1;
  private lastTap = { time: -Infinity, x: 0, y: 0 };

  constructor(
    private readonly world: HandWorld,
    root: HTMLElement,
  ) {
    // Before the orbit controls, which listen on the canvas itself.
    root.addEventListener("pointerdown", (event) => this.down(event), true);
    root.addEventListener("pointermove", (event) => this.move(event), true);
    for (const name of ["pointerup", "pointercancel"] as const) root.addEventListener(name, (event) => this.up(event), true);
    root.addEventListener("pointerleave", () => (this.hover = undefined));
    root.addEventListener("contextmenu", (event) => {
      if (event.target === world.stage.canvas) event.preventDefault();
    });
  }

  get grabbed(): number | null {
    return this.grip?.point ?? null;
  }

  /** Sends the newest goal; call once per drawing. */
  flush(): void {
    const { grip } = this;
    if (!grip || grip.sent) return;
    grip.sent = true;
    this.world.send({ do: "grab", point: grip.point, to: grip.to.toArray() });
  }

  /** Pins the point under the pointer, or lets it go. */
  togglePin(): void {
    const point = this.grip?.point ?? this.hoverPoint;
    const view = this.world.live();
    if (view && point >= 0) this.world.send({ do: view.isPinned(point) ? "unpin" : "pin", point });
  }

  /** After a drawing: puts the marks where their points are. */
  drawn(): void {
    const view = this.world.live();
    if (!view) this.grip = undefined;
    this.findHover(view);
    const { grip } = this;
    this.overlay.classList.toggle("pulling", grip !== undefined);
    this.overlay.classList.toggle("hovering", grip === undefined && this.hoverPoint >= 0);
    if (!view) return;
    if (grip) this.drawPull(grip, this.place(view, grip.point));
    else if (this.hoverPoint >= 0)
      setAttributes(this.overlay.querySelector(".hover"), {
        cx: this.place(view, this.hoverPoint)[0],
        cy: this.place(view, this.hoverPoint)[1],
      });
  }

  private drawPull(grip: Grip, [x, y]: [number, number]): void {
    setAttributes(this.overlay.querySelector(".pull"), { x1: x, y1: y, x2: grip.at[0], y2: grip.at[1] });
    setAttributes(this.overlay.querySelector(".held"), { cx: x, cy: y });
    setAttributes(this.overlay.querySelector(".goal"), { cx: grip.at[0], cy: grip.at[1] });
  }

  private down(event: PointerEvent): void {
    const view = this.world.live();
    if (!view || event.target !== this.world.stage.canvas || event.button !== 0 || this.grip) return;
    // Shift, Ctrl and Meta belong to the camera.
    if (event.shiftKey || event.ctrlKey || event.metaKey) return;
    const [x, y] = this.onCanvas(event);
    const point = this.pointAt(view, x, y);
    const twice = this.isSecondTap(event, x, y);
    if (point < 0) return;
    event.stopPropagation();
    event.preventDefault();
    if (twice) return this.world.send({ do: view.isPinned(point) ? "unpin" : "pin", point });
    const normal = this.world.stage.camera.getWorldDirection(new Vector3());
    const plane = new Plane().setFromNormalAndCoplanarPoint(normal, position(view, point));
    this.grip = { pointer: event.pointerId, point, plane, to: position(view, point), sent: false, at: [x, y] };
    this.world.stage.canvas.setPointerCapture(event.pointerId);
    this.aim(this.grip, x, y);
  }

  private move(event: PointerEvent): void {
    const [x, y] = this.onCanvas(event);
    if (this.grip?.pointer === event.pointerId) {
      event.stopPropagation();
      this.aim(this.grip, x, y);
    } else if (event.pointerType !== "touch") {
      const free = event.target === this.world.stage.canvas && event.buttons === 0;
      this.hover = free ? { x, y, stale: true } : undefined;
      this.world.stage.invalidate();
    }
  }

  private up(event: PointerEvent): void {
    if (this.grip?.pointer !== event.pointerId) return;
    event.stopPropagation();
    this.grip = undefined;
    this.world.send({ do: "release" });
    this.world.stage.invalidate();
  }

  private aim(grip: Grip, x: number, y: number): void {
    const { origin, direction } = this.world.stage.ray(x, y);
    // Distance along the ray to the plane; both face the same way, so it exists.
    const along = -grip.plane.distanceToPoint(origin) / grip.plane.normal.dot(direction);
    grip.to.copy(origin).addScaledVector(direction, along);
    grip.at = [x, y];
    grip.sent = false;
    this.world.stage.invalidate();
  }

  private isSecondTap(event: PointerEvent, x: number, y: number): boolean {
    const { time, x: lastX, y: lastY } = this.lastTap;
    const twice = event.timeStamp - time < TAP_TIME && Math.hypot(x - lastX, y - lastY) < TAP_DISTANCE;
    this.lastTap = { time: twice ? -Infinity : event.timeStamp, x, y };
    return twice;
  }

  /** The point that can be grabbed at a place, or −1. Obstacles cannot. */
  private pointAt(view: SceneView, x: number, y: number): number {
    const hit = view.pick(this.world.stage.ray(x, y));
    if (!hit) return -1;
    return view.scene.bodies[view.bodyOfPoint(hit.point)]?.kind === "obstacle" ? -1 : hit.point;
  }

  private findHover(view: SceneView | undefined): void {
    if (!view || !this.hover) {
      this.hoverPoint = -1;
    } else if (!this.grip) {
      this.hoverPoint = this.pointAt(view, this.hover.x, this.hover.y);
    }
    this.world.stage.canvas.style.cursor = this.grip ? "grabbing" : this.hoverPoint >= 0 ? "grab" : "";
  }

  private place(view: SceneView, point: number): [number, number] {
    return this.world.stage.project(position(view, point));
  }

  private onCanvas(event: PointerEvent): [number, number] {
    const { left, top } = this.world.stage.canvas.getBoundingClientRect();
    return [event.clientX - left, event.clientY - top];
  }
}

function position(view: SceneView, point: number): Vector3 {
  return new Vector3().fromArray(view.positions, 3 * point);
}

function setAttributes(node: Element | null, values: Record<string, number>): void {
  for (const [name, value] of Object.entries(values)) node?.setAttribute(name, value.toFixed(1));
}
