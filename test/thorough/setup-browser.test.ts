/** From nothing to a published review, as a person does it: `kodiai setup` in a real browser, `kodiai serve`, a pull request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.ts";
import { startFirstSetup } from "../support/first-review.ts";

const chromium = findChromium();

test(
  "an app is created and installed in a browser, and reviews the first pull request through the relay",
  { skip: chromium === null ? `this test ${WITHOUT_CHROMIUM}` : false },
  async (t) => {
    const { run, assertReviewed } = await startFirstSetup(t);
    const browser = await startChromium(chromium ?? "");
    t.after(() => browser.close());
    const page = await browser.newPage();
    const errors: string[] = [];
    page.on("pageerror", (error) => errors.push(error.message));
    await page.goto(await run.startUrl());
    await page.getByText("Contents: read and write, to resolve its own threads").waitFor();
    await page.getByRole("button", { name: "Continue on GitHub" }).click();
    await page.getByRole("button", { name: "Create GitHub App for acme" }).click();
    await page.getByRole("heading", { name: "The app kodiai exists" }).waitFor();
    await page.getByRole("link", { name: "Install the app" }).click();
    await page.getByRole("button", { name: "Install" }).click();
    assert.equal(await run.ended, 0, run.output());
    assert.match(run.output(), /installed on acme: acme\/shop\n/);
    assert.deepEqual(errors, []);
    await assertReviewed();
  },
);
