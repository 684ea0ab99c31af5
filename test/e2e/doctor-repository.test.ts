/** `kodiai doctor --repository`: whether a pull request would be reviewed, and if not, why. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario } from "../support/app/scenario.ts";
import { aboutRepository, diagnoseRepository } from "../support/doctor-fixtures.ts";
import { engineNamed } from "../support/queue-contract/engines.ts";

test("a pull request that would be reviewed, and after its review", async (t) => {
  const scenario = await createScenario(t, { isSwept: true });
  const { pullRequest } = scenario;
  const number = String(pullRequest.number);
  assert.deepEqual(aboutRepository(await diagnoseRepository(scenario, "--pr", number)), [
    "ok budget: No budget for models is used up.",
    "ok configuration: The configuration is valid: defaults (no .kodiai.yml at the base); no organization defaults (none that Kodiai can read at acme/.github:.github/kodiai.yml).",
    "ok jobs: There is no job about the pull request yet.",
    "ok repository: The app is installed on acme/shop.",
    "ok review: The pull request would be reviewed now.",
  ]);
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });

  await scenario.start();
  await scenario.send("opened");
  await scenario.settled();
  const lines = aboutRepository(await diagnoseRepository(scenario, "--pr", number));
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
