// One tooltip for all elements that carry data-tip; shown after a moment, never on touch.

import { el } from "./dom.ts";

const DELAY = 350;

export function installTooltips(root: HTMLElement): void {
  const bubble = el("div", { class: "tooltip glass", role: "tooltip", hidden: true });
  document.body.append(bubble);
  let timer = 0;
  let target: HTMLElement | null = null;
  const hide = () => {
    window.clearTimeout(timer);
    bubble.hidden = true;
    target = null;
  };
  const show = () => {
    if (!target?.isConnected) return hide();
    const key = target.dataset["key"];
    bubble.replaceChildren(target.dataset["tip"] ?? "", ...(key ? [el("kbd", {}, key)] : []));
    bubble.hidden = false;
    const at = target.getBoundingClientRect();
    const { width, height } = bubble.getBoundingClientRect();
    const x = Math.min(Math.max(8, at.left + 0.5 * (at.width - width)), window.innerWidth - width - 8);
    const y = at.top - height - 8 > 8 ? at.top - height - 8 : at.bottom + 8;
    bubble.style.translate = `${Math.round(x)}px ${Math.round(y)}px`;
  };
  root.addEventListener("pointerover", (event) => {
    const next = (event.target as Element).closest<HTMLElement>("[data-tip]");
    if (next === target) return;
    hide();
    if (!next || event.pointerType === "touch") return;
    target = next;
    timer = window.setTimeout(show, DELAY);
  });
  for (const name of ["pointerdown", "pointerleave", "wheel"]) root.addEventListener(name, hide, { capture: true, passive: true });
}
