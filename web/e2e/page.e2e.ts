// An exported page from a file:// address, and the page on a phone.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { difference, keepShot, launch, openPage } from "./browser.ts";
import { exportPage, skipUnless } from "./targets.ts";

const skip = skipUnless("page");
const PHONE = { width: 390, height: 844, phone: true };
let browser: Browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser.close();
});

test("an exported page plays from a file", { skip }, async () => {
  const target = exportPage();
  const { page, complaints, close } = await openPage(browser, target.url);
  assert.match(page.url(), /^file:/);
  await page.waitForFunction(() => window.aspic.frame >= 3);
  await page.evaluate(() => {
    window.aspic.play(false);
    window.aspic.seek(0);
  });
  await page.waitForFunction(() => window.aspic.frame === 0);
  await page.waitForTimeout(1500);
  const first = await page.screenshot();
  await page.evaluate(() => window.aspic.seek(8));
  await page.waitForFunction(() => window.aspic.frame === 8);
  await page.waitForTimeout(1500);
  assert.ok((await difference(page, first, await page.screenshot())) > 0.001, "frames 0 and 8 look the same");
  assert.deepEqual(complaints, []);
  await close();
  await target.stop();
});

test("nothing sticks out of the page on a phone", { skip }, async () => {
  const target = exportPage();
  const { page, complaints, close } = await openPage(browser, target.url, PHONE);
  const check = async (what: string) => {
    await page.waitForTimeout(300);
    const outside = await page.evaluate(() => {
      const { scrollWidth, clientWidth, scrollHeight, clientHeight } = document.documentElement;
      const nodes = [...document.querySelectorAll<HTMLElement>(".app *")].filter(
        (n) => !n.closest("svg, .tree, .plot-side, .panel, .hand-overlay"),
      );
      const out = nodes.filter((n) => {
        const box = n.getBoundingClientRect();
        return box.width > 0 && (box.left < -1 || box.right > clientWidth + 1 || box.bottom > clientHeight + 1);
      });
      return [scrollWidth > clientWidth || scrollHeight > clientHeight ? "the page scrolls" : "", ...out.map((n) => n.className)].filter(
        Boolean,
      );
    });
    assert.deepEqual(outside, [], what);
  };
  await check("at first");
  await keepShot(page, "phone");
  const tabs = page.locator(".tabs button:visible");
  for (let k = 0; k < (await tabs.count()); k++) {
    await tabs.nth(k).tap();
    await check(`tab ${k}`);
    await keepShot(page, `phone-${k}`);
    await tabs.nth(k).tap();
  }
  assert.deepEqual(complaints, []);
  await close();
  await target.stop();
});
