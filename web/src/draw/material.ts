// The look of bodies: a soft, slightly glossy material, coloured per body or through a colour map.

import {
  ClampToEdgeWrapping,
  DataTexture,
  DoubleSide,
  LinearFilter,
  MeshStandardMaterial,
  RGBAFormat,
  SRGBColorSpace,
  type IUniform,
  type Material,
} from "three";
import { mapPixels, type MapName } from "./colourmap.ts";

/** Shared by all materials of a scene, so that surface and cut always agree. */
export interface PaintUniforms {
  [name: string]: IUniform;
  paintMap: IUniform<DataTexture>;
  /** Value that gets the last colour of the map. */
  paintTop: IUniform<number>;
  /** 1: colours from the map, 0: colours of the bodies. */
  paintOn: IUniform<number>;
  /** How bright edges seen at a grazing angle are: light that passes through. */
  rim: IUniform<number>;
}

const WIDTH = 256;

export function paintUniforms(): PaintUniforms {
  const texture = new DataTexture(mapPixels("viridis", WIDTH), WIDTH, 1, RGBAFormat);
  texture.colorSpace = SRGBColorSpace;
  texture.minFilter = texture.magFilter = LinearFilter;
  texture.wrapS = texture.wrapT = ClampToEdgeWrapping;
  texture.needsUpdate = true;
  return { paintMap: { value: texture }, paintTop: { value: 1 }, paintOn: { value: 0 }, rim: { value: 0.22 } };
}

export function setPaintMap(uniforms: PaintUniforms, name: MapName): void {
  uniforms.paintMap.value.image.data = mapPixels(name, WIDTH);
  uniforms.paintMap.value.needsUpdate = true;
}

const VERTEX_HEAD = `
attribute float value;
varying float vValue;
#ifdef FACE_EDGES
attribute vec3 corner;
varying vec3 vCorner;
#endif
`;

/** A vertex of the unit ball at one end of a capsule, put on the segment of its instance. */
const TUBE_HEAD = `
attribute float end;
attribute vec3 from;
attribute vec3 to;
attribute float radius;
uniform float pixel;
vec3 tubeNormal() {
  vec3 way = to - from;
  float size = length(way);
  vec3 along = size > 0.0 ? way / size : vec3(0.0, 0.0, 1.0);
  vec3 aside = normalize(abs(along.z) < 0.9 ? cross(along, vec3(0.0, 0.0, 1.0)) : cross(along, vec3(1.0, 0.0, 0.0)));
  return position.x * aside + position.y * cross(along, aside) + position.z * along;
}
float tubeRadius() {
  // Thin hair stays visible.
  return max(radius, -pixel * (modelViewMatrix * vec4(mix(from, to, end), 1.0)).z);
}
`;

const TUBE_VALUES = `
attribute vec2 values;
varying float vValue;
varying float vPlace;
`;

/** The value where a segment passes, and the place along it: 0 and 1 at its ends. */
const TUBE_COLOUR = `
#include <color_vertex>
vValue = mix(values.x, values.y, end);
vPlace = end + position.z * tubeRadius() / max(length(to - from), 1e-9);
`;

const TUBE_RINGS = `
if (rings > 0.5) {
  float nearEnd = min(abs(vPlace), abs(1.0 - vPlace));
  diffuseColor.rgb *= mix(0.55, 1.0, smoothstep(0.0, 1.6 * fwidth(vPlace), nearEnd));
}
`;

const FRAGMENT_HEAD = `
uniform sampler2D paintMap;
uniform float paintTop;
uniform float paintOn;
uniform float rim;
varying float vValue;
#ifdef FACE_EDGES
varying vec3 vCorner;
#endif
`;

