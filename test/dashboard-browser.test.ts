/** The dashboard in a real browser: two pages are accessible, and an action works without JavaScript. The full walk is in test/thorough. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "./support/chromium.ts";
import { addLearningInBrowser, signInBrowser } from "./support/dashboard/act-in-browser.ts";
import {
  assertAccessible,
  assertFits,
  VIEWS,
  watchProblems,
  withPicture,
} from "./support/dashboard/inspect-page.ts";
import { serveScene } from "./support/dashboard/serve-scene.ts";

const chromium = findChromium();

test(
  "the overview and a review are accessible, and a form works without JavaScript",
  { skip: chromium === null ? WITHOUT_CHROMIUM : false },
  async (t) => {
    assert.ok(chromium !== null);
    const scene = await serveScene(t);
    const browser = await startChromium(chromium);
    t.after(() => browser.close());
    const [wide, , plain] = VIEWS;
    const context = await browser.newContext(wide);
    const page = await signInBrowser(context, scene);
    const problems = watchProblems(page);
    for (const path of ["/", `/reviews/${scene.ids.filled[0]?.run}`])
      await withPicture(page, `the page ${path}`, async () => {
        await page.goto(`${scene.url}${path}`);
        await assertFits(page, path);
        await assertAccessible(page, path);
      });
    assert.deepEqual(problems, []);
    const without = await browser.newContext(plain);
    await without.addCookies(await context.cookies());
    const simple = await without.newPage();
    await withPicture(simple, "a learning without JavaScript", async () => {
      await addLearningInBrowser(simple, scene, "Dates are in UTC.");
      await assertFits(simple, "the memory");
    });
  },
);
