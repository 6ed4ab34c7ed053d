// The page at work: takes scenes and frames from a source, shows them, and passes on what the user does.

import { LOOKS } from "./draw/look.ts";
import { Overview } from "./draw/overview.ts";
import { QUANTITIES } from "./draw/quantity.ts";
import { Stage } from "./draw/stage.ts";
import { SceneView } from "./draw/view.ts";
import { OptionStore, type Options } from "./options.ts";
import { LedgerRows } from "./play/ledger.ts";
import { Hand } from "./play/hand.ts";
import { Player } from "./play/player.ts";
import type { Frame } from "./protocol/frame.ts";
import type { LiveState, Notice, Scene, TextFile, Topology } from "./protocol/scene.ts";
import type { Link, Source, SourceEvents } from "./source/source.ts";
import { buildPage, type Page } from "./page.ts";
import { download } from "./ui/download.ts";
import { emptyScreen } from "./ui/messages.ts";
import { sceneTree } from "./ui/tree.ts";
import { Rate } from "./play/rate.ts";

/** Time between refreshed statistics [ms]. */
const STATS_EVERY = 250;

export class App implements SourceEvents {
  readonly options = new OptionStore();
  readonly player: Player;
  readonly stage: Stage;
  readonly page: Page;
  readonly rate = new Rate();
  view: SceneView | undefined;
  private overview: Overview | undefined;
  /** The frame on show. */
  frame: Frame | undefined;
  link: Link = "connecting";
  private readonly ledger = new LedgerRows();
  private readonly hand: Hand;
  /** Live: a frame that arrived and waits to be shown. */
  private newest: Frame | undefined;
  /** Live: what the server last said of itself; frames under way may be older. */
  private told: LiveState | undefined;
  private liveFields = 0;
  private statsAt = 0;
  private arrived = 0;

  constructor(
    readonly source: Source,
    root: HTMLElement,
  ) {
    this.player = new Player(source);
    this.page = buildPage(this, this.ledger);
    const { layout } = this.page;
    root.replaceChildren(layout.root);
    this.stage = new Stage(layout.canvas);
    this.hand = new Hand({ stage: this.stage, live: () => (this.live ? this.view : undefined), send: (c) => source.send(c) }, layout.root);
    this.page.overlay.replaceWith(this.hand.overlay);
    const plain = () => {
      layout.root.classList.add("plain");
      // Damping counts drawings, not time: with few of them the camera would swim.
      this.stage.rig.controls.enableDamping = false;
    };
    if (this.stage.quality.lean) plain();
    this.stage.quality.onLean = plain;
    this.stage.onTick = (dt, now) => this.tick(dt, now);
    this.stage.onDrawn = () => this.hand.drawn();
    this.options.on((options, changed) => this.changed(options, changed));
    for (const node of [layout.root, layout.clear]) new ResizeObserver(() => this.resize()).observe(node);
    this.dress();
    source.start(this);
  }

  /** Live: whether time stands still. */
  get paused(): boolean {
    return this.told?.paused ?? this.frame?.paused ?? false;
  }

  get live(): boolean {
    return this.view?.scene.mode === "live";
  }

  /** The point in the user's hand. */
  get grabbed(): number | null {
    return this.hand.grabbed;
  }

  // What the source says.

  scene(scene: Scene, topology: Topology, anew: boolean): void {
    const same = this.view !== undefined && sameMesh(this.view, scene, topology);
    if (!same || (anew && scene.mode === "film")) this.newView(scene, topology);
    this.player.load(scene.frames, scene.complete, scene.frame_interval);
    this.stage.rig.setButtons(scene.mode === "live");
    this.page.setScene(scene);
    if (this.link === "open") this.page.banner.show(false);
  }

  frameArrived(frame: Frame): void {
    this.arrived++;
    if (!this.view || frame.points !== this.view.topology.points) return;
    if (this.live) {
      this.newest = frame;
      this.ledger.append(frame.ledger);
    } else {
      this.ledger.put(frame.index, frame.ledger);
      this.overview?.see(frame.positions, false);
    }
  }

  ledgerRow(index: number, row: Float64Array): void {
    this.arrived++;
    this.ledger.put(index, row);
  }

  growth(frames: number, complete: boolean): void {
    this.arrived++;
    this.player.grow(frames, complete);
    this.page.layout.setBadge(complete ? "film" : "growing");
  }

  notice(notice: Notice): void {
    this.page.toasts.add(notice);
  }

  file(file: TextFile): void {
    download(file);
  }

  state(state: LiveState): void {
    this.told = state;
    this.view?.setPins(state.pins);
    this.redraw();
  }

  linkChanged(link: Link): void {
    this.link = link;
    if (link === "lost") this.page.banner.show(true);
  }

  failed(text: string): void {
    this.page.layout.root.replaceWith(emptyScreen("Nothing to show", text));
  }

  // What the user does.

  playPause(): void {
    if (this.live) this.source.send({ do: this.paused ? "resume" : "pause" });
    else this.player.toggle(this.options.get("loop"));
  }

  step(by: number): void {
    if (!this.live) this.player.step(by);
    else if (by > 0) this.source.send({ do: "step" });
  }

  seek(index: number): void {
    if (this.live) return;
    this.player.seek(Math.min(index, this.player.frames - 1));
  }

