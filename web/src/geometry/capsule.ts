// A capsule of radius 1 without a length: two half balls whose middles are pulled apart when it is drawn.

export interface Capsule {
  /** On the unit ball, x y z per vertex; z points along the capsule. It is also the normal. */
  round: Float32Array;
  /** Per vertex 0 where it belongs to the first end, 1 for the other. */
  ends: Float32Array;
  /** Three vertices a triangle, outward. */
  index: Uint16Array;
}

/** `sides` corners around, `rings` rings in each half ball, the widest included. */
export function capsule(sides: number, rings: number): Capsule {
  const [round, ends, index]: number[][] = [[], [], []];
  const put = (polar: number, around: number, end: number) => {
    round.push(Math.cos(polar) * Math.cos(around), Math.cos(polar) * Math.sin(around), Math.sin(polar));
    ends.push(end);
  };
  put(-Math.PI / 2, 0, 0);
  for (const end of [0, 1]) {
    for (let r = 0; r < rings; r++) {
      const polar = ((end ? r : r + 1 - rings) * Math.PI) / 2 / rings;
      for (let s = 0; s < sides; s++) put(polar, (2 * Math.PI * s) / sides, end);
    }
  }
  put(Math.PI / 2, 0, 1);
  const last = ends.length - 1;
  const at = (ring: number, side: number) => 1 + ring * sides + (side % sides);
  for (let s = 0; s < sides; s++) {
    index.push(0, at(0, s + 1), at(0, s));
    for (let r = 0; r < 2 * rings - 1; r++)
      index.push(at(r, s), at(r, s + 1), at(r + 1, s + 1), at(r, s), at(r + 1, s + 1), at(r + 1, s));
    index.push(at(2 * rings - 1, s), at(2 * rings - 1, s + 1), last);
  }
  return { round: Float32Array.from(round), ends: Float32Array.from(ends), index: Uint16Array.from(index) };
}
