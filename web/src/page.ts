// Builds the parts of the page and connects their buttons to the app.

import type { App } from "./app.ts";
import type { ColourName } from "./draw/quantity.ts";
import type { LedgerRows } from "./play/ledger.ts";
import type { Scene } from "./protocol/scene.ts";
import { el } from "./ui/dom.ts";
import { Help } from "./ui/help.ts";
import { installKeys } from "./ui/keys.ts";
import { Layout } from "./ui/layout.ts";
import { LedgerPanel } from "./ui/ledger-panel.ts";
import { Legend } from "./ui/legend.ts";
import { Banner, Toasts } from "./ui/messages.ts";
import { Parameters } from "./ui/parameters.ts";
import { Stats } from "./ui/stats.ts";
import { installTooltips } from "./ui/tooltip.ts";
import { Transport } from "./ui/transport.ts";
import { ViewPanel } from "./ui/view-panel.ts";

export interface Page {
  layout: Layout;
  parameters: Parameters;
  stats: Stats;
  legend: Legend;
  toasts: Toasts;
  banner: Banner;
  transport: Transport;
  ledger: LedgerPanel;
  /** Where the hand's overlay goes. */
  overlay: HTMLElement;
  setScene(scene: Scene): void;
}

export function buildPage(app: App, rows: LedgerRows): Page {
  const { options, source } = app;
  const actions = {
    playPause: () => app.playPause(),
    step: (by: number) => app.step(by),
    seek: (index: number) => app.seek(index),
    reset: () => app.reset(),
    fit: () => app.fit(),
    pin: () => app.pin(),
    help: () => help.toggle(app.live),
    canColour: (name: ColourName) => app.canColour(name),
  };
  const help = new Help();
  const parts = {
    options,
    viewPanel: new ViewPanel(options),
    parameters: new Parameters((key, value) => source.send({ do: "set", key, value })),
    stats: new Stats(),
    legend: new Legend(),
    toasts: new Toasts(),
    banner: new Banner(() => source.retry()),
    transport: new Transport(options, actions),
    ledger: new LedgerPanel(rows, (t) => app.seek(Math.round(t / app.player.interval))),
    overlay: el("div"),
    fit: actions.fit,
    help: actions.help,
    save: () => source.send({ do: "save" }),
  };
  const layout = new Layout(parts);
  layout.root.append(help.node);
  installKeys(options, actions);
  installTooltips(layout.root);
  const setScene = (scene: Scene) => {
    layout.setScene(scene);
    parts.viewPanel.setScene(scene);
    parts.parameters.setScene(scene.parameters);
    parts.stats.setScene(scene);
    parts.ledger.setScene(scene.ledger);
  };
  return { layout, ...parts, setScene };
}
