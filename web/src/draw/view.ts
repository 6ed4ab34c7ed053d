// One scene on the stage: its bodies, ground, marks and arrows, and what a frame does to them.

import { Group, Vector3 } from "three";
import { boundsOf, diagonal, emptyBounds, growBounds, isEmpty, widened, type Bounds } from "../geometry/bounds.ts";
import { pick, type Hit, type Vector } from "../geometry/pick.ts";
import type { Options } from "../options.ts";
import type { Frame } from "../protocol/frame.ts";
import { Field, type Scene, type Topology } from "../protocol/scene.ts";
import { Arrows } from "./arrows.ts";
import { Ground } from "./ground.ts";
import { Inside } from "./inside.ts";
import type { Look } from "./look.ts";
import { bodyMaterial, paintUniforms, setPaintMap } from "./material.ts";
import { bodyColours } from "./palette.ts";
import { Marks } from "./points.ts";
import { QUANTITIES, quantityValues, robustMaximum, SmoothRange } from "./quantity.ts";
import { Ropes } from "./ropes.ts";
import { pointColours, Surface } from "./surface.ts";

const MOST_VELOCITIES = 2500;
const MOST_CONTACTS = 20_000;
/** Of a constraint. A body that is held as a whole would vanish behind its marks. */
const MOST_MARKS = 64;
/** A ray this far beside a rope still takes hold of it [CSS px]. */
const REACH = 7;
/** The box around everything stops to grow at so many times its first size: some bodies fly away. */
const MOST_GROWTH = 3;

export class SceneView {
  readonly group = new Group();
  readonly colours: string[];
  readonly range = new SmoothRange();
  /** Box of all positions seen so far, and of those seen last [m]. */
  readonly seen: Bounds = emptyBounds();
  lastBox: Bounds = emptyBounds();
  /** All seen so far without obstacles. */
  private readonly seenBodies: Bounds = emptyBounds();
  /** Whether the quantity chosen is really shown (its field may be on its way). */
  painted = false;
  positions: Float32Array;
  private readonly uniforms = paintUniforms();
  private readonly materials = [bodyMaterial(this.uniforms), bodyMaterial(this.uniforms, true)] as const;
  private readonly surface: Surface;
  private readonly ropes: Ropes;
  private readonly inside: Inside;
  private readonly ground: Ground;
  private readonly nodes = new Marks({ size: 4.5 });
  private readonly constraints = new Marks({ size: 15, ring: true, through: 0.3 });
  private readonly pins = new Marks({ size: 17, ring: true, through: 0.5 });
  private readonly velocities = new Arrows(MOST_VELOCITIES);
  private readonly forces = new Arrows(MOST_CONTACTS);
  private readonly values: Float32Array;
  private readonly hidden = new Set<number>();
  private readonly bodyOfTet: Int32Array;
  private readonly bodyOfTriangle: Int32Array;
  private readonly bodyOfEdge: Int32Array;
  private readonly constrained: number[];
  private shownPoints: number[] = [];
  /** Whether the cut leaves a point. */
  private inHalf: (point: number) => boolean = () => true;
  private pinned: number[] = [];
  private shownStale = true;
  private firstSize = 0;

  constructor(
    readonly scene: Scene,
    readonly topology: Topology,
  ) {
    this.colours = bodyColours(scene.bodies);
    this.positions = topology.rest;
    this.values = new Float32Array(topology.points);
    this.surface = new Surface(scene, topology, this.materials[0], this.colours);
    const colours = pointColours(scene, topology.points, this.colours);
    this.ropes = new Ropes(scene, topology, colours, this.uniforms);
    this.inside = new Inside(topology, colours, this.materials[1]);
    this.ground = new Ground(scene.planes);
    this.constrained = [...new Set(scene.constraints.flatMap((c) => spread(c.points, MOST_MARKS)))].filter((p) => p < topology.points);
    const owners = (of: "tets" | "triangles" | "edges", corners: number) =>
      ownersOf(
        scene.bodies.map((b) => b[of]),
        topology[of].length / corners,
      );
    this.bodyOfTet = owners("tets", 4);
    this.bodyOfTriangle = owners("triangles", 3);
    this.bodyOfEdge = owners("edges", 2);
    const marks = [this.nodes, this.constraints, this.pins].map((m) => m.group);
    this.group.add(
      this.surface.mesh,
      this.surface.wire,
      this.ropes.mesh,
      this.inside.mesh,
      this.ground.group,
      ...marks,
      this.velocities.group,
      this.forces.group,
    );
    this.see(topology.rest);
  }

