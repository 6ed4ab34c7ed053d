// The stage: renderer, camera, lights. Draws only when something changed.

import {
  DirectionalLight,
  HemisphereLight,
  NeutralToneMapping,
  PCFShadowMap,
  PerspectiveCamera,
  Raycaster,
  Scene,
  Vector2,
  Vector3,
  WebGLRenderer,
} from "three";
import { centre, diagonal, type Bounds } from "../geometry/bounds.ts";
import { CameraRig } from "./camera.ts";
import { studio } from "./environment.ts";
import type { Look } from "./look.ts";
import { isSoftware, Quality } from "./quality.ts";
import { softenShadows } from "./shadows.ts";

/** From the scene to the lamp. */
const LAMP = new Vector3(-0.55, -0.62, 1.25).normalize();
const ABOVE = new Vector3(0, 0, 1);
/** Sizes of the shadow maps; the softer shadow needs less. */
const SHADOW_PIXELS = 1024;
const ABOVE_PIXELS = 384;

export class Stage {
  readonly scene = new Scene();
  readonly camera = new PerspectiveCamera(32, 1, 0.01, 100);
  readonly rig: CameraRig;
  readonly renderer: WebGLRenderer;
  readonly quality: Quality;
  /** Called before each drawing, with the time since the last [s]. */
  onTick: (dt: number, now: number) => void = () => {};
  /** Called after each drawing. */
  onDrawn: () => void = () => {};
  private readonly key = new DirectionalLight("#fff6ea");
  /** Straight from above, with a wide soft shadow: bodies stand on the ground instead of floating. */
  private readonly above = new DirectionalLight("#ffffff");
  private readonly fill = new HemisphereLight();
  private readonly raycaster = new Raycaster();
  private dirty = true;
  private last = 0;
  private width = 1;
  private height = 1;

  constructor(readonly canvas: HTMLCanvasElement) {
    const software = isSoftware();
    softenShadows(software ? 5 : 18);
    this.renderer = new WebGLRenderer({ canvas, antialias: !software, alpha: true, powerPreference: "high-performance" });
    this.renderer.toneMapping = NeutralToneMapping;
    this.renderer.shadowMap.enabled = true;
    this.renderer.shadowMap.type = PCFShadowMap;
    this.quality = new Quality(this.renderer, software);
    this.scene.environment = studio(this.renderer);
    castSoft(this.key, SHADOW_PIXELS, 7, 1);
    if (!software) castSoft(this.above, ABOVE_PIXELS, 10, 0.7);
    this.scene.add(this.key, this.key.target, this.above, this.above.target, this.fill);
    this.fill.position.set(0, 0, 1);
    this.rig = new CameraRig(this.camera, canvas, () => this.invalidate());
    requestAnimationFrame(this.loop);
  }

  invalidate(): void {
    this.dirty = true;
  }

  dress(look: Look): void {
    this.scene.environmentIntensity = look.environment;
    this.key.intensity = look.key;
    this.above.intensity = look.above;
    this.fill.color.set(look.sky);
    this.fill.groundColor.set(look.floor);
    this.fill.intensity = look.fill;
    this.renderer.toneMappingExposure = look.exposure;
    this.invalidate();
  }

  /** Size of the canvas and the part of it that no panel covers, in CSS pixels. */
  resize(width: number, height: number, free: { x: number; y: number; width: number; height: number }): void {
    if (width < 1 || height < 1) return;
    [this.width, this.height] = [width, height];
    this.renderer.setSize(width, height, false);
    this.rig.resize(width, height, free);
    this.invalidate();
  }

  /** Shadows fall from and on what lies in this box. */
  light(bounds: Bounds): void {
    aim(this.key, LAMP, bounds);
    aim(this.above, ABOVE, bounds);
    this.invalidate();
  }

  /** A ray through a place on the canvas (CSS pixels), and the size of such a pixel at the distance 1 [m]. */
  ray(x: number, y: number): { origin: Vector3; direction: Vector3; pixel: number } {
    this.raycaster.setFromCamera(new Vector2((2 * x) / this.width - 1, 1 - (2 * y) / this.height), this.camera);
    const { origin, direction } = this.raycaster.ray;
    return { origin, direction, pixel: 2 / (this.camera.projectionMatrix.elements[5] * this.height) };
  }

  /** Where a point of space is on the canvas (CSS pixels). */
  project(point: Vector3): [number, number] {
    const at = point.clone().project(this.camera);
    return [0.5 * (at.x + 1) * this.width, 0.5 * (1 - at.y) * this.height];
  }

  private readonly loop = (now: number): void => {
    requestAnimationFrame(this.loop);
    const dt = Math.min((now - this.last) / 1000, 0.25);
    this.last = now;
    this.onTick(dt, now);
    if (this.rig.update(dt)) this.dirty = true;
    if (this.dirty) this.quality.moving();
    else if (!this.quality.resting(now)) return;
    this.dirty = false;
    this.renderer.render(this.scene, this.camera);
    this.onDrawn();
    this.quality.drawn(dt, performance.now());
  };
}

function castSoft(lamp: DirectionalLight, pixels: number, radius: number, intensity: number): void {
  lamp.castShadow = true;
  lamp.shadow.mapSize.set(pixels, pixels);
  lamp.shadow.radius = radius;
  lamp.shadow.intensity = intensity;
}

/** Lets a lamp shine from a direction on a box. */
function aim(lamp: DirectionalLight, direction: Vector3, bounds: Bounds): void {
  const size = diagonal(bounds);
  const half = 0.62 * size;
  lamp.target.position.set(...centre(bounds));
  lamp.position.copy(lamp.target.position).addScaledVector(direction, 2 * size);
  lamp.target.updateMatrixWorld();
  const { camera, mapSize } = lamp.shadow;
  Object.assign(camera, { left: -half, right: half, top: half, bottom: -half, near: 0.5 * size, far: 4.5 * size });
  camera.updateProjectionMatrix();
  lamp.shadow.normalBias = (2.5 * size) / mapSize.x;
  lamp.shadow.bias = -4e-4;
}
