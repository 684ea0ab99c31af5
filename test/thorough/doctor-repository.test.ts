/** `kodiai doctor --repository` when the configuration, a person or the host holds reviews back, and after a review. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { setPause } from "../../src/store/repositories/pauses.ts";
import { createScenario } from "../support/app/scenario.ts";
import { aboutRepository, diagnoseRepository } from "../support/doctor-fixtures.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";

test("a person's pause, a missing installation, and one that is suspended", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  const { fake, repository, pullRequest, folder } = scenario;
  const store = await openStore(folder.environment["DATABASE_URL"] ?? "");
  t.after(() => store.close());
  const key = { repositoryId: repository.id, pullRequest: pullRequest.number };
  await setPause(key, { login: "ada", at: Date.now() }, store.database);
  const paused = aboutRepository(await diagnoseRepository(scenario, "--pr", String(pullRequest.number)));
  assert.ok(
    paused.includes("warning review: The pull request wouldn't be reviewed by itself: ada paused reviews."),
    paused.join("\n"),
  );
  fake.suspend(fake.installation);
  assert.deepEqual(aboutRepository(await diagnoseRepository(scenario)), [
    "not-checked budget: The budget of acme/shop: the app has no access to it.",
    "not-checked configuration: The configuration of acme/shop: the app has no access to it.",
    "not-checked jobs: The last job of acme/shop: the app has no access to it.",
    "not-checked review: Reviews of acme/shop: the app has no access to it.",
    "warning repository: The installation on acme is suspended, so nothing there is reviewed.",
  ]);
  fake.uninstall(fake.installation);
  const { troubles } = await diagnoseRepository(scenario);
  assert.ok(troubles.includes("failure repository repository-not-installed"), troubles.join("\n"));
});

test("a configuration that holds reviews back, with a mistake in it", async (t) => {
  const scenario = await createScenario(t, {
    engine: engineNamed("postgres"),
    config: "review:\n  triggers:\n    onOpened: false\n  skipAuthors: [renovate]\n  mode: strct\n",
  });
  const number = String(scenario.pullRequest.number);
  const general = await diagnoseRepository(scenario);
  assert.equal(general.code, 1);
  assert.match(
    aboutRepository(general).join("\n"),
    new RegExp(
      [
        "^failure configuration: \\.kodiai\\.yml:5: .*strct.*",
        "not-checked budget: Budgets: pass --pr .*",
        "ok jobs: There is no job about the repository yet\\.",
        "ok repository: The app is installed on acme/shop\\.",
        "ok review: A pull request is reviewed when commits are pushed to it, when a draft becomes ready, except drafts and those of renovate\\.",
        "warning review: A pull request isn't reviewed when it's opened: the configuration doesn't review this event\\.$",
      ].join("\\n"),
    ),
  );
  const one = aboutRepository(await diagnoseRepository(scenario, "--pr", number));
  assert.ok(
    one.includes(
      "warning review: The pull request wouldn't be reviewed by itself: the configuration doesn't review this event.",
    ),
    one.join("\n"),
  );
});

test("the newest commit of a pull request after its review, and the job", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const lines = aboutRepository(
    await diagnoseRepository(scenario, "--pr", String(scenario.pullRequest.number)),
  );
  assert.match(
    lines.join("\n"),
    /^ok jobs: The last job about the pull request, number \d+, is done \(published\)\.$/m,
  );
  assert.match(lines.join("\n"), /^ok review: The newest commit of the pull request has been reviewed\./m);
  scenario.check();
});
