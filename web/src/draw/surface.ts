// The surfaces of all bodies as one mesh: positions and normals are written in place, frame by frame.

import { BufferAttribute, BufferGeometry, Color, DynamicDrawUsage, LineBasicMaterial, LineSegments, Mesh, type Material } from "three";
import { splitAtCreases, type Split } from "../geometry/crease.ts";
import { uniqueEdges } from "../geometry/incidence.ts";
import { gather1, gather3, smoothNormals } from "../geometry/normals.ts";
import type { Scene, Topology } from "../protocol/scene.ts";

export class Surface {
  readonly mesh: Mesh<BufferGeometry, Material>;
  readonly wire: LineSegments<BufferGeometry, LineBasicMaterial>;
  /** The triangles drawn now. */
  shown: Uint32Array;
  private readonly allShown: Uint32Array;
  private readonly split: Split;
  private readonly position: BufferAttribute;
  private readonly normal: BufferAttribute;
  private readonly value: BufferAttribute;
  private readonly index: BufferAttribute;
  private edgesStale = true;

  constructor(scene: Scene, topology: Topology, material: Material, colours: readonly string[]) {
    this.split = splitAtCreases(topology.triangles, topology.rest, topology.points);
    const vertices = this.split.source.length;
    this.position = dynamic(new Float32Array(3 * vertices), 3);
    this.normal = dynamic(new Float32Array(3 * vertices), 3);
    this.value = dynamic(new Float32Array(vertices), 1);
    this.index = new BufferAttribute(this.split.corners.slice(), 1).setUsage(DynamicDrawUsage);
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    geometry.setAttribute("normal", this.normal);
    geometry.setAttribute("value", this.value);
    const colour = pointColours(scene, topology.points, colours);
    geometry.setAttribute("color", new BufferAttribute(gatherBytes(this.split.source, colour), 3, true));
    geometry.setIndex(this.index);
    this.mesh = new Mesh(geometry, material);
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.wire = this.makeWire();
    this.allShown = Uint32Array.from({ length: topology.triangles.length / 3 }, (_, i) => i);
    this.shown = this.allShown;
  }

  /** New positions of all points [m]. */
  move(positions: Float32Array): void {
    gather3(this.split.source, positions, this.position.array as Float32Array);
    smoothNormals(this.split.corners, this.position.array as Float32Array, this.normal.array as Float32Array);
    this.position.needsUpdate = true;
    this.normal.needsUpdate = true;
  }

  /** New values of all points, for the colour map. */
  paint(values: Float32Array): void {
    gather1(this.split.source, values, this.value.array as Float32Array);
    this.value.needsUpdate = true;
  }

  /** Draws only some triangles; `undefined` draws all. */
  show(keep: ((triangle: number) => boolean) | undefined): void {
    const list = this.allShown;
    const corners = this.split.corners;
    const index = this.index.array as Uint32Array;
    this.shown = keep ? list.filter(keep) : list;
    for (let s = 0, o = 0; s < this.shown.length; s++) {
      const c = 3 * this.shown[s];
      index[o++] = corners[c];
      index[o++] = corners[c + 1];
      index[o++] = corners[c + 2];
    }
    this.index.needsUpdate = true;
    this.mesh.geometry.setDrawRange(0, 3 * this.shown.length);
    this.edgesStale = true;
  }

  /** Call before drawing: edges are listed only when they are wanted. */
  showWire(on: boolean): void {
    this.wire.visible = on;
    if (!on || !this.edgesStale) return;
    this.edgesStale = false;
    const corners = (this.index.array as Uint32Array).subarray(0, 3 * this.shown.length);
    this.wire.geometry.setIndex(new BufferAttribute(uniqueEdges(corners, this.split.source.length), 1));
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.wire.geometry.dispose();
    this.wire.material.dispose();
  }

  private makeWire(): LineSegments<BufferGeometry, LineBasicMaterial> {
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", this.position);
    const material = new LineBasicMaterial({ color: 0x000000, transparent: true, opacity: 0.32, depthWrite: false });
    // Lines on the surface win against it: a little towards the eye.
    material.onBeforeCompile = (shader) => {
      shader.vertexShader = shader.vertexShader.replace(
        "#include <project_vertex>",
        "#include <project_vertex>\nmvPosition.xyz *= 0.9985;\ngl_Position = projectionMatrix * mvPosition;",
      );
    };
    const wire = new LineSegments(geometry, material);
    wire.frustumCulled = false;
    wire.visible = false;
    return wire;
  }
}

export function dynamic(array: Float32Array, width: number): BufferAttribute {
  return new BufferAttribute(array, width).setUsage(DynamicDrawUsage);
}

/** Linear colour of every point as bytes, from the colour of its body. */
export function pointColours(scene: Scene, points: number, colours: readonly string[]): Uint8Array {
  const out = new Uint8Array(3 * points).fill(180);
  const colour = new Color();
  scene.bodies.forEach((body, b) => {
    colour.set(colours[b]);
    const bytes = [colour.r, colour.g, colour.b].map((x) => Math.round(255 * x));
    for (let p = body.points[0]; p < body.points[1]; p++) out.set(bytes, 3 * p);
  });
  return out;
}

function gatherBytes(source: Uint32Array, from: Uint8Array): Uint8Array {
  const out = new Uint8Array(3 * source.length);
  for (let v = 0; v < source.length; v++) for (let c = 0; c < 3; c++) out[3 * v + c] = from[3 * source[v] + c];
  return out;
}
