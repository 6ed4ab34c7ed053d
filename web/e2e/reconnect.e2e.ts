// The line is lost and comes back: a banner says so, and the page goes on where it was.

import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import type { Browser } from "playwright-core";
import { keepShot, launch, openPage } from "./browser.ts";
import { startMock } from "./mock.ts";

let browser: Browser;

before(async () => {
  browser = await launch();
});

after(async () => {
  await browser.close();
});

test("a lost connection shows a banner, and the same address is tried again", async () => {
  let mock = await startMock("film");
  const port = Number(new URL(mock.address).port);
  const { page, close } = await openPage(browser, mock.address, { width: 700, height: 480 });
  await page.evaluate(() => {
    window.aspic.play(false);
    window.aspic.seek(7);
  });
  await page.waitForFunction(() => window.aspic.frame === 7);
  await mock.close();
  await page.locator(".banner:visible").waitFor();
  await keepShot(page, "lost");
  assert.equal(await page.evaluate(() => window.aspic.frame), 7, "the last frame stays on show");
  mock = await startMock("film", "dist/index.html", port);
  await page.locator(".banner").waitFor({ state: "hidden" });
  assert.equal(await page.evaluate(() => window.aspic.link), "open");
  await page.evaluate(() => window.aspic.seek(140));
  await page.waitForFunction(() => window.aspic.frame === 140);
  await close();
  await mock.close();
});

test("notices are shown, and the same one again is counted", async () => {
  const mock = await startMock("film");
  const { page, close } = await openPage(browser, mock.address, { width: 700, height: 480 });
  await page.evaluate(() => {
    window.aspic.notice("warning", "Frame 12 is corrupt and was skipped.");
    window.aspic.notice("warning", "Frame 12 is corrupt and was skipped.");
    window.aspic.notice("info", "The run was replaced by another.");
  });
  assert.equal(await page.locator(".toast").count(), 2);
  assert.match(await page.locator(".toasts").innerText(), /skipped\. \(2×\)/);
  await keepShot(page, "notices");
  await close();
  await mock.close();
});
