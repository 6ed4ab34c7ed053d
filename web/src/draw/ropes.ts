// Ropes as tubes: one instanced capsule, turned and stretched by the shader along each segment. Neighbours share the
// ball at their joint, so bends are round.

import {
  BufferAttribute,
  type BufferGeometry,
  DynamicDrawUsage,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  type Material,
  MeshDepthMaterial,
  Vector2,
} from "three";
import { capsule } from "../geometry/capsule.ts";
import type { Vector } from "../geometry/pick.ts";
import { pickSegment, type Pass } from "../geometry/segments.ts";
import type { Scene, Topology } from "../protocol/scene.ts";
import { tubeMaterial, tubePlaces, type PaintUniforms, type TubeUniforms } from "./material.ts";

/** From this many segments on capsules are plain. */
const MANY = 4000;
/** Ropes are drawn at least this wide [CSS px]. */
const LEAST_WIDTH = 1.2;

export class Ropes {
  readonly mesh: Mesh<BufferGeometry, Material>;
  /** The edges drawn now. */
  shown: Uint32Array;
  /** Half the thickness of each edge [m]. */
  readonly radii: Float32Array;
  private readonly all: Uint32Array;
  private readonly geometry = new InstancedBufferGeometry();
  private readonly from: InstancedBufferAttribute;
  private readonly to: InstancedBufferAttribute;
  private readonly radius: InstancedBufferAttribute;
  private readonly colour: InstancedBufferAttribute;
  private readonly values: InstancedBufferAttribute;
  private readonly uniforms: TubeUniforms = { pixel: { value: 0 }, rings: { value: 0 } };

  constructor(
    scene: Scene,
    private readonly topology: Topology,
    private readonly colours: Uint8Array,
    paint: PaintUniforms,
  ) {
    const count = topology.edges.length / 2;
    this.all = Uint32Array.from({ length: count }, (_, e) => e);
    this.shown = this.all;
    this.radii = new Float32Array(count);
    for (const { edges, radius } of scene.bodies) this.radii.fill(radius, edges[0], edges[1]);
    const make = (width: number) => new InstancedBufferAttribute(new Float32Array(width * count), width).setUsage(DynamicDrawUsage);
    [this.from, this.to, this.radius, this.values] = [make(3), make(3), make(1), make(2)];
    this.colour = new InstancedBufferAttribute(new Uint8Array(3 * count), 3, true).setUsage(DynamicDrawUsage);
    this.build(count);
    this.mesh = new Mesh(this.geometry, tubeMaterial(paint, this.uniforms));
    this.mesh.customDepthMaterial = tubePlaces(new MeshDepthMaterial(), { ...this.uniforms, pixel: { value: 0 } });
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.visible = count > 0;
    const size = new Vector2();
    this.mesh.onBeforeRender = (renderer, _scene, camera) => {
      renderer.getSize(size);
      this.uniforms.pixel.value = LEAST_WIDTH / (camera.projectionMatrix.elements[5] * size.y);
    };
    this.show(undefined);
  }

  /** Draws only some edges; `undefined` draws all. */
  show(keep: ((edge: number) => boolean) | undefined): void {
    this.shown = keep ? this.all.filter(keep) : this.all;
    const [radius, colour] = [this.radius.array as Float32Array, this.colour.array as Uint8Array];
    for (let s = 0; s < this.shown.length; s++) {
      const e = this.shown[s];
      const p = 3 * this.topology.edges[2 * e];
      radius[s] = this.radii[e];
      for (let c = 0; c < 3; c++) colour[3 * s + c] = this.colours[p + c];
    }
    this.geometry.instanceCount = this.shown.length;
    this.radius.needsUpdate = this.colour.needsUpdate = true;
  }

  /** New positions of all points [m]. */
  move(positions: Float32Array): void {
    const { edges } = this.topology;
    const [from, to] = [this.from.array as Float32Array, this.to.array as Float32Array];
    for (let s = 0, o = 0; s < this.shown.length; s++, o += 3) {
      const a = 3 * edges[2 * this.shown[s]];
      const b = 3 * edges[2 * this.shown[s] + 1];
      from[o] = positions[a];
      from[o + 1] = positions[a + 1];
      from[o + 2] = positions[a + 2];
      to[o] = positions[b];
      to[o + 1] = positions[b + 1];
      to[o + 2] = positions[b + 2];
    }
    this.from.needsUpdate = this.to.needsUpdate = true;
  }

  /** New values of all points, for the colour map. */
  paint(values: Float32Array): void {
    const { edges } = this.topology;
    const to = this.values.array as Float32Array;
    for (let s = 0; s < this.shown.length; s++) {
      to[2 * s] = values[edges[2 * this.shown[s]]];
      to[2 * s + 1] = values[edges[2 * this.shown[s] + 1]];
    }
    this.values.needsUpdate = true;
  }

  /** Rings where segments meet. */
  showWire(on: boolean): void {
    this.uniforms.rings.value = on ? 1 : 0;
  }

  /** The rope that a ray meets or passes near; `slack` as the eye sees it, per length along the ray. */
  pick(origin: Vector, direction: Vector, positions: Float32Array, slack: number): Pass | null {
    return pickSegment(origin, direction, positions, this.topology.edges, this.shown, this.radii, slack);
  }

  dispose(): void {
    this.geometry.dispose();
    this.mesh.material.dispose();
    this.mesh.customDepthMaterial?.dispose();
  }

  private build(count: number): void {
    const { round, ends, index } = count > MANY ? capsule(6, 1) : capsule(12, 3);
    const { geometry } = this;
    geometry.setIndex(new BufferAttribute(index, 1));
    geometry.setAttribute("position", new BufferAttribute(round, 3));
    geometry.setAttribute("normal", new BufferAttribute(round, 3));
    geometry.setAttribute("end", new BufferAttribute(ends, 1));
    geometry.setAttribute("from", this.from);
    geometry.setAttribute("to", this.to);
    geometry.setAttribute("radius", this.radius);
    geometry.setAttribute("color", this.colour);
    geometry.setAttribute("values", this.values);
  }
}
