/** `kodiai doctor --repository`: whether a pull request would be reviewed. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createScenario, NO_REVIEW } from "../support/app/scenario.ts";
import { aboutRepository, diagnoseRepository } from "../support/doctor-fixtures.ts";

test("a pull request that would be reviewed, and why", async (t) => {
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
  assert.deepEqual(scenario.published(), NO_REVIEW);
  scenario.check();
});
