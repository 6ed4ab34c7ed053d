// Perceptual colour maps as small tables (after matplotlib's, by van der Walt and Smith, CC0).

/** Seventeen colours from low to high, two hexadecimal digits per channel. */
const TABLES = {
  viridis: "44015448186a472d7b4240863b528b33638d2c728e26828e21918c1fa08828ae803fbc735ec96284d44baddc30d8e219fde725",
  plasma: "0d08873105974c02a16600a77e03a89511a1aa2395bc3587cc4778da5a6ae66c5cf0804ef89540fdac33fdc527f8df25f0f921",
  inferno: "0000040b0724210c4a3d096557106e71196e8a226aa32c61bc3754d24644e45a31f1731df98e09fcac11f9cb35f2ea69fcffa4",
  cividis: "00224e002e6a1a386f32436d434e6c535a6d61656f6f70737d7c788c88789b9476aba072bcae6ccdbb63dec958f0d846fee838",
} as const;

export type MapName = keyof typeof TABLES;

export const MAP_NAMES = Object.keys(TABLES) as MapName[];

const STOPS = 17;

/** The colour at x in 0 … 1 (clamped; not a number gives the lowest), sRGB channels 0 … 255. */
export function sampleMap(name: MapName, x: number): [number, number, number] {
  const table = TABLES[name];
  const place = Math.min(Math.max(x || 0, 0), 1) * (STOPS - 1);
  const stop = Math.min(Math.floor(place), STOPS - 2);
  const part = place - stop;
  const channel = (k: number) => {
    const low = parseInt(table.slice(6 * stop + 2 * k, 6 * stop + 2 * k + 2), 16);
    const high = parseInt(table.slice(6 * stop + 6 + 2 * k, 6 * stop + 8 + 2 * k), 16);
    return Math.round(low + part * (high - low));
  };
  return [channel(0), channel(1), channel(2)];
}

/** RGBA bytes of `width` colours, for a texture. */
export function mapPixels(name: MapName, width: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(4 * width);
  for (let i = 0; i < width; i++) out.set([...sampleMap(name, i / (width - 1)), 255], 4 * i);
  return out;
}

/** The map as a CSS gradient. */
export function mapGradient(name: MapName, towards = "to right"): string {
  const stops = Array.from({ length: STOPS }, (_, i) => `rgb(${sampleMap(name, i / (STOPS - 1)).join(",")})`);
  return `linear-gradient(${towards}, ${stops.join(", ")})`;
}
