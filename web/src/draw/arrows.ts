// Arrows at points: velocities and contact forces. One instanced mesh; the shader turns and stretches it.

import {
  BufferGeometry,
  Color,
  ConeGeometry,
  CylinderGeometry,
  DynamicDrawUsage,
  Group,
  InstancedBufferAttribute,
  InstancedBufferGeometry,
  Mesh,
  ShaderMaterial,
  type IUniform,
} from "three";
import { mergeGeometries } from "three/addons/utils/BufferGeometryUtils.js";

const VERTEX = `
attribute vec3 origin;
attribute vec3 arrow;
uniform float thickness;
varying vec3 vNormal2;
void main() {
  float size = length(arrow);
  vec3 along = size > 0.0 ? arrow / size : vec3(0.0, 0.0, 1.0);
  vec3 aside = normalize(abs(along.z) < 0.9 ? cross(along, vec3(0.0, 0.0, 1.0)) : cross(along, vec3(1.0, 0.0, 0.0)));
  vec3 third = cross(along, aside);
  // The head keeps its shape on short arrows: at most half of the length.
  float width = min(thickness, 0.12 * size);
  float head = 4.0 * width;
  float z = position.z > 0.5 ? size - head * (1.0 - (position.z - 0.5) * 2.0) : position.z * 2.0 * (size - head);
  vec3 at = origin + width * (position.x * aside + position.y * third) + z * along;
  vNormal2 = normalize((viewMatrix * vec4(normal.x * aside + normal.y * third + normal.z * along, 0.0)).xyz);
  gl_Position = projectionMatrix * viewMatrix * vec4(at, 1.0);
}`;

const FRAGMENT = `
uniform vec3 colour;
uniform float opacity;
varying vec3 vNormal2;
void main() {
  float light = 0.62 + 0.38 * clamp(dot(normalize(vNormal2), normalize(vec3(-0.3, 0.6, 0.7))), 0.0, 1.0);
  gl_FragColor = vec4(colour * light, opacity);
  #include <colorspace_fragment>
}`;

/** Along z: shaft from 0 to 0.5, head from 0.5 to 1; the shader gives both their lengths. */
function arrowShape(): BufferGeometry {
  const shaft = new CylinderGeometry(0.5, 0.5, 0.5, 8, 1, true).rotateX(Math.PI / 2).translate(0, 0, 0.25);
  const head = new ConeGeometry(1.5, 0.4999, 12, 1).rotateX(Math.PI / 2).translate(0, 0, 0.75005);
  return mergeGeometries([shaft, head]);
}

export class Arrows {
  readonly group = new Group();
  private readonly geometry = new InstancedBufferGeometry();
  private readonly materials: ShaderMaterial[] = [];
  private readonly colour: IUniform<Color> = { value: new Color() };
  private readonly thickness: IUniform<number> = { value: 1 };
  private readonly origin: InstancedBufferAttribute;
  private readonly arrow: InstancedBufferAttribute;
  /** Largest vector seen, fading slowly; it gets the longest arrow. */
  private largest = 0;

  constructor(readonly capacity: number) {
    const { geometry } = this;
    const shape = arrowShape();
    geometry.setIndex(shape.index);
    for (const name of ["position", "normal"]) geometry.setAttribute(name, shape.getAttribute(name));
    this.origin = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
    this.arrow = new InstancedBufferAttribute(new Float32Array(3 * capacity), 3).setUsage(DynamicDrawUsage);
    geometry.setAttribute("origin", this.origin);
    geometry.setAttribute("arrow", this.arrow);
    geometry.instanceCount = 0;
    this.addLayer(1, true);
    this.addLayer(0.22, false);
    this.group.visible = false;
  }

  dress(colour: string): void {
    this.colour.value.set(colour);
  }

  /** Arrows for the vectors at `points`; zero vectors get none. The largest is `longest` metres long. */
  place(points: ArrayLike<number>, positions: Float32Array, vectors: Float32Array, longest: number): void {
    const from = this.origin.array as Float32Array;
    const to = this.arrow.array as Float32Array;
    let square = 0;
    for (let k = 0; k < points.length; k++) {
      const i = 3 * points[k];
      square = Math.max(square, vectors[i] ** 2 + vectors[i + 1] ** 2 + vectors[i + 2] ** 2 || 0);
    }
    this.largest = Math.max(Math.sqrt(square), 0.97 * this.largest);
    const scale = this.largest > 0 ? longest / this.largest : 0;
    const least = (1e-3 * this.largest) ** 2;
    let n = 0;
    for (let k = 0; k < points.length && n < 3 * this.capacity; k++) {
      const i = 3 * points[k];
      if (!(vectors[i] ** 2 + vectors[i + 1] ** 2 + vectors[i + 2] ** 2 > least)) continue;
      for (let c = 0; c < 3; c++, n++) {
        from[n] = positions[i + c];
        to[n] = scale * vectors[i + c];
      }
    }
    this.thickness.value = 0.03 * longest;
    this.geometry.instanceCount = n / 3;
    this.origin.needsUpdate = this.arrow.needsUpdate = true;
  }

  restart(): void {
    this.largest = 0;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }

  /** Forces between bodies lie hidden in them: one layer shines through faintly. */
  private addLayer(opacity: number, depthTest: boolean): void {
    const uniforms = { colour: this.colour, thickness: this.thickness, opacity: { value: opacity } };
    const transparent = opacity < 1;
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms,
      depthTest,
      depthWrite: !transparent,
      transparent,
    });
    const mesh = new Mesh(this.geometry, material);
    mesh.frustumCulled = false;
    mesh.renderOrder = transparent ? 2 : 0;
    this.materials.push(material);
    this.group.add(mesh);
  }
}