  /** What the camera should hold: obstacles only when they are not far larger than the rest. */
  get worthSeeing(): Bounds {
    const small = this.seenBodies;
    return isEmpty(small) || diagonal(this.seen) < 2.2 * diagonal(small) ? this.seen : small;
  }

  /** The fields a frame must carry to show all this. */
  static fields(options: Readonly<Options>, scene: Scene): number {
    let fields = QUANTITIES[options.colour].field;
    if (options.velocities) fields |= Field.velocity;
    if (options.contacts) fields |= Field.contact;
    return fields & scene.fields;
  }

  dress(look: Look): void {
    this.ground.dress(look);
    this.surface.wire.material.color.set(look.wire);
    this.nodes.dress(look.node);
    this.constraints.dress(look.accent);
    this.pins.dress(look.pin);
    this.velocities.dress(look.velocity);
    this.forces.dress(look.force);
  }

  /** Includes these positions in what was seen; true when lights and ground must follow. */
  see(positions: Float32Array): boolean {
    const bodies = emptyBounds();
    const all = emptyBounds();
    for (const body of this.scene.bodies) {
      // Points that nothing is drawn at do not count.
      if (body.triangles[0] === body.triangles[1] && body.edges[0] === body.edges[1]) continue;
      const box = widened(boundsOf(positions, ...body.points), body.radius);
      growBounds(all, box);
      if (body.kind !== "obstacle") growBounds(bodies, box);
    }
    if (!isEmpty(all)) this.lastBox = all;
    const wider: Bounds = { lower: [...this.seen.lower], upper: [...this.seen.upper] };
    if (!growBounds(wider, all)) return false;
    this.firstSize ||= diagonal(wider);
    if (diagonal(wider) > MOST_GROWTH * this.firstSize) return false;
    Object.assign(this.seen, wider);
    growBounds(this.seenBodies, bodies);
    this.ground.place(this.seen);
    return true;
  }

  /** Shows a frame, or the last one again after options changed. */
  show(frame: Frame | undefined, options: Readonly<Options>): void {
    if (frame) this.positions = frame.positions;
    this.cut(options);
    this.surface.move(this.positions);
    this.surface.showWire(options.wireframe);
    this.ropes.move(this.positions);
    this.ropes.showWire(options.wireframe);
    this.paint(frame, options);
    this.mark(frame, options);
    this.ground.group.visible = options.ground;
  }

  /** The colour map starts with a fresh range after the quantity changed. */
  quantityChanged(options: Readonly<Options>): void {
    this.range.locked = false;
    this.range.restart();
    setPaintMap(this.uniforms, QUANTITIES[options.colour].map);
  }

  setHidden(body: number, hidden: boolean): void {
    if (hidden) this.hidden.add(body);
    else this.hidden.delete(body);
    this.shownStale = true;
  }

  isHidden(body: number): boolean {
    return this.hidden.has(body);
  }

  setPins(points: readonly number[]): void {
    this.pinned = [...points];
  }

  isPinned(point: number): boolean {
    return this.pinned.includes(point);
  }

  bodyBounds(body: number): Bounds {
    const { points, radius } = this.scene.bodies[body];
    return widened(boundsOf(this.positions, ...points), radius);
  }

  /** Box of the shown bodies now; obstacles count only when nothing else is shown. */
  shownBounds(): Bounds {
    for (const obstacles of [false, true]) {
      const box = emptyBounds();
      this.scene.bodies.forEach((body, b) => {
        if (!this.hidden.has(b) && (obstacles || body.kind !== "obstacle")) growBounds(box, this.bodyBounds(b));
      });
      if (!isEmpty(box)) return box;
    }
    return this.seen;
  }

  bodyOfPoint(point: number): number {
    return this.scene.bodies.findIndex((b) => b.points[0] <= point && point < b.points[1]);
  }

  /** What a ray meets first, among what is drawn. `pixel`: size of a pixel at the distance 1 [m]. */
  pick({ origin, direction, pixel }: { origin: Vector3; direction: Vector3; pixel: number }): Hit | null {
    const [o, d] = [origin.toArray(), direction.toArray()];
    const surface = this.pickSurface(o, d);
    const rope = this.ropes.pick(o, d, this.positions, REACH * pixel);
    return rope && (!surface || rope.distance < surface.distance) ? rope : surface;
  }

  private pickSurface(o: Vector, d: Vector): Hit | null {
    const outside = pick(o, d, this.positions, this.topology.triangles, this.surface.shown);
    if (!this.inside.mesh.visible) return outside;
    const faces = this.inside.faces;
    const within = pick(
      o,
      d,
      this.positions,
      faces,
      Array.from({ length: faces.length / 3 }, (_, i) => i),
    );
    return within && (!outside || within.distance < outside.distance) ? within : outside;
  }

