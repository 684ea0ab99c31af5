/** `kodiai doctor --repository`: whether a pull request would be reviewed, and if not, why. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openStore } from "../../src/store/store.ts";
import { setPause } from "../../src/store/repositories/pauses.ts";
import { type Diagnosed, runDoctor } from "../support/app/run-doctor.ts";
import { createScenario, type Scenario } from "../support/app/scenario.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";

const NAMES = new Set(["repository", "configuration", "review", "budget", "jobs"]);

async function ask({ folder, repository }: Scenario, ...args: readonly string[]): Promise<Diagnosed> {
  const title = `${repository.owner.login}/${repository.name}`;
  return runDoctor({
    cwd: folder.path,
    env: folder.environment,
    args: ["--repository", title, ...args],
  });
}

/** "state name: what" of the lines about the repository. */
function about({ checks }: Diagnosed): readonly string[] {
  return checks
    .filter(({ name }) => NAMES.has(name))
    .map(({ state, name, what }) => `${state} ${name}: ${what}`)
    .toSorted();
}

test("a pull request that would be reviewed, and after its review", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  const { pullRequest } = scenario;
  const number = String(pullRequest.number);
  assert.deepEqual(about(await ask(scenario, "--pr", number)), [
    "ok budget: No budget for models is used up.",
    "ok configuration: The configuration is valid: defaults (no .kodiai.yml at the base).",
    "ok jobs: There is no job about the pull request yet.",
    "ok repository: The app is installed on acme/shop.",
    "ok review: The pull request would be reviewed now.",
  ]);
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });

  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const lines = about(await ask(scenario, "--pr", number));
  assert.match(
    lines.join("\n"),
    /^ok jobs: The last job about the pull request, number \d+, is done \(published\)\.$/m,
  );
  assert.match(lines.join("\n"), /^ok review: The newest commit of the pull request has been reviewed\./m);
  scenario.check();
});

test("a configuration that holds reviews back, with a mistake in it", async (t) => {
  const scenario = await createScenario(t, {
    engine: engineNamed("postgres"),
    config: "review:\n  triggers:\n    onOpened: false\n  skipAuthors: [renovate]\n  mode: strct\n",
  });
  const number = String(scenario.pullRequest.number);
  const general = await ask(scenario);
  assert.equal(general.code, 1);
  assert.match(
    about(general).join("\n"),
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
  const one = about(await ask(scenario, "--pr", number));
  assert.ok(
    one.includes(
      "warning review: The pull request wouldn't be reviewed by itself: the configuration doesn't review this event.",
    ),
    one.join("\n"),
  );
});

test("a person's pause, a missing installation, and one that is suspended", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  const { fake, repository, pullRequest, folder } = scenario;
  const store = await openStore(folder.environment["DATABASE_URL"] ?? "");
  t.after(() => store.close());
  const key = { repositoryId: repository.id, pullRequest: pullRequest.number };
  await setPause(key, { login: "ada", at: Date.now() }, store.database);
  const paused = about(await ask(scenario, "--pr", String(pullRequest.number)));
  assert.ok(
    paused.includes("warning review: The pull request wouldn't be reviewed by itself: ada paused reviews."),
    paused.join("\n"),
  );
  fake.suspend(fake.installation);
  assert.deepEqual(about(await ask(scenario)), [
    "not-checked budget: The budget of acme/shop: the app has no access to it.",
    "not-checked configuration: The configuration of acme/shop: the app has no access to it.",
    "not-checked jobs: The last job of acme/shop: the app has no access to it.",
    "not-checked review: Reviews of acme/shop: the app has no access to it.",
    "warning repository: The installation on acme is suspended, so nothing there is reviewed.",
  ]);
  fake.uninstall(fake.installation);
  const { troubles } = await ask(scenario);
  assert.ok(troubles.includes("failure repository repository-not-installed"), troubles.join("\n"));
});
