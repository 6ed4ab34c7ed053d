// Softer shadows: more samples on a wider disc than three.js takes.

import { ShaderChunk } from "three";

/** Replaces the five samples of the shadow filter. Call once, before any material is compiled. */
export function softenShadows(samples: number): void {
  const chunk = ShaderChunk.shadowmap_pars_fragment;
  const five = /shadow = \(\s*texture\( shadowMap, vec3\( shadowCoord\.xy \+ vogelDiskSample\( 0, 5, phi \)[\s\S]*?\) \* 0\.2;/g;
  const many = `
    shadow = 0.0;
    for ( int k = 0; k < ${samples}; k ++ ) {
      shadow += texture( shadowMap, vec3( shadowCoord.xy + vogelDiskSample( k, ${samples}, phi ) * radius, shadowCoord.z ) );
    }
    shadow /= ${samples}.0;`;
  ShaderChunk.shadowmap_pars_fragment = chunk.replace(five, many);
  // Cloth has light on either side: a spot is looked up above the side that faces the lamp, never below it. Depth
  // grows away from the lamp, so the third row of the matrix tells which way a normal points.
  ShaderChunk.shadowmap_vertex = ShaderChunk.shadowmap_vertex.replace(
    "shadowWorldPosition = worldPosition + vec4( shadowWorldNormal * directionalLightShadows",
    `shadowWorldPosition = worldPosition + vec4( shadowWorldNormal *
      - sign( ( directionalShadowMatrix[ i ] * vec4( shadowWorldNormal, 0.0 ) ).z ) * directionalLightShadows`,
  );
}
