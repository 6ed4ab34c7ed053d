// Half-spaces and the ground: planes with a fine grid that catch shadows and fade into the background.

import { Color, FrontSide, Group, Mesh, PlaneGeometry, ShadowMaterial, Vector3, type IUniform } from "three";
import { centre, diagonal, type Bounds } from "../geometry/bounds.ts";
import type { Plane } from "../protocol/scene.ts";
import type { Look } from "./look.ts";

/** A plane counts as horizontal when its normal is within half a degree of up. */
const HORIZONTAL = 0.99996;
/** The plane is drawn this many scene sizes far. */
const REACH = 4.5;

interface GroundUniforms {
  [name: string]: IUniform;
  middle: IUniform<Vector3>;
  reach: IUniform<number>;
  cell: IUniform<number>;
  tint: IUniform<Color>;
  tintStrength: IUniform<number>;
  lines: IUniform<Color>;
  lineStrength: IUniform<number>;
  shadowStrength: IUniform<number>;
  shadowColour: IUniform<Color>;
}

const FRAGMENT_HEAD = `
varying vec3 vGround;
uniform vec3 middle;
uniform float reach, cell, tintStrength, lineStrength, shadowStrength;
uniform vec3 tint, lines, shadowColour;

float gridLine(vec2 at, float size, float width) {
  vec2 place = at / size;
  vec2 change = fwidth(place);
  vec2 away = abs(fract(place - 0.5) - 0.5) / max(change, vec2(1e-6));
  vec2 line = (1.0 - smoothstep(width - 0.6, width + 0.6, away)) * (1.0 - smoothstep(0.25, 0.6, change));
  return max(line.x, line.y);
}
`;

/** Layers from below: a faint disc of light, the grid, the shadow. Straight alpha "over". */
const FRAGMENT = `
  float away = length(vGround.xy - middle.xy) / reach;
  float fade = 1.0 - smoothstep(0.1, 0.95, away);
  float fine = gridLine(vGround.xy, cell, 0.5) * 0.42;
  float coarse = gridLine(vGround.xy, 5.0 * cell, 0.6);
  float line = max(fine, coarse) * lineStrength * fade * fade;
  float disc = tintStrength * exp(-7.0 * away * away);
  float shade = shadowStrength * (1.0 - getShadowMask()) * fade;
  float under = disc + line - disc * line;
  vec3 below = (tint * disc * (1.0 - line) + lines * line) / max(under, 1e-4);
  float alpha = shade + under - shade * under;
  gl_FragColor = vec4((shadowColour * shade + below * under * (1.0 - shade)) / max(alpha, 1e-4), alpha);
`;

/** One drawn plane, in its own frame: z along the normal. */
class Sheet {
  readonly mesh: Mesh<PlaneGeometry, ShadowMaterial>;
  private readonly uniforms: GroundUniforms;

