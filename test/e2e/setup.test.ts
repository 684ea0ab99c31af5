/** From nothing to a published review, as a person does it: `kodiai setup` in a real browser, `kodiai serve`, a pull request. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { startFakeGithub } from "../../fake-github/fake-github.ts";
import { openSamplePullRequest } from "../../fake-github/sample-pull-request.ts";
import { startApp } from "../support/app/running-app.ts";
import { findChromium, startChromium, WITHOUT_CHROMIUM } from "../support/chromium.ts";
import { eventually } from "../support/eventually.ts";
import { startRelayServer } from "../support/relay-server.ts";
import { setupFolder, startSetup } from "../support/setup-run.ts";

const chromium = findChromium();

test(
  "an app is created and installed in a browser, and reviews the first pull request through the relay",
  { skip: chromium === null ? `this test ${WITHOUT_CHROMIUM}` : false },
  async (t) => {
    const fake = await startFakeGithub({ slug: "an-app-that-was-there" });
    t.after(() => fake.close());
    const relay = await startRelayServer(t);
    const folder = setupFolder(t);
    const args = ["--relay", relay.newUrl, "--organization", "acme", "--name", "Kodiai", "--all-permissions"];
    const run = startSetup(t, fake, { folder, args });
    const pullRequest = await openSamplePullRequest(fake);

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

    // Only the file that setup has written leads to the fake.
    const environment = {
      PATH: process.env["PATH"] ?? "",
      HOME: folder,
      KODIAI_OFFLINE: "on",
      HOST: "127.0.0.1",
    };
    const app = await startApp(["serve"], { path: folder, environment, remove: () => {} });
    t.after(() => app.stop());
    await eventually("the relay", () => relay.connections() === 1);
    await fake.send(await fake.events.pullRequest("opened", pullRequest));
    await eventually("the review", () =>
      fake.checksOf(pullRequest).some(({ conclusion }) => conclusion !== null),
    );
    assert.equal(fake.reviewsOf(pullRequest).length, 1);
    assert.ok(fake.reviewCommentsOf(pullRequest).length > 0);
    assert.deepEqual(fake.violations, []);
  },
);
