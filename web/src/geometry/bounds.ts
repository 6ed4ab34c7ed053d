// Boxes along the axes.

export interface Bounds {
  lower: [number, number, number];
  upper: [number, number, number];
}

export function emptyBounds(): Bounds {
  return { lower: [Infinity, Infinity, Infinity], upper: [-Infinity, -Infinity, -Infinity] };
}

/** Box of the points first … end − 1. Numbers that are not finite are not looked at. */
export function boundsOf(positions: Float32Array, first = 0, end = positions.length / 3): Bounds {
  let [lx, ly, lz, ux, uy, uz] = [Infinity, Infinity, Infinity, -Infinity, -Infinity, -Infinity];
  for (let i = 3 * first; i < 3 * end; i += 3) {
    const x = positions[i];
    const y = positions[i + 1];
    const z = positions[i + 2];
    if (!(Number.isFinite(x) && Number.isFinite(y) && Number.isFinite(z))) continue;
    if (x < lx) lx = x;
    if (y < ly) ly = y;
    if (z < lz) lz = z;
    if (x > ux) ux = x;
    if (y > uy) uy = y;
    if (z > uz) uz = z;
  }
  return { lower: [lx, ly, lz], upper: [ux, uy, uz] };
}

/** Grows `box` so that it holds `other`; says whether it had to. */
export function growBounds(box: Bounds, other: Bounds): boolean {
  let grown = false;
  for (let c = 0; c < 3; c++) {
    if (other.lower[c] < box.lower[c]) [box.lower[c], grown] = [other.lower[c], true];
    if (other.upper[c] > box.upper[c]) [box.upper[c], grown] = [other.upper[c], true];
  }
  return grown;
}

/** Wider by a length on every side. */
export function widened({ lower, upper }: Bounds, by: number): Bounds {
  return { lower: [lower[0] - by, lower[1] - by, lower[2] - by], upper: [upper[0] + by, upper[1] + by, upper[2] + by] };
}

export function isEmpty(box: Bounds): boolean {
  return !(box.lower[0] <= box.upper[0]);
}

export function centre(box: Bounds): [number, number, number] {
  return [0, 1, 2].map((c) => 0.5 * (box.lower[c] + box.upper[c])) as [number, number, number];
}

/** Length of the diagonal [m]; never zero. */
export function diagonal(box: Bounds): number {
  return Math.hypot(...[0, 1, 2].map((c) => box.upper[c] - box.lower[c])) || 1e-3;
}
