// How the scene is drawn: colours, what is shown, the cut.

import { COLOUR_NAMES, QUANTITIES, type ColourName } from "../draw/quantity.ts";
import { mapGradient } from "../draw/colourmap.ts";
import type { Options, OptionStore } from "../options.ts";
import { Field, type Scene } from "../protocol/scene.ts";
import { iconButton, makeSwitch, section, segments, setPressed, slider, type Switch } from "./controls.ts";
import { el } from "./dom.ts";

type Toggle = "wireframe" | "nodes" | "constraints" | "contacts" | "velocities" | "ground";

const SWITCHES: readonly (readonly [Toggle, label: string, tip: string, key: string])[] = [
  ["wireframe", "Wireframe", "Edges of the surface triangles", "W"],
  ["nodes", "Nodes", "A dot at every point", "N"],
  ["constraints", "Constraints", "Marks at points that are held", "C"],
  ["contacts", "Contact forces", "Arrows at points that touch", "K"],
  ["velocities", "Velocities", "Arrows at points that move", "V"],
  ["ground", "Ground", "Half-spaces and the ground", "G"],
];

const BODY_GRADIENT = "linear-gradient(to right, #f0715a 0 33%, #2aa9a0 0 66%, #f2b23e 0)";

export class ViewPanel {
  readonly colour: HTMLElement;
  readonly show: HTMLElement;
  readonly cut: HTMLElement;
  private readonly chips = new Map<ColourName, HTMLButtonElement>();
  private readonly switches = new Map<Toggle, Switch>();
  private readonly cutSwitch: Switch;
  private readonly cutAxis;
  private readonly cutPlace;
  private readonly cutFlip: HTMLButtonElement;
  private readonly cutRest: HTMLElement;

  constructor(private readonly options: OptionStore) {
    this.colour = section(
      "Colour by",
      true,
      el(
        "div",
        { class: "chips", role: "radiogroup", "aria-label": "Colour by" },
        ...COLOUR_NAMES.map((name, k) => this.makeChip(name, k)),
      ),
    );
    for (const [key, label, tip, letter] of SWITCHES)
      this.switches.set(
        key,
        makeSwitch(label, tip, letter, () => options.toggle(key)),
      );
    this.show = section("Show", true, ...[...this.switches.values()].map((s) => s.node));
    this.cutSwitch = makeSwitch("Cut open", "Take away what lies on one side of a plane", "X", () => options.toggle("cut"));
    this.cutAxis = segments(
      [
        [0, "x"],
        [1, "y"],
        [2, "z"],
      ] as const,
      "Axis of the cut",
      (axis) => options.set("cutAxis", axis),
    );
    this.cutPlace = slider("Place of the cut", 0, 1, 0.005, (place) => options.set("cutPlace", place));
    this.cutFlip = iconButton("flip", "Keep the other side", "", () => options.toggle("cutFlip"));
    this.cutRest = el("div", { class: "cut-controls" }, el("div", { class: "line" }, this.cutAxis.node, this.cutFlip), this.cutPlace.node);
    this.cut = section("Cut", true, this.cutSwitch.node, this.cutRest);
    options.on((all) => this.refresh(all));
    this.refresh(options.all);
  }

  /** Choices without data are switched off. */
  setScene(scene: Scene): void {
    for (const [name, chip] of this.chips) chip.disabled = (QUANTITIES[name].field & ~scene.fields) !== 0;
    this.switches.get("contacts")?.enable((scene.fields & Field.contact) !== 0);
    this.switches.get("velocities")?.enable((scene.fields & Field.velocity) !== 0);
    this.switches.get("constraints")?.enable(scene.constraints.some((c) => c.points.length > 0));
  }

  private makeChip(name: ColourName, k: number): HTMLButtonElement {
    const bar = el("span", { class: "chip-bar" });
    bar.style.background = name === "body" ? BODY_GRADIENT : mapGradient(QUANTITIES[name].map);
    const chip = el(
      "button",
      {
        class: "chip",
        type: "button",
        role: "radio",
        key: String(k + 1),
        tip: QUANTITIES[name].title,
        onclick: () => this.options.set("colour", name),
      },
      bar,
      QUANTITIES[name].label,
    );
    this.chips.set(name, chip);
    return chip;
  }

  private refresh(all: Readonly<Options>): void {
    for (const [name, chip] of this.chips) chip.setAttribute("aria-checked", String(all.colour === name));
    for (const [key, control] of this.switches) control.set(all[key]);
    this.cutSwitch.set(all.cut);
    this.cutAxis.set(all.cutAxis);
    this.cutPlace.set(all.cutPlace);
    setPressed(this.cutFlip, all.cutFlip);
    this.cutRest.classList.toggle("off", !all.cut);
  }
}
