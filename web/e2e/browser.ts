// Chromium for the end-to-end tests: pages that collect their errors, and pictures that can be compared.

import { mkdirSync } from "node:fs";
import { chromium, type Browser, type Page } from "playwright-core";

const PROGRAM = process.env["CHROMIUM"] ?? "/usr/bin/chromium";
const PAGE = process.env["ASPIC_PAGE"];
const ARGUMENTS = ["--no-sandbox", "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist"];
/** Pictures are drawn without a graphics card here; give them time [ms]. */
export const PATIENCE = 60_000;

/** The page's test interface, see src/testing.ts. */
export type Aspic = Window["aspic"];

export interface OpenPage {
  page: Page;
  /** Errors and warnings of the console so far. */
  complaints: string[];
  close(): Promise<void>;
}

export interface PageSize {
  width: number;
  height: number;
  phone?: boolean;
}

export async function launch(): Promise<Browser> {
  // A page that was put in place of another has no address of its own, so sockets to this machine must be allowed.
  const args = PAGE ? [...ARGUMENTS, "--disable-features=LocalNetworkAccessChecks"] : ARGUMENTS;
  return chromium.launch({ executablePath: PROGRAM, args });
}

/** Opens an address and waits until a frame is on show. */
export async function openPage(browser: Browser, url: string, size: PageSize = { width: 1000, height: 640 }): Promise<OpenPage> {
  const { width, height, phone = false } = size;
  const context = await browser.newContext({
    viewport: { width, height },
    colorScheme: "dark",
    hasTouch: phone,
    isMobile: phone,
    acceptDownloads: true,
  });
  const page = await context.newPage();
  page.setDefaultTimeout(PATIENCE);
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(String(error)));
  // The page as built here instead of the one inside the command.
  if (PAGE && url.startsWith("http"))
    await page.route(url, (route) => route.fulfill({ path: PAGE, contentType: "text/html; charset=utf-8" }));
  await page.goto(url);
  await page.waitForFunction(() => window.aspic?.ready);
  return { page, complaints, close: () => context.close() };
}

/** The middle of the page, where no panel is. */
export function middle({ width, height }: PageSize): { x: number; y: number; width: number; height: number } {
  return { x: Math.round(0.3 * width), y: Math.round(0.15 * height), width: Math.round(0.4 * width), height: Math.round(0.55 * height) };
}

/** Part of the pixels (0 … 1) that differ clearly between two PNG pictures of the same size. */
export async function difference(page: Page, first: Buffer, second: Buffer): Promise<number> {
  return page.evaluate(
    async ([a, b]) => {
      const read = async (text: string) => {
        const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
        const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
        const context = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d") as OffscreenCanvasRenderingContext2D;
        context.drawImage(bitmap, 0, 0);
        return context.getImageData(0, 0, bitmap.width, bitmap.height).data;
      };
      const [p, q] = [await read(a), await read(b)];
      let count = 0;
      for (let i = 0; i < p.length; i += 4) {
        if (Math.abs(p[i] - q[i]) + Math.abs(p[i + 1] - q[i + 1]) + Math.abs(p[i + 2] - q[i + 2]) > 30) count++;
      }
      return (4 * count) / p.length;
    },
    [first.toString("base64"), second.toString("base64")] as const,
  );
}

/** A picture for people to look at, in e2e/shots. */
export async function keepShot(page: Page, name: string): Promise<void> {
  mkdirSync("e2e/shots", { recursive: true });
  await page.screenshot({ path: `e2e/shots/${name}.png` });
}

/** Waits until the scene has moved on by some simulated time [s]. */
export async function simulate(page: Page, seconds: number): Promise<void> {
  const start = await page.evaluate(() => window.aspic.time);
  await page.waitForFunction(([t, dt]) => window.aspic.time >= t + dt, [start, seconds] as const);
}
