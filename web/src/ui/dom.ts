// Making elements without a framework.

type Child = Node | string | null | undefined;

interface Attributes {
  class?: string;
  id?: string;
  title?: string;
  /** Tooltip, with the key that does the same. */
  tip?: string;
  key?: string;
  [name: string]: string | number | boolean | undefined | ((event: never) => void);
}

/** An element with attributes, listeners (onclick, …) and children. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) continue;
    if (typeof value === "function") node.addEventListener(name.slice(2), value as EventListener);
    else if (name === "tip") describe(node, String(value));
    else if (name === "key") node.dataset["key"] = String(value);
    else node.setAttribute(name, value === true ? "" : String(value));
  }
  node.append(...children.filter((c) => c != null));
  return node;
}

/** A tooltip, which is also the name for screen readers where the element has no text. */
export function describe(node: HTMLElement, text: string): void {
  node.dataset["tip"] = text;
  if (!node.textContent) node.setAttribute("aria-label", text);
}

/** An element from SVG or HTML text written in this program. */
export function fromText(text: string): HTMLElement {
  const template = document.createElement("template");
  template.innerHTML = text;
  return template.content.firstElementChild as HTMLElement;
}

/** Sets text only when it changed: no layout for nothing, sixty times a second. */
export function setText(node: HTMLElement, text: string): void {
  if (node.textContent !== text) node.textContent = text;
}
