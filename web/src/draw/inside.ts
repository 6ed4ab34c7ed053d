// The faces of tetrahedra that a cut lays open, flat and with their edges, to see into a body.

import { BufferAttribute, BufferGeometry, Mesh, type Material } from "three";
import { keepTets, openFaces, tetGraph, type Cut, type TetGraph } from "../geometry/tets.ts";
import type { Topology } from "../protocol/scene.ts";
import { dynamic } from "./surface.ts";

export class Inside {
  readonly mesh: Mesh<BufferGeometry, Material>;
  /** Points of the open faces, three a face. */
  faces: number[] = [];
  private graph: TetGraph | undefined;
  private readonly kept: Uint8Array;
  private capacity = 0;

  constructor(
    private readonly topology: Topology,
    private readonly colours: Uint8Array,
    material: Material,
  ) {
    this.kept = new Uint8Array(topology.tets.length / 4);
    this.mesh = new Mesh(new BufferGeometry(), material);
    this.mesh.frustumCulled = false;
    this.mesh.castShadow = this.mesh.receiveShadow = true;
    this.mesh.visible = false;
  }

  /** Cuts at these positions. `hidden`: tetrahedra of bodies not shown. Returns which surface triangles stay. */
  cut(positions: Float32Array, cut: Cut, hidden: ((tet: number) => boolean) | undefined): (triangle: number) => boolean {
    const { tets, triangles } = this.topology;
    this.graph ??= tetGraph(tets, triangles, this.topology.points);
    const { owners } = this.graph;
    keepTets(tets, positions, cut, this.kept);
    if (hidden) for (let t = 0; t < this.kept.length; t++) if (this.kept[t] && hidden(t)) this.kept[t] = 0;
    openFaces(tets, this.graph, this.kept, this.faces);
    this.writePositions(positions);
    const { axis, side } = cut;
    const limit = 3 * cut.position;
    return (triangle) => {
      if (owners[triangle] >= 0) return this.kept[owners[triangle]] === 1;
      const i = 3 * triangle;
      const sum = positions[3 * triangles[i] + axis] + positions[3 * triangles[i + 1] + axis] + positions[3 * triangles[i + 2] + axis];
      return side * (sum - limit) <= 0;
    };
  }

  /** New values of all points, for the colour map. */
  paint(values: Float32Array): void {
    const value = this.mesh.geometry.getAttribute("value") as BufferAttribute | undefined;
    if (!value) return;
    const array = value.array as Float32Array;
    for (let i = 0; i < this.faces.length; i++) array[i] = values[this.faces[i]];
    value.needsUpdate = true;
  }

  dispose(): void {
    this.mesh.geometry.dispose();
  }

  private writePositions(positions: Float32Array): void {
    const count = this.faces.length;
    if (count > this.capacity) this.grow(count);
    if (this.capacity === 0) return;
    const geometry = this.mesh.geometry;
    const position = geometry.getAttribute("position") as BufferAttribute;
    const colour = geometry.getAttribute("color") as BufferAttribute;
    const [to, bytes] = [position.array as Float32Array, colour.array as Uint8Array];
    for (let i = 0; i < count; i++) {
      const p = 3 * this.faces[i];
      for (let c = 0; c < 3; c++) {
        to[3 * i + c] = positions[p + c];
        bytes[3 * i + c] = this.colours[p + c];
      }
    }
    const normal = geometry.getAttribute("normal") as BufferAttribute;
    flatNormals(to, count, normal.array as Float32Array);
    position.needsUpdate = normal.needsUpdate = colour.needsUpdate = true;
    geometry.setDrawRange(0, count);
  }

  /** Half as much again as needed: the next frames open a few faces more. */
  private grow(count: number): void {
    this.capacity = 3 * Math.ceil(count / 2);
    this.mesh.geometry.dispose();
    const geometry = new BufferGeometry();
    geometry.setAttribute("position", dynamic(new Float32Array(3 * this.capacity), 3));
    geometry.setAttribute("normal", dynamic(new Float32Array(3 * this.capacity), 3));
    geometry.setAttribute("value", dynamic(new Float32Array(this.capacity), 1));
    geometry.setAttribute("color", new BufferAttribute(new Uint8Array(3 * this.capacity), 3, true));
    const corner = new Uint8Array(3 * this.capacity);
    for (let v = 0; v < this.capacity; v++) corner[3 * v + (v % 3)] = 255;
    geometry.setAttribute("corner", new BufferAttribute(corner, 3, true));
    this.mesh.geometry = geometry;
  }
}

/** The same unit normal at the three vertices of each face; shadows need it. */
function flatNormals(positions: Float32Array, count: number, out: Float32Array): void {
  for (let i = 0; i < 3 * count; i += 9) {
    const [ux, uy, uz] = [positions[i + 3] - positions[i], positions[i + 4] - positions[i + 1], positions[i + 5] - positions[i + 2]];
    const [vx, vy, vz] = [positions[i + 6] - positions[i], positions[i + 7] - positions[i + 1], positions[i + 8] - positions[i + 2]];
    const [x, y, z] = [uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx];
    const scale = 1 / (Math.hypot(x, y, z) || 1);
    for (let k = i; k < i + 9; k += 3) {
      out[k] = x * scale;
      out[k + 1] = y * scale;
      out[k + 2] = z * scale;
    }
  }
}
