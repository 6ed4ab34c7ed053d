// The camera: orbit, pan and zoom around a target, smooth flights, fits into the part of the page no panel covers.

import { MOUSE, type PerspectiveCamera, Vector2, Vector3 } from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { centre, diagonal, type Bounds } from "../geometry/bounds.ts";

/** From front-left-above, as in aspic's film strips. */
const EYE = new Vector3(-0.55, -1.0, 0.5).normalize();
const FLIGHT = 0.55;
/** Room around what is fitted. */
const MARGIN = 1.12;

interface Flight {
  passed: number;
  seconds: number;
  fromTarget: Vector3;
  fromOffset: Vector3;
  toTarget: Vector3;
  toOffset: Vector3;
}

export class CameraRig {
  readonly controls: OrbitControls;
  /** Whether the user has moved the camera; until then it may follow the scene by itself. */
  touched = false;
  private flight: Flight | undefined;
  private free = { width: 1, height: 1 };
  private full = { width: 1, height: 1 };
  /** From the middle of the free part to that of the page [px]: where it is, and where it goes. */
  private readonly shift = new Vector2();
  private readonly goal = new Vector2();
  private size = 1;

  constructor(
    private readonly camera: PerspectiveCamera,
    canvas: HTMLCanvasElement,
    changed: () => void,
  ) {
    camera.up.set(0, 0, 1);
    camera.position.copy(EYE);
    this.controls = new OrbitControls(camera, canvas);
    this.controls.enableDamping = true;
    this.controls.dampingFactor = 0.12;
    this.controls.zoomToCursor = true;
    this.controls.rotateSpeed = 0.85;
    this.controls.zoomSpeed = 1.2;
    this.controls.addEventListener("change", changed);
    this.controls.addEventListener("start", () => {
      this.touched = true;
      this.flight = undefined;
    });
  }

  /** Films: left turns, right pans. Live: left may grab, so right turns and the middle pans. */
  setButtons(live: boolean): void {
    this.controls.mouseButtons = live
      ? { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.ROTATE }
      : { LEFT: MOUSE.ROTATE, MIDDLE: MOUSE.PAN, RIGHT: MOUSE.PAN };
  }

  resize(width: number, height: number, free: { x: number; y: number; width: number; height: number }): void {
    this.full = { width, height };
    this.free = { width: free.width, height: free.height };
    this.camera.aspect = width / height;
    const first = this.goal.lengthSq() === 0;
    this.goal.set(0.5 * width - (free.x + 0.5 * free.width), 0.5 * height - (free.y + 0.5 * free.height));
    if (first || !this.touched) this.shift.copy(this.goal);
    this.applyShift();
  }

  /** Looks at a box from the present direction, or from the first one. */
  fit(bounds: Bounds, smooth: boolean, fromStart = false): void {
    const target = new Vector3(...centre(bounds));
    const offset = this.camera.position.clone().sub(this.controls.target);
    const eye = fromStart || offset.lengthSq() < 1e-20 ? EYE.clone() : offset.normalize();
    this.size = diagonal(bounds);
    this.controls.minDistance = 0.05 * this.size;
    this.controls.maxDistance = 30 * this.size;
    this.fly(target, eye.multiplyScalar(this.distanceFor(bounds, target, eye)), smooth);
  }

  /** Moves on; true when the picture changes. */
  update(dt: number): boolean {
    let moved = false;
    if (this.flight) moved = this.step(this.flight, dt);
    if (this.controls.update()) moved = true;
    if (this.shift.distanceToSquared(this.goal) > 0) moved = this.slide(dt);
    if (moved) this.setDepth();
    return moved;
  }

  private fly(target: Vector3, offset: Vector3, smooth: boolean): void {
    this.flight = {
      passed: 0,
      seconds: smooth ? FLIGHT : 0,
      fromTarget: this.controls.target.clone(),
      fromOffset: this.camera.position.clone().sub(this.controls.target),
      toTarget: target,
      toOffset: offset,
    };
  }

  private step(flight: Flight, dt: number): boolean {
    flight.passed += dt;
    const part = flight.seconds === 0 ? 1 : Math.min(flight.passed / flight.seconds, 1);
    const ease = part * part * (3 - 2 * part);
    this.controls.target.lerpVectors(flight.fromTarget, flight.toTarget, ease);
    // Direction and distance apart, so that the way does not cut through the scene.
    const length = flight.fromOffset.length() ** (1 - ease) * flight.toOffset.length() ** ease;
    const offset = flight.fromOffset.clone().normalize().lerp(flight.toOffset.clone().normalize(), ease).setLength(length);
    this.camera.position.copy(this.controls.target).add(offset);
    if (part === 1) this.flight = undefined;
    return true;
  }

  /** When a panel opens or closes, the scene slides to its new middle. */
  private slide(dt: number): boolean {
    this.shift.lerp(this.goal, 1 - Math.exp(-14 * dt));
    if (this.shift.distanceToSquared(this.goal) < 0.25) this.shift.copy(this.goal);
    this.applyShift();
    return true;
  }

  private applyShift(): void {
    const { width, height } = this.full;
    this.camera.setViewOffset(width, height, this.shift.x, this.shift.y, width, height);
    this.camera.updateProjectionMatrix();
  }

  /** The distance at which all corners of the box lie in the free part of the page. */
  private distanceFor(bounds: Bounds, target: Vector3, eye: Vector3): number {
    const right = new Vector3().crossVectors(this.camera.up, eye);
    if (right.lengthSq() < 1e-9) right.set(1, 0, 0);
    right.normalize();
    const up = new Vector3().crossVectors(eye, right);
    const half = Math.tan((this.camera.fov * Math.PI) / 360);
    const tanY = (half * this.free.height) / this.full.height;
    const tanX = (half * this.camera.aspect * this.free.width) / this.full.width;
    let distance = 0.2 * this.size;
    for (let k = 0; k < 8; k++) {
      const corner = new Vector3(...([0, 1, 2].map((c) => (k & (1 << c) ? bounds.upper[c] : bounds.lower[c])) as [number, number, number]));
      corner.sub(target);
      const towards = corner.dot(eye);
      const need = Math.max(Math.abs(corner.dot(right)) / tanX, Math.abs(corner.dot(up)) / tanY);
      distance = Math.max(distance, towards + MARGIN * need);
    }
    return distance;
  }

  private setDepth(): void {
    const distance = this.camera.position.distanceTo(this.controls.target);
    this.camera.near = Math.max(0.02 * distance, 0.002 * this.size);
    this.camera.far = distance + 40 * this.size;
    this.camera.updateProjectionMatrix();
  }
}
