// Hands a text to the browser as a file.

import type { TextFile } from "../protocol/scene.ts";
import { el } from "./dom.ts";

export function download({ name, text }: TextFile): void {
  const address = URL.createObjectURL(new Blob([text], { type: "text/plain;charset=utf-8" }));
  const link = el("a", { href: address, download: name });
  document.body.append(link);
  link.click();
  link.remove();
  window.setTimeout(() => URL.revokeObjectURL(address), 10_000);
}
