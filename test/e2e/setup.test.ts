/** From nothing to a published review: `kodiai setup`, whose app a person confirms and installs, `kodiai serve`, a pull request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFirstSetup } from "../support/first-review.ts";
import { confirmApp, installOnAll } from "../support/setup-run.ts";
import { visit } from "../support/setup-stage.ts";

test("setup: an app that was created and installed reviews the first pull request through the relay", async (t) => {
  const { fake, run, assertReviewed } = await startFirstSetup(t);
  await visit((await confirmApp(await run.startUrl())).callbackUrl);
  await run.until(/install the app on the repositories/);
  await installOnAll(fake);
  assert.equal(await run.ended, 0, run.output());
  assert.match(run.output(), /installed on acme: acme\/shop\n/);
  await assertReviewed();
});
