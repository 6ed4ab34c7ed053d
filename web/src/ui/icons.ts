// Icons as inline SVG, drawn on a 24 × 24 grid with the current colour.

import { fromText } from "./dom.ts";

const SHAPES = {
  play: '<path class="solid" d="M8 5.2v13.6a.6.6 0 0 0 .92.5l10.5-6.8a.6.6 0 0 0 0-1L8.92 4.7A.6.6 0 0 0 8 5.2z"/>',
  pause:
    '<rect class="solid" x="6.5" y="5" width="4" height="14" rx="1"/><rect class="solid" x="13.5" y="5" width="4" height="14" rx="1"/>',
  forward:
    '<path class="solid" d="M6 6.3v11.4a.5.5 0 0 0 .78.4L15 12.4a.5.5 0 0 0 0-.8L6.78 5.9A.5.5 0 0 0 6 6.3z"/><rect class="solid" x="16" y="5.5" width="2.4" height="13" rx="1"/>',
  back: '<path class="solid" d="M18 6.3v11.4a.5.5 0 0 1-.78.4L9 12.4a.5.5 0 0 1 0-.8l8.22-5.7a.5.5 0 0 1 .78.4z"/><rect class="solid" x="5.6" y="5.5" width="2.4" height="13" rx="1"/>',
  reset: '<path d="M4.5 12a7.5 7.5 0 1 0 2.4-5.5"/><path d="M7.2 2.8v4h4"/>',
  loop: '<path d="M17 3l3 3-3 3"/><path d="M4 11V9.5A3.5 3.5 0 0 1 7.5 6H20"/><path d="M7 21l-3-3 3-3"/><path d="M20 13v1.500A3.5 3.5 0 0 1 16.5 18H4"/>',
  chart: '<path d="M4 4v15a1 1 0 0 0 1 1h15"/><path d="M7.5 15l3.6-5 3.4 3 4.5-7"/>',
  fit: '<path d="M4 9V5.500A1.5 1.5 0 0 1 5.5 4H9M15 4h3.500A1.5 1.5 0 0 1 20 5.500V9M20 15v3.500a1.5 1.5 0 0 1-1.5 1.500H15M9 20H5.500A1.5 1.5 0 0 1 4 18.500V15"/><circle class="solid" cx="12" cy="12" r="2.6"/>',
  sun: '<circle cx="12" cy="12" r="4"/><path d="M12 2.500v2M12 19.500v2M2.5 12h2M19.5 12h2M5.3 5.300l1.4 1.400M17.3 17.300l1.4 1.400M5.3 18.700l1.4-1.400M17.3 6.700l1.4-1.4"/>',
  moon: '<path d="M20 14.200A8.2 8.2 0 1 1 9.8 4a6.6 6.6 0 0 0 10.2 10.200z"/>',
  help: '<circle cx="12" cy="12" r="9"/><path d="M9.3 9.300a2.8 2.8 0 0 1 5.4.900c0 1.9-2.7 2.3-2.7 4"/><path d="M12 17.200v.1"/>',
  panels: '<rect x="3" y="4.5" width="18" height="15" rx="2.5"/><path d="M8.5 4.500v15M15.5 4.500v15"/>',
  eye: '<path d="M2.5 12S6 5.8 12 5.8 21.5 12 21.5 12 18 18.2 12 18.2 2.5 12 2.5 12z"/><circle cx="12" cy="12" r="2.7"/>',
  eyeOff:
    '<path d="M4 4l16 16M9.7 6.100A9.5 9.5 0 0 1 12 5.800c6 0 9.5 6.2 9.5 6.200a16 16 0 0 1-3 3.700M6.2 7.800A15.5 15.5 0 0 0 2.5 12S6 18.2 12 18.200a9.3 9.3 0 0 0 4-.9M10 10a2.8 2.8 0 0 0 4 4"/>',
  lock: '<rect x="5.5" y="10.5" width="13" height="9" rx="2"/><path d="M8.5 10.500V8a3.5 3.5 0 0 1 7 0v2.5"/>',
  unlock: '<rect x="5.5" y="10.5" width="13" height="9" rx="2"/><path d="M8.5 10.500V8a3.5 3.5 0 0 1 6.7-1.4"/>',
  flip: '<path d="M12 3v18M8.5 7L3.5 12l5 5zM15.5 7l5 5-5 5z"/>',
  save: '<path d="M12 4v11M7.5 11l4.5 4.500L16.5 11M4.5 19.500h15"/>',
  close: '<path d="M6 6l12 12M18 6L6 18"/>',
  undo: '<path d="M5 10h9.500a5 5 0 0 1 0 10H9"/><path d="M8.5 6L4.5 10l4 4"/>',
  tree: '<rect x="3.5" y="4" width="6" height="5" rx="1.2"/><rect x="14" y="9.5" width="6.5" height="4.5" rx="1.2"/><rect x="14" y="16.5" width="6.5" height="4.5" rx="1.2"/><path d="M6.5 9v9.700H14M6.5 11.800H14"/>',
  sliders: '<path d="M4 7h9M17 7h3M4 17h3M11 17h9"/><circle cx="15" cy="7" r="2.2"/><circle cx="9" cy="17" r="2.2"/>',
  palette:
    '<path d="M12 3.500a8.5 8.5 0 0 0 0 17c1.5 0 2-.9 1.7-2-.4-1.5.4-2.7 2-2.700h1.800a3 3 0 0 0 3-3.100C20.4 7.6 16.7 3.5 12 3.500z"/><circle class="solid" cx="8" cy="10" r="1.1"/><circle class="solid" cx="12" cy="7.6" r="1.1"/><circle class="solid" cx="16" cy="10" r="1.1"/>',
  info: '<circle cx="12" cy="12" r="9"/><path d="M12 11v5.500M12 7.600v.1"/>',
  warning: '<path d="M12 4l9 15.500H3z"/><path d="M12 10v4.500M12 16.900v.1"/>',
} as const;

export type IconName = keyof typeof SHAPES;

export function icon(name: IconName): HTMLElement {
  return fromText(`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true">${SHAPES[name]}</svg>`);
}

/** The mark of aspic: a jelly fresh from the mould. */
export function logo(): HTMLElement {
  return fromText(
    `<svg class="logo" viewBox="0 0 32 32" aria-hidden="true"><defs><linearGradient id="jelly" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="#ffd27a"/><stop offset="1" stop-color="#f0715a"/></linearGradient></defs><path fill="url(#jelly)" d="M6.2 25C5 25 4.3 23.9 4.7 22.8 6 19.5 6.4 15.5 7.2 12c.9-3.9 4.3-6 8.8-6s7.9 2.1 8.8 6c.8 3.5 1.2 7.5 2.5 10.8.4 1.1-.3 2.2-1.5 2.200z"/><path fill="none" stroke="#fff" stroke-opacity=".65" stroke-width="1.8" stroke-linecap="round" d="M10.2 19.500c.4-2.5.6-4.3 1-6.2.4-1.7 1.3-2.7 2.8-3.2"/><path stroke="currentColor" stroke-opacity=".5" stroke-width="2" stroke-linecap="round" d="M3.5 27.500h25"/></svg>`,
  );
}
