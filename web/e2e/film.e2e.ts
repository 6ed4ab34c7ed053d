// Films in the browser: loading, playing, scrubbing, colours, growth, reconnection.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { difference, keepShot, launch, middle, openPage, type OpenPage } from "./browser.ts";
import { openTarget, skipUnless, skipUnlessMock, type Target } from "./targets.ts";
import { WOBBLE } from "./wobble.ts";

const SIZE = { width: 1000, height: 640 };
const skip = skipUnless("film");
let browser: Browser;
let target: Target;
let open: OpenPage;

before(async () => {
  if (skip) return;
  browser = await launch();
  target = await openTarget("film");
  open = await openPage(browser, target.url, SIZE);
});

after(async () => {
  await browser?.close();
  await target?.stop();
});

/** Shows a frame, still, with all pixels. */
async function showFrame(index: number): Promise<void> {
  await open.page.evaluate((i) => {
    window.aspic.play(false);
    window.aspic.seek(i);
  }, index);
  await open.page.waitForFunction((i) => window.aspic.frame === i, index);
  await open.page.waitForTimeout(1500);
}

test("a film loads without an error or a warning", { skip }, async () => {
  assert.equal(await open.page.evaluate(() => window.aspic.mode), "film");
  assert.ok((await open.page.evaluate(() => window.aspic.framesKnown)) > 10);
  assert.deepEqual(open.complaints, []);
});

test("bodies are seen, and move between frames", { skip }, async () => {
  const { page } = open;
  const clip = middle(SIZE);
  await showFrame(0);
  const first = await page.screenshot({ clip });
  await keepShot(page, "film");
  await showFrame(8);
  const second = await page.screenshot({ clip });
  await page.evaluate(() => document.querySelectorAll<HTMLButtonElement>(".tree-line .icon-button").forEach((eye) => eye.click()));
  await page.waitForTimeout(1500);
  const empty = await page.screenshot({ clip });
  await page.evaluate(() => document.querySelectorAll<HTMLButtonElement>(".tree-line .icon-button").forEach((eye) => eye.click()));
  assert.ok((await difference(page, first, empty)) > 0.05, "the bodies cover too little of the picture");
  assert.ok((await difference(page, first, second)) > 0.002, "frames 0 and 8 look the same");
});

test("ropes and cloth are drawn, and can be taken hold of", { skip: skip || skipUnlessMock }, async () => {
  const { page } = open;
  const clip = middle(SIZE);
  await showFrame(0);
  const all = await page.screenshot({ clip });
  // Not a click of the mouse, which would leave the keys to the button.
  const toggle = (name: string) =>
    page.locator(".tree-line", { hasText: name }).locator(".icon-button").evaluate((eye: HTMLElement) => eye.click());
  for (const name of ["rope", "cloth"]) {
    const { points } = WOBBLE.bodies.find((body) => body.name === name) ?? { points: [0, 0] };
    const point = Math.round(0.5 * (points[0] + points[1]));
    const found = await page.evaluate((p) => window.aspic.pointAt(...window.aspic.pointOnScreen(p)), point);
    assert.equal(found, point, `the pointer on point ${point} of the ${name} finds ${found}`);
    await toggle(name);
    await page.waitForTimeout(1500);
    const without = await page.screenshot({ clip });
    assert.ok((await difference(page, all, without)) > 0.002, `the ${name} cannot be seen`);
    await toggle(name);
  }
  await page.waitForTimeout(1500);
  assert.ok((await difference(page, all, await page.screenshot({ clip }))) < 0.001, "both are back");
});

test("play moves the film on, pause stops it", { skip }, async () => {
  const { page } = open;
  await showFrame(0);
  await page.keyboard.press("Space");
  await page.waitForFunction(() => window.aspic.frame >= 3);
  await page.keyboard.press("Space");
  const stopped = await page.evaluate(() => window.aspic.frame);
  await page.waitForTimeout(600);
  assert.ok((await page.evaluate(() => window.aspic.frame)) - stopped <= 1);
  assert.equal(await page.evaluate(() => window.aspic.playing), false);
});

test("the scrub bar goes to the frame under the pointer", { skip }, async () => {
  const { page } = open;
  const box = await page.locator(".scrub").boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + 0.5 * box.width, box.y + 0.5 * box.height);
  const last = (await page.evaluate(() => window.aspic.framesKnown)) - 1;
  const goal = Math.round(0.5 * last);
  await page.waitForFunction((g) => Math.abs(window.aspic.frame - g) <= 1, goal);
});

test("arrow keys step by one frame", { skip }, async () => {
  const { page } = open;
  await showFrame(5);
  await page.keyboard.press("ArrowRight");
  await page.waitForFunction(() => window.aspic.frame === 6);
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => window.aspic.frame === 4);
});

test("colouring by stress asks for the field and shows a legend in pascals", { skip }, async () => {
  const { page } = open;
  await showFrame(8);
  assert.equal((await page.evaluate(() => window.aspic.fields)) & 2, 0, "stress came without being asked for");
  await page.keyboard.press("4");
  await page.waitForFunction(() => (window.aspic.fields & 2) !== 0 && window.aspic.range > 0);
  assert.match(await page.locator(".legend").innerText(), /stress[\s\S]*Pa\]/);
  await page.waitForTimeout(1000);
  await keepShot(page, "film-stress");
  await page.keyboard.press("1");
});

test("a cut, nodes, arrows and the ledger are drawn without complaint", { skip }, async () => {
  const { page } = open;
  for (const key of ["x", "n", "v", "k", "w", "l"]) await page.keyboard.press(key);
  await page.waitForTimeout(2500);
  await keepShot(page, "film-everything");
  const filled = await page.evaluate(() => {
    const plot = document.querySelector<HTMLCanvasElement>(".plot");
    const pixels = plot?.getContext("2d")?.getImageData(0, 0, plot.width, plot.height).data ?? [];
    return pixels.some((x) => x !== 0);
  });
  assert.ok(filled, "the ledger is empty");
  for (const key of ["x", "n", "v", "k", "w", "l"]) await page.keyboard.press(key);
  assert.deepEqual(open.complaints, []);
});

test("a click in the ledger goes to that time", { skip }, async () => {
  const { page } = open;
  await showFrame(0);
  await page.keyboard.press("l");
  const box = await page.locator(".plot").boundingBox();
  assert.ok(box);
  await page.mouse.click(box.x + 0.75 * box.width, box.y + 0.5 * box.height);
  const last = (await page.evaluate(() => window.aspic.framesKnown)) - 1;
  await page.waitForFunction((l) => window.aspic.frame > 0.6 * l && window.aspic.frame < 0.85 * l, last);
  await page.keyboard.press("l");
});

test("help opens and closes with its key", { skip }, async () => {
  const { page } = open;
  await page.keyboard.press("?");
  await page.locator("dialog[open]").waitFor();
  await keepShot(page, "help");
  await page.keyboard.press("Escape");
  await page.locator("dialog[open]").waitFor({ state: "detached" });
});

test("the theme can be changed and is remembered", { skip }, async () => {
  const { page } = open;
  await page.keyboard.press("t");
  assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "light");
  await page.reload();
  await page.waitForFunction(() => window.aspic?.ready);
  assert.equal(await page.evaluate(() => document.documentElement.dataset["theme"]), "light");
  await page.keyboard.press("t");
});