  dispose(): void {
    const marks = [this.nodes, this.constraints, this.pins, this.velocities, this.forces];
    for (const part of [this.surface, this.ropes, this.inside, this.ground, ...marks]) part.dispose();
    for (const material of this.materials) material.dispose();
    this.uniforms.paintMap.value.dispose();
  }

  private cut(options: Readonly<Options>): void {
    const shown = (triangle: number) => !this.hidden.has(this.bodyOfTriangle[triangle]);
    const shownEdge = (edge: number) => !this.hidden.has(this.bodyOfEdge[edge]);
    if (options.cut) {
      const axis = options.cutAxis;
      const [low, high] = [this.seen.lower[axis], this.seen.upper[axis]];
      const cut = { axis, position: low + options.cutPlace * (high - low), side: options.cutFlip ? (-1 as const) : (1 as const) };
      // The near side goes: with y away from the eye, what lies behind the plane stays.
      if (axis === 1) cut.side = cut.side === 1 ? -1 : 1;
      const kept = this.inside.cut(this.positions, cut, this.hidden.size ? (tet) => this.hidden.has(this.bodyOfTet[tet]) : undefined);
      this.surface.show(this.hidden.size ? (triangle) => shown(triangle) && kept(triangle) : kept);
      const { edges } = this.topology;
      const middle = (edge: number) => 0.5 * (this.positions[3 * edges[2 * edge] + axis] + this.positions[3 * edges[2 * edge + 1] + axis]);
      this.ropes.show((edge) => shownEdge(edge) && cut.side * (middle(edge) - cut.position) <= 0);
      this.shownStale = true;
      this.inHalf = (p) => cut.side * (this.positions[3 * p + axis] - cut.position) <= 0;
      if (options.nodes || options.contacts || options.velocities) this.listPoints();
    } else if (this.shownStale) {
      this.surface.show(this.hidden.size ? shown : undefined);
      this.ropes.show(this.hidden.size ? shownEdge : undefined);
      this.inHalf = () => true;
      this.listPoints();
      this.shownStale = false;
    }
    this.inside.mesh.visible = options.cut;
  }

  private listPoints(): void {
    this.shownPoints.length = 0;
    this.scene.bodies.forEach((body, b) => {
      if (this.hidden.has(b)) return;
      for (let p = body.points[0]; p < body.points[1]; p++) if (this.inHalf(p)) this.shownPoints.push(p);
    });
  }

  private paint(frame: Frame | undefined, options: Readonly<Options>): void {
    this.painted = frame !== undefined && quantityValues(options.colour, frame, this.topology, this.values);
    this.uniforms.paintOn.value = this.painted ? 1 : 0;
    if (!this.painted) return;
    this.range.follow(robustMaximum(this.values));
    this.uniforms.paintTop.value = this.range.value;
    this.surface.paint(this.values);
    this.ropes.paint(this.values);
    if (this.inside.mesh.visible) this.inside.paint(this.values);
  }

  private mark(frame: Frame | undefined, options: Readonly<Options>): void {
    const longest = 0.16 * this.firstSize;
    this.nodes.group.visible = options.nodes;
    if (options.nodes) this.nodes.place(this.shownPoints, this.positions);
    this.constraints.group.visible = options.constraints;
    if (options.constraints)
      this.constraints.place(
        this.constrained.filter((p) => this.inHalf(p) && !this.hidden.has(this.bodyOfPoint(p))),
        this.positions,
      );
    this.pins.group.visible = this.pinned.length > 0;
    this.pins.place(this.pinned, this.positions);
    const { velocities, contact } = frame ?? {};
    this.velocities.group.visible = options.velocities && velocities != null;
    if (options.velocities && velocities)
      this.velocities.place(spread(this.shownPoints, MOST_VELOCITIES), this.positions, velocities, longest);
    this.forces.group.visible = options.contacts && contact != null;
    if (options.contacts && contact) this.forces.place(this.shownPoints, this.positions, contact, longest);
  }
}

/** At most so many of the points, evenly chosen. */
function spread(points: number[], most: number): number[] {
  const stride = Math.ceil(points.length / most);
  return stride <= 1 ? points : points.filter((_, k) => k % stride === 0);
}

/** For each item the range that holds it, or −1. */
function ownersOf(ranges: readonly (readonly [number, number])[], count: number): Int32Array {
  const out = new Int32Array(count).fill(-1);
  ranges.forEach(([first, end], b) => out.fill(b, first, end));
  return out;
}
