// What the server says about a scene (message kinds 1 and 2), and the checks it must pass.
// SI units, right-handed, z up.

/** Half-open range [first, end) of points, tetrahedra, triangles or edges. */
export type Range = [first: number, end: number];

export type BodyKind = "solid" | "affine" | "obstacle" | "points";

export interface Body {
  name: string;
  kind: BodyKind;
  points: Range;
  tets: Range;
  triangles: Range;
  /** Segments of ropes. */
  edges: Range;
  /** Half its thickness, for what has edges or open triangles [m]. */
  radius: number;
}

/** A half-space: all points p with (p − point) · normal < 0 are inside of it. */
export interface Plane {
  name: string;
  point: [number, number, number];
  normal: [number, number, number];
}

export interface ConstraintInfo {
  name: string;
  points: number[];
}

/** A number that a live scene lets you change. */
export interface Parameter {
  key: string;
  label: string;
  unit: string;
  group: string;
  value: number;
  min: number;
  max: number;
  scale: "linear" | "log";
}

export interface Scene {
  version: number;
  mode: "live" | "film";
  title: string;
  points: number;
  tets: number;
  triangles: number;
  edges: number;
  bodies: Body[];
  planes: Plane[];
  constraints: ConstraintInfo[];
  /** Frames there now (film). */
  frames: number;
  /** Whether the film is written to its end. */
  complete: boolean;
  /** Time between frames [s]. */
  frame_interval: number;
  /** [s] */
  duration: number;
  /** Names of the ledger values in each frame; the first is t. */
  ledger: string[];
  /** Which fields frames can carry, see `Field`. */
  fields: number;
  parameters: Parameter[];
}

/** Bits of the fields a frame can carry. */
export const Field = {
  velocity: 1,
  stress: 2,
  energy: 4,
  contact: 8,
  reaction: 16,
} as const;

/** What never changes while a scene is shown. */
export interface Topology {
  points: number;
  /** Three points a triangle. */
  triangles: Uint32Array;
  /** Four points a tetrahedron. */
  tets: Uint32Array;
  /** Two points an edge. */
  edges: Uint32Array;
  /** Rest positions, x y z per point [m]. */
  rest: Float32Array;
}

/** Message kind 4. */
export interface Notice {
  level: "info" | "warning" | "error";
  text: string;
}

/** Message kind 6. */
export interface TextFile {
  name: string;
  text: string;
}

/** Message kind 7. */
export interface LiveState {
  paused: boolean;
  pins: number[];
  grabbed: number | null;
  ignored: number;
}

/** The wire format this page understands. */
export const VERSION = 1;

/** Fills in what a server may leave out; throws when the page cannot show this scene. */
export function checkScene(raw: Partial<Scene>): Scene {
  if (raw.version !== VERSION) {
    throw new Error(`This page speaks version ${VERSION} of the viewer's format, the server version ${raw.version}. Reload the page.`);
  }
  const { points, triangles, tets } = raw;
  if (points === undefined || triangles === undefined || tets === undefined) {
    throw new Error("The server's description of the scene lacks the number of points, triangles or tetrahedra.");
  }
  return {
    version: VERSION,
    mode: raw.mode === "live" ? "live" : "film",
    title: raw.title ?? "",
    points,
    triangles,
    tets,
    edges: raw.edges ?? 0,
    bodies: (raw.bodies ?? []).map((body) => ({ ...body, edges: body.edges ?? [0, 0], radius: body.radius ?? 0 })),
    planes: raw.planes ?? [],
    constraints: raw.constraints ?? [],
    frames: raw.frames ?? 0,
    complete: raw.complete ?? true,
    frame_interval: raw.frame_interval && raw.frame_interval > 0 ? raw.frame_interval : 1 / 24,
    duration: raw.duration ?? 0,
    ledger: raw.ledger ?? [],
    fields: raw.fields ?? 0,
    parameters: raw.parameters ?? [],
  };
}

/** Throws when a triangle, tetrahedron or edge names a point that is not there. */
export function checkTopology(topology: Topology): Topology {
  for (const list of [topology.triangles, topology.tets, topology.edges]) {
    let largest = -1;
    for (let i = 0; i < list.length; i++) if (list[i] > largest) largest = list[i];
    if (largest >= topology.points) {
      throw new Error(`The mesh names point ${largest}, but there are only ${topology.points} points.`);
    }
  }
  return topology;
}
