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
