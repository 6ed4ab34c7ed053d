// The page: a canvas over everything, panels beside it, transport and ledger below.

import type { OptionStore } from "../options.ts";
import type { Scene } from "../protocol/scene.ts";
import { iconButton, section, setIcon, setPressed } from "./controls.ts";
import { el, setText } from "./dom.ts";
import { icon, logo, type IconName } from "./icons.ts";
import type { LedgerPanel } from "./ledger-panel.ts";
import type { Legend } from "./legend.ts";
import type { Banner, Toasts } from "./messages.ts";
import type { Parameters } from "./parameters.ts";
import type { Stats } from "./stats.ts";
import type { Transport } from "./transport.ts";
import type { ViewPanel } from "./view-panel.ts";

export interface Parts {
  options: OptionStore;
  viewPanel: ViewPanel;
  parameters: Parameters;
  stats: Stats;
  legend: Legend;
  toasts: Toasts;
  banner: Banner;
  transport: Transport;
  ledger: LedgerPanel;
  overlay: HTMLElement;
  fit(): void;
  help(): void;
  save(): void;
}

/** On narrow pages one sheet is open at a time. */
type Sheet = "scene" | "view" | "tune" | "";

export class Layout {
  readonly root = el("div", { class: "app" });
  readonly canvas = el("canvas", { class: "stage", tabindex: -1 });
  /** The part of the page that no panel covers, and of it the part above the legend. */
  readonly free = el("main", { class: "free" });
  readonly clear = el("div", { class: "clear" });
  readonly tree = el("div");
  private readonly title = el("h1", { class: "title ellipsis" });
  private readonly badge = el("span", { class: "badge" });
  private readonly tabs = new Map<Sheet, HTMLElement>();
  private sheet: Sheet = "";

  constructor(private readonly parts: Parts) {
    const { viewPanel, stats, options } = parts;
    const save = el(
      "button",
      { class: "text-button save", type: "button", tip: "The scene with these values, as a file", onclick: parts.save },
      icon("save"),
      "Save scene",
    );
    const tune = section("Parameters", true, parts.parameters.node, save);
    tune.classList.add("live-only", "tune");
    const left = el(
      "aside",
      { class: "panel left glass", "aria-label": "Scene" },
      section("Scene", true, this.tree),
      section("Statistics", true, stats.node),
    );
    const right = el("aside", { class: "panel right glass", "aria-label": "View" }, tune, viewPanel.colour, viewPanel.show, viewPanel.cut);
    this.free.append(parts.banner.node, parts.toasts.node, this.clear, parts.legend.node);
    const dock = el("footer", { class: "dock glass" }, parts.ledger.node, this.tabStrip(), parts.transport.node);
    this.root.append(this.canvas, parts.overlay, this.header(parts), left, this.free, right, dock);
    options.on(() => this.refresh());
    this.refresh();
  }

  setScene(scene: Scene): void {
    setText(this.title, scene.title);
    document.title = scene.title ? `${scene.title} – aspic` : "aspic";
    this.root.dataset["mode"] = scene.mode;
    this.root.classList.toggle("tunable", scene.parameters.length > 0);
    this.setBadge(scene.mode === "live" ? "live" : scene.complete ? "film" : "growing");
  }

  setBadge(kind: "live" | "film" | "growing"): void {
    setText(this.badge, { live: "Live", film: "Film", growing: "Being written" }[kind]);
    this.badge.dataset["kind"] = kind;
  }

  /** Opens a sheet on a narrow page, or closes it. */
  openSheet(sheet: Sheet): void {
    this.sheet = this.sheet === sheet ? "" : sheet;
    this.refresh();
  }

  private header(parts: Parts): HTMLElement {
    const { options } = parts;
    const theme = iconButton("sun", "Dark or light", "T", () => options.set("theme", options.get("theme") === "dark" ? "light" : "dark"));
    const panels = iconButton("panels", "Show or hide the panels", "B", () => options.toggle("panels"));
    panels.classList.add("wide-only");
    const refresh = () => {
      setIcon(theme, options.get("theme") === "dark" ? "sun" : "moon");
      setPressed(panels, options.get("panels"));
    };
    options.on(refresh);
    refresh();
    const tools = el(
      "div",
      { class: "tools glass" },
      iconButton("fit", "Fit to view", "F", parts.fit),
      panels,
      theme,
      iconButton("help", "Keys and mouse", "?", parts.help),
    );
    const brand = el("div", { class: "brand glass" }, logo(), el("span", { class: "word" }, "aspic"), this.title, this.badge);
    return el("header", { class: "top" }, brand, tools);
  }

  private tabStrip(): HTMLElement {
    const strip = el("nav", { class: "tabs narrow-only", "aria-label": "Panels" });
    const add = (sheet: Sheet, name: IconName, label: string, extra = "") => {
      const tab = el("button", { type: "button", class: extra, onclick: () => this.openSheet(sheet) }, icon(name), el("span", {}, label));
      this.tabs.set(sheet, tab);
      strip.append(tab);
    };
    add("scene", "tree", "Scene");
    add("view", "palette", "View");
    add("tune", "sliders", "Tune", "live-only tune-tab");
    const ledger = el(
      "button",
      { type: "button", onclick: () => this.parts.options.toggle("ledger") },
      icon("chart"),
      el("span", {}, "Energy"),
    );
    this.parts.options.on(() => setPressed(ledger, this.parts.options.get("ledger")));
    setPressed(ledger, this.parts.options.get("ledger"));
    strip.append(ledger);
    return strip;
  }

  private refresh(): void {
    const { options } = this.parts;
    document.documentElement.dataset["theme"] = options.get("theme");
    this.root.classList.toggle("with-ledger", options.get("ledger"));
    this.root.classList.toggle("without-panels", !options.get("panels"));
    this.root.dataset["sheet"] = this.sheet;
    for (const [sheet, tab] of this.tabs) setPressed(tab, sheet === this.sheet);
  }
}