  reset(): void {
    if (this.live) this.source.send({ do: "reset" });
  }

  fit(): void {
    if (this.view) this.stage.rig.fit(this.view.shownBounds(), true);
  }

  focus(body: number): void {
    this.stage.rig.touched = true;
    if (this.view) this.stage.rig.fit(this.view.bodyBounds(body), true);
  }

  pin(): void {
    this.hand.togglePin();
  }

  setHidden(body: number, hidden: boolean): void {
    this.view?.setHidden(body, hidden);
    this.redraw();
  }

  /** Shows the present frame again, after something else changed. */
  redraw(): void {
    this.view?.show(this.frame, this.options.all);
    this.stage.invalidate();
  }

  // Each drawing.

  private tick(dt: number, now: number): void {
    this.hand.flush();
    this.page.parameters.flush();
    if (!this.view) return;
    const fields = SceneView.fields(this.options.all, this.view.scene);
    if (this.live) this.tickLive(fields);
    else this.tickFilm(dt, fields);
    if (this.options.get("ledger")) this.page.ledger.update(this.frame?.t ?? 0, this.live ? undefined : this.filmEnd());
    if (now - this.statsAt < STATS_EVERY) return;
    this.statsAt = now;
    this.page.stats.update(this.frame, this.rate.perSecond(now));
  }

  private tickLive(fields: number): void {
    if (this.newest) {
      this.show(this.newest);
      this.newest = undefined;
    }
    this.source.ready(fields);
    // A run that stands still has no new frame; paused once more it sends the last one, with the fields wanted now.
    if (this.paused && fields !== this.liveFields) this.source.send({ do: "pause" });
    this.liveFields = fields;
    const { frame } = this;
    this.page.transport.updateLive(frame?.t ?? 0, frame !== undefined && !this.paused, frame?.failed ?? false, frame?.slower ?? 0);
  }

  private tickFilm(dt: number, fields: number): void {
    const { player } = this;
    player.tick(dt, this.options.get("speed"), this.options.get("loop"));
    const { index, frames, interval, complete } = player;
    this.source.need({ head: index, frames, fields });
    const frame = this.source.at(index);
    if (frame && frame !== this.frame) this.show(frame);
    const state = { index, frames, interval, complete };
    this.page.transport.updateFilm(state, this.frame?.t ?? 0, player.playing, player.waiting);
    this.page.transport.scrub.paintLoaded((i) => this.source.has(i), this.arrived);
  }

  private show(frame: Frame): void {
    if (!this.view) return;
    this.frame = frame;
    this.overview?.see(frame.positions, true);
    this.view.show(frame, this.options.all);
    this.page.legend.update(this.options.get("colour"), this.view.range, this.view.painted);
    this.rate.count(performance.now());
    this.stage.invalidate();
  }

  private newView(scene: Scene, topology: Topology): void {
    if (this.view) {
      this.stage.scene.remove(this.view.group);
      this.view.dispose();
    }
    this.view = new SceneView(scene, topology);
    [this.frame, this.newest] = [undefined, undefined];
    this.ledger.clear();
    this.stage.scene.add(this.view.group);
    this.overview = new Overview(this.stage, this.view);
    this.view.quantityChanged(this.options.all);
    this.dress();
    this.page.layout.tree.replaceChildren(
      sceneTree(scene, this.view.colours, {
        focus: (b) => this.focus(b),
        setHidden: (b, h) => this.setHidden(b, h),
        isHidden: (b) => this.view?.isHidden(b) ?? false,
      }),
    );
    this.redraw();
  }

  private changed(options: Readonly<Options>, key: keyof Options): void {
    if (key === "theme") this.dress();
    if (key === "colour") this.view?.quantityChanged(options);
    if (key === "speed" || key === "loop" || key === "ledger") return;
    this.redraw();
    if (this.view) this.page.legend.update(options.colour, this.view.range, this.view.painted);
  }

  private dress(): void {
    const look = LOOKS[this.options.get("theme")];
    this.stage.dress(look);
    this.view?.dress(look);
    this.page.ledger.dress();
  }

  private filmEnd(): number {
    return Math.max(0, this.player.frames - 1) * this.player.interval;
  }

  private resize(): void {
    const { root, clear } = this.page.layout;
    const [all, part] = [root.getBoundingClientRect(), clear.getBoundingClientRect()];
    this.stage.resize(all.width, all.height, { x: part.left - all.left, y: part.top - all.top, width: part.width, height: part.height });
    this.overview?.resized();
  }

  /** Whether a quantity can be shown in this scene. */
  canColour(name: keyof typeof QUANTITIES): boolean {
    return (QUANTITIES[name].field & ~(this.view?.scene.fields ?? 0)) === 0;
  }
}

/** A reset or a changed parameter sends the scene again; the same mesh keeps its view. */
function sameMesh(view: SceneView, scene: Scene, topology: Topology): boolean {
  const names = (s: Scene) => JSON.stringify([s.mode, s.title, s.bodies, s.planes, s.constraints, s.ledger]);
  if (names(view.scene) !== names(scene) || view.topology.points !== topology.points) return false;
  const equal = (a: Uint32Array, b: Uint32Array) => a.length === b.length && a.every((x, i) => x === b[i]);
  return (["triangles", "tets", "edges"] as const).every((list) => equal(view.topology[list], topology[list]));
}