  constructor(normal: Vector3) {
    this.uniforms = {
      middle: { value: new Vector3() },
      reach: { value: 1 },
      cell: { value: 1 },
      tint: { value: new Color() },
      tintStrength: { value: 0 },
      lines: { value: new Color() },
      lineStrength: { value: 0 },
      shadowStrength: { value: 0 },
      shadowColour: { value: new Color() },
    };
    const material = new ShadowMaterial({ transparent: true, side: FrontSide, depthWrite: false });
    material.toneMapped = false;
    material.onBeforeCompile = (shader) => {
      Object.assign(shader.uniforms, this.uniforms);
      shader.vertexShader = `varying vec3 vGround;\n${shader.vertexShader.replace("#include <begin_vertex>", "#include <begin_vertex>\nvGround = position;")}`;
      shader.fragmentShader = FRAGMENT_HEAD + shader.fragmentShader.replace(/gl_FragColor = vec4\( color.*?;/, FRAGMENT);
    };
    this.mesh = new Mesh(new PlaneGeometry(2, 2), material);
    this.mesh.receiveShadow = true;
    this.mesh.frustumCulled = false;
    this.mesh.renderOrder = -1;
    this.mesh.up.set(0, 1, 0);
    this.mesh.quaternion.setFromUnitVectors(new Vector3(0, 0, 1), normal);
  }

  /** Puts the sheet through `point`, around the scene. */
  place(point: Vector3, normal: Vector3, bounds: Bounds, lift: number): void {
    const size = diagonal(bounds);
    const middle = new Vector3(...centre(bounds));
    middle.addScaledVector(normal, normal.dot(point.clone().sub(middle)));
    // Positions in the sheet are those of space for a horizontal plane, so that the grid goes through the origin.
    const reach = REACH * size;
    const local = middle.clone().applyQuaternion(this.mesh.quaternion.clone().invert());
    this.mesh.position.copy(normal).multiplyScalar(normal.dot(point) - lift);
    const geometry = this.mesh.geometry.getAttribute("position");
    for (let k = 0; k < 4; k++) geometry.setXYZ(k, local.x + reach * (k % 2 ? 1 : -1), local.y + reach * (k < 2 ? 1 : -1), 0);
    geometry.needsUpdate = true;
    this.uniforms.middle.value.copy(local);
    this.uniforms.reach.value = reach;
    this.uniforms.cell.value = gridCell(size);
  }

  dress(look: Look, strength: number): void {
    this.uniforms.tint.value.set(look.groundTint);
    this.uniforms.tintStrength.value = look.groundTintStrength * strength;
    this.uniforms.lines.value.set(look.grid);
    this.uniforms.lineStrength.value = look.gridStrength * strength;
    this.uniforms.shadowStrength.value = look.shadowStrength;
    this.uniforms.shadowColour.value.set(look.shadowColour);
  }

  dispose(): void {
    this.mesh.geometry.dispose();
    this.mesh.material.dispose();
  }
}

/** A round length (1, 2 or 5 times a power of ten) that divides the scene into a few cells [m]. */
export function gridCell(size: number): number {
  const rough = size / 8;
  const power = 10 ** Math.floor(Math.log10(rough));
  return ([5, 2, 1].find((k) => k * power <= rough) ?? 1) * power;
}

export class Ground {
  readonly group = new Group();
  private readonly sheets: { sheet: Sheet; plane: { point: Vector3; normal: Vector3 }; strength: number }[] = [];
  /** The ground below the bodies, where no half-space carries them. */
  private readonly free: boolean;

  constructor(planes: readonly Plane[]) {
    for (const plane of planes) this.add(new Vector3(...plane.point), new Vector3(...plane.normal).normalize());
    this.free = !this.sheets.some(({ plane }) => plane.normal.z > 0.2);
    if (this.free) this.add(new Vector3(), new Vector3(0, 0, 1), 0.7);
  }

  /** Around everything seen so far. Never through a body: a ground of its own lies a little lower. */
  place(bounds: Bounds): void {
    for (const { sheet, plane } of this.sheets) {
      const own = this.free && sheet === this.sheets.at(-1)?.sheet;
      if (own) plane.point.set(0, 0, bounds.lower[2] - 0.04 * diagonal(bounds));
      sheet.place(plane.point, plane.normal, bounds, own ? 0 : 2e-4 * diagonal(bounds));
    }
  }

  dress(look: Look): void {
    // A slope must be seen to be one.
    for (const { sheet, plane, strength } of this.sheets) sheet.dress(look, strength * (plane.normal.z > HORIZONTAL ? 1 : 1.5));
  }

  dispose(): void {
    for (const { sheet } of this.sheets) sheet.dispose();
  }

  private add(point: Vector3, normal: Vector3, strength = 1): void {
    const sheet = new Sheet(normal);
    this.sheets.push({ sheet, plane: { point, normal }, strength });
    this.group.add(sheet.mesh);
  }
}
