// Live runs in the browser: pull a body and let go, pin a point, change a parameter, pause, reset, save, reconnect.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser, Page } from "playwright-core";
import { keepShot, launch, openPage, simulate, type OpenPage } from "./browser.ts";
import { openTarget, skipUnless, type Target } from "./targets.ts";

const skip = skipUnless("live");
let browser: Browser;
let target: Target;
let open: OpenPage;

before(async () => {
  if (skip) return;
  browser = await launch();
  target = await openTarget("live");
  open = await openPage(browser, target.url, { width: 900, height: 600 });
});

after(async () => {
  await browser?.close();
  await target?.stop();
});

type Place = [number, number, number];

function distance(a: Place, b: Place): number {
  return Math.hypot(a[0] - b[0], a[1] - b[1], a[2] - b[2]);
}

async function position(page: Page, point: number): Promise<Place> {
  return page.evaluate((p) => window.aspic.position(p), point);
}

/** Pauses or goes on, and waits until the last frame of the motion is on show. */
async function setRunning(page: Page, on: boolean): Promise<void> {
  await page.evaluate((o) => window.aspic.play(o), on);
  await page.waitForFunction((o) => window.aspic.playing === o, on);
  if (!on) await page.waitForTimeout(1000);
}

/** The highest point that can be seen and grabbed well, and where it is on the page. */
async function topPoint(page: Page): Promise<{ point: number; x: number; y: number; size: number }> {
  return page.evaluate(() => {
    const { aspic } = window;
    const all = Array.from({ length: aspic.points }, (_, p) => p).sort((a, b) => aspic.position(b)[2] - aspic.position(a)[2]);
    // Not on the outline, where a pixel more or less decides.
    const around = [
      [0, 0],
      [8, 0],
      [-8, 0],
      [0, 8],
      [0, -8],
    ];
    const inside = (p: number) =>
      around.every(([dx, dy]) => {
        const [x, y] = aspic.pointOnScreen(p);
        return aspic.pointAt(x + dx, y + dy) >= 0;
      });
    const seen = all.find((p) => aspic.pointAt(...aspic.pointOnScreen(p)) === p && inside(p)) ?? all[0];
    const [x, y] = aspic.pointOnScreen(seen);
    return { point: seen, x, y, size: aspic.position(all[0])[2] - aspic.position(all[all.length - 1])[2] };
  });
}

test("a live run loads and runs without an error or a warning", { skip }, async () => {
  const { page } = open;
  assert.equal(await page.evaluate(() => window.aspic.mode), "live");
  await simulate(page, 0.2);
  assert.ok((await page.evaluate(() => window.aspic.slower)) > 0);
  assert.match(await page.locator(".pace").innerText(), /real time/);
  await keepShot(page, "live");
  assert.deepEqual(open.complaints, []);
});

test("a drag moves the body, and it swings back after release", { skip }, async () => {
  const { page } = open;
  await simulate(page, 0.5);
  const { point, x, y, size } = await topPoint(page);
  const before = await position(page, point);
  await page.mouse.move(x, y);
  await page.mouse.down();
  for (let k = 1; k <= 8; k++) await page.mouse.move(x + 12 * k, y - 3 * k);
  assert.notEqual(await page.evaluate(() => window.aspic.grabbed), null);
  await simulate(page, 0.4);
  const pulled = await position(page, point);
  assert.ok(await page.locator(".hand-overlay.pulling").count(), "no line is drawn to the pointer");
  await keepShot(page, "live-pull");
  await page.mouse.up();
  assert.equal(await page.evaluate(() => window.aspic.grabbed), null);
  assert.ok(distance(pulled, before) > 0.1 * size, `the point moved only ${distance(pulled, before)} m`);
  await page.waitForFunction(([p, q, limit]) => Math.hypot(...window.aspic.position(p).map((c, k) => c - q[k])) < limit, [
    point,
    before,
    0.4 * distance(pulled, before),
  ] as const);
});