/** After the body's colour is known: the map's colour instead, and thin edges on cut faces. */
const PAINT = `
#include <color_fragment>
if (paintOn > 0.5) {
  diffuseColor.rgb = texture2D(paintMap, vec2(clamp(vValue / max(paintTop, 1e-30), 0.0, 1.0) * (255.0 / 256.0) + 0.5 / 256.0, 0.5)).rgb;
}
#ifdef FACE_EDGES
  vec3 nearEdge = smoothstep(vec3(0.0), fwidth(vCorner) * 1.4, vCorner);
  float inside = min(min(nearEdge.x, nearEdge.y), nearEdge.z);
  if (paintOn < 0.5) diffuseColor.rgb = mix(diffuseColor.rgb, vec3(dot(diffuseColor.rgb, vec3(0.33))), 0.18) * 1.08;
  diffuseColor.rgb *= mix(0.42, 1.0, inside);
#endif
`;

const RIM = `
#include <emissivemap_fragment>
{
  float grazing = 1.0 - saturate(dot(normal, normalize(vViewPosition)));
  totalEmissiveRadiance += diffuseColor.rgb * rim * grazing * grazing * grazing;
  #ifdef FACE_EDGES
    totalEmissiveRadiance += 0.1 * diffuseColor.rgb;
  #endif
}
`;

/** What the tubes of ropes need to know beside the paint. */
export interface TubeUniforms {
  [name: string]: IUniform;
  /** Least radius at the distance 1 [m]. */
  pixel: IUniform<number>;
  /** 1: rings where segments meet. */
  rings: IUniform<number>;
}

/** Lets any material draw capsules: needs the attributes `end`, `from`, `to` and `radius`. */
export function tubePlaces<M extends Material>(material: M, uniforms: TubeUniforms): M {
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    shader.vertexShader =
      TUBE_HEAD +
      shader.vertexShader
        .replace("#include <beginnormal_vertex>", "vec3 objectNormal = tubeNormal();")
        .replace("#include <begin_vertex>", "vec3 transformed = mix(from, to, end) + tubeRadius() * tubeNormal();");
  };
  return material;
}

/** The look of ropes: that of bodies. Needs the attribute `values` too. */
export function tubeMaterial(paint: PaintUniforms, uniforms: TubeUniforms): MeshStandardMaterial {
  const material = new MeshStandardMaterial({ vertexColors: true, roughness: 0.5, metalness: 0 });
  tubePlaces(material, uniforms);
  const places = material.onBeforeCompile;
  material.onBeforeCompile = (shader, renderer) => {
    places.call(material, shader, renderer);
    Object.assign(shader.uniforms, paint);
    shader.vertexShader = TUBE_VALUES + shader.vertexShader.replace("#include <color_vertex>", TUBE_COLOUR);
    shader.fragmentShader =
      `${FRAGMENT_HEAD}uniform float rings;\nvarying float vPlace;\n` +
      shader.fragmentShader.replace("#include <color_fragment>", PAINT + TUBE_RINGS).replace("#include <emissivemap_fragment>", RIM);
  };
  return material;
}

/** `edges`: draw the edges of each triangle; needs the attribute `corner`. */
export function bodyMaterial(uniforms: PaintUniforms, edges = false): MeshStandardMaterial {
  const material = new MeshStandardMaterial({
    vertexColors: true,
    roughness: edges ? 0.85 : 0.4,
    metalness: 0,
    side: DoubleSide,
    flatShading: edges,
  });
  if (edges) material.defines = { ...material.defines, FACE_EDGES: "" };
  material.onBeforeCompile = (shader) => {
    Object.assign(shader.uniforms, uniforms);
    const setCorner = "\n#ifdef FACE_EDGES\nvCorner = corner;\n#endif";
    shader.vertexShader =
      VERTEX_HEAD + shader.vertexShader.replace("#include <color_vertex>", `#include <color_vertex>\nvValue = value;${setCorner}`);
    shader.fragmentShader =
      FRAGMENT_HEAD + shader.fragmentShader.replace("#include <color_fragment>", PAINT).replace("#include <emissivemap_fragment>", RIM);
  };
  return material;
}
