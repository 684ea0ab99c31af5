/** A GitHub with an open pull request, and an app from `kodiai setup` that reviews it. */
import assert from "node:assert/strict";
import type { TestContext } from "node:test";
import { startFakeGithub } from "../../fake-github/fake-github.ts";
import { openSamplePullRequest } from "../../fake-github/sample-pull-request.ts";
import { startApp } from "./app/running-app.ts";
import { eventually } from "./eventually.ts";
import { startRelayServer } from "./relay-server.ts";
import { setupFolder, startSetup } from "./setup-run.ts";

/** Starts `kodiai setup` for the organization acme, with webhooks through a relay. */
export async function startFirstSetup(t: TestContext) {
  const fake = await startFakeGithub({ slug: "an-app-that-was-there" });
  t.after(() => fake.close());
  const relay = await startRelayServer(t);
  const folder = setupFolder(t);
  const args = ["--relay", relay.newUrl, "--organization", "acme", "--name", "Kodiai", "--all-permissions"];
  const run = startSetup(t, fake, { folder, args });
  const pullRequest = await openSamplePullRequest(fake);
  /** Only the file that setup has written leads to the fake. */
  const assertReviewed = async (): Promise<void> => {
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
  };
  return { fake, run, assertReviewed };
}