test("a drag on the background turns the camera and grabs nothing", { skip }, async () => {
  const { page } = open;
  const place = () => page.evaluate(() => window.aspic.pointOnScreen(0));
  await setRunning(page, false);
  const [x0, y0] = await place();
  await page.mouse.move(450, 90);
  await page.mouse.down();
  await page.mouse.move(520, 110, { steps: 5 });
  assert.equal(await page.evaluate(() => window.aspic.grabbed), null);
  await page.mouse.up();
  await page.waitForTimeout(800);
  const [x1, y1] = await place();
  assert.ok(Math.hypot(x1 - x0, y1 - y0) > 3, "the camera did not turn");
  await setRunning(page, true);
});

test("a double click pins a point, and another lets it go", { skip }, async () => {
  const { page } = open;
  await setRunning(page, false);
  const { point, x, y } = await topPoint(page);
  await page.mouse.dblclick(x, y);
  await page.waitForFunction((p) => window.aspic.isPinned(p), point);
  await setRunning(page, true);
  await simulate(page, 0.1);
  const held = await position(page, point);
  await simulate(page, 0.2);
  assert.ok(distance(await position(page, point), held) < 1e-5);
  await setRunning(page, false);
  const [px, py] = await page.evaluate((p) => window.aspic.pointOnScreen(p), point);
  await page.mouse.move(px, py);
  await page.waitForTimeout(600);
  await page.keyboard.press("p");
  await page.waitForFunction((p) => !window.aspic.isPinned(p), point);
  await setRunning(page, true);
});

test("a slider that turns gravity upwards lifts the body", { skip }, async () => {
  const { page } = open;
  const { point, size } = await topPoint(page);
  await simulate(page, 0.5);
  const before = await position(page, point);
  const gravity = page.locator("input[type=range][data-parameter*='gravity']").first();
  await gravity.evaluate((node: HTMLInputElement) => {
    node.value = node.max;
    node.dispatchEvent(new Event("input", { bubbles: true }));
  });
  await page.waitForFunction(([p, height]) => window.aspic.position(p)[2] > height, [point, before[2] + 0.02 * size] as const);
  await page.locator(".parameter .icon-button:not(.invisible)").first().click();
  await page.waitForFunction(() => document.querySelectorAll(".parameter .icon-button:not(.invisible)").length === 0);
});

test("pause stops time, a step moves it on by a little, reset starts again", { skip }, async () => {
  const { page } = open;
  await page.keyboard.press("Space");
  await page.waitForFunction(() => !window.aspic.playing);
  await page.waitForTimeout(500);
  const stopped = await page.evaluate(() => window.aspic.time);
  await page.waitForTimeout(500);
  assert.equal(await page.evaluate(() => window.aspic.time), stopped);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction((t) => window.aspic.time > t, stopped);
  assert.ok((await page.evaluate(() => window.aspic.time)) - stopped < 0.2);
  await page.keyboard.press("r");
  await page.waitForFunction((t) => window.aspic.time < t, stopped);
  if (!(await page.evaluate(() => window.aspic.playing))) await page.keyboard.press("Space");
  await page.waitForFunction(() => window.aspic.playing);
});

test("the scene can be saved as a file", { skip }, async () => {
  const { page } = open;
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByText("Save scene").click()]);
  assert.match(file.suggestedFilename(), /\.toml$/);
});

test("a second page sees the same kind of scene, on a phone too", { skip }, async () => {
  const phone = await openPage(browser, target.url, { width: 390, height: 844, phone: true });
  const overflow = await phone.page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
  assert.equal(overflow, false);
  await phone.page.locator(".tabs button:visible").nth(2).tap();
  await phone.page.locator(".parameter").first().waitFor();
  await keepShot(phone.page, "phone-live");
  assert.deepEqual(phone.complaints, []);
  await phone.close();
});

test("live pages end without complaints", { skip }, () => {
  assert.deepEqual(open.complaints, []);
});
