// A film that is still being written: the scrub bar grows, and a play head at the end follows.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { launch, openPage, type OpenPage } from "./browser.ts";
import { openTarget, skipUnless, type Target } from "./targets.ts";

const skip = skipUnless("growing");
let browser: Browser;
let target: Target;
let open: OpenPage;

before(async () => {
  if (skip) return;
  browser = await launch();
  target = await openTarget("growing");
  open = await openPage(browser, target.url, { width: 700, height: 480 });
});

after(async () => {
  await browser?.close();
  await target?.stop();
});

test("a growing film is followed from its end", { skip }, async () => {
  const { page } = open;
  await page.evaluate(() => window.aspic.play(false));
  await page.keyboard.press("End");
  await page.waitForFunction(() => window.aspic.frame >= window.aspic.framesKnown - 2);
  const [known, shown] = await page.evaluate(() => [window.aspic.framesKnown, window.aspic.frame]);
  await page.waitForFunction((k) => window.aspic.framesKnown > k + 3, known);
  await page.waitForFunction((s) => window.aspic.frame > s + 2, shown);
  assert.deepEqual(open.complaints, []);
});

test("a head in the middle of a growing film stays there", { skip }, async () => {
  const { page } = open;
  await page.evaluate(() => window.aspic.seek(2));
  await page.waitForFunction(() => window.aspic.frame === 2);
  const known = await page.evaluate(() => window.aspic.framesKnown);
  if (!(await page.evaluate(() => window.aspic.complete)))
    await page.waitForFunction((k) => window.aspic.framesKnown > k || window.aspic.complete, known);
  assert.equal(await page.evaluate(() => window.aspic.frame), 2);
});
