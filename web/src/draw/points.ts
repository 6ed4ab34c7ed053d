// Round marks at points: nodes, constraints, pins. Marks hidden behind a body shine through faintly.

import { BufferGeometry, Color, Group, Points, ShaderMaterial, type IUniform } from "three";
import { pixelRatio } from "./quality.ts";
import { dynamic } from "./surface.ts";

const VERTEX = `
uniform float size;
uniform float ratio;
void main() {
  vec4 at = modelViewMatrix * vec4(position, 1.0);
  // A little towards the eye: marks sit on surfaces, not in them.
  at.xyz *= 0.995;
  gl_Position = projectionMatrix * at;
  gl_PointSize = size * ratio;
}`;

const FRAGMENT = `
uniform vec3 colour;
uniform float opacity;
uniform float ring;
void main() {
  float r = 2.0 * length(gl_PointCoord - 0.5);
  float soft = fwidth(r);
  float disc = 1.0 - smoothstep(1.0 - 2.0 * soft, 1.0, r);
  float core = ring > 0.5 ? smoothstep(0.56 - soft, 0.56 + soft, r) + (1.0 - smoothstep(0.30 - soft, 0.30 + soft, r)) : 1.0;
  float rim = ring > 0.5 ? 0.0 : smoothstep(0.62, 0.80, r);
  float alpha = disc * core * opacity;
  if (alpha < 0.01) discard;
  gl_FragColor = vec4(mix(colour, vec3(0.04, 0.05, 0.07), 0.55 * rim), alpha);
  #include <colorspace_fragment>
}`;

export interface MarkStyle {
  /** CSS pixels. */
  size: number;
  /** A ring with a dot instead of a disc. */
  ring?: boolean;
  /** How much of a hidden mark is seen, 0 … 1. */
  through?: number;
}

export class Marks {
  readonly group = new Group();
  private readonly geometry = new BufferGeometry();
  private readonly materials: ShaderMaterial[] = [];
  private readonly colour: IUniform<Color> = { value: new Color() };
  private readonly size: IUniform<number> = { value: 1 };
  private capacity = 0;

  constructor(private readonly style: MarkStyle) {
    this.addLayer(style, 1, true);
    if (style.through) this.addLayer(style, style.through, false);
    this.group.visible = false;
  }

  dress(colour: string): void {
    this.colour.value.set(colour);
  }

  /** Puts marks at these points. */
  place(points: ArrayLike<number>, positions: Float32Array): void {
    if (points.length > this.capacity) this.grow(points.length);
    this.geometry.setDrawRange(0, points.length);
    // Where many lie close together, large marks would hide the body.
    this.size.value = this.style.size * (points.length > 200 ? 0.45 : points.length > 30 ? 0.65 : 1);
    if (this.capacity === 0) return;
    const attribute = this.geometry.getAttribute("position");
    const to = attribute.array as Float32Array;
    for (let k = 0; k < points.length; k++) {
      const i = 3 * points[k];
      to[3 * k] = positions[i];
      to[3 * k + 1] = positions[i + 1];
      to[3 * k + 2] = positions[i + 2];
    }
    attribute.needsUpdate = true;
  }

  dispose(): void {
    this.geometry.dispose();
    for (const material of this.materials) material.dispose();
  }

  private addLayer(style: MarkStyle, opacity: number, depthTest: boolean): void {
    const material = new ShaderMaterial({
      vertexShader: VERTEX,
      fragmentShader: FRAGMENT,
      uniforms: {
        size: this.size,
        ratio: pixelRatio,
        colour: this.colour,
        opacity: { value: opacity },
        ring: { value: style.ring ? 1 : 0 },
      },
      transparent: true,
      depthTest,
      depthWrite: false,
    });
    const points = new Points(this.geometry, material);
    points.frustumCulled = false;
    points.renderOrder = 3;
    this.materials.push(material);
    this.group.add(points);
  }

  private grow(count: number): void {
    this.capacity = Math.max(16, Math.ceil(1.5 * count));
    this.geometry.dispose();
    this.geometry.setAttribute("position", dynamic(new Float32Array(3 * this.capacity), 3));
  }
}
