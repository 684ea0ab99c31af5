/** `kodiai review --pr`, printed or published, and the commands that show what was recorded. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseReviewJob } from "../../src/jobs/review-job.ts";
import { createScenario, ONE_REVIEW } from "../support/app/scenario.ts";
import { runOnPullRequest, addressOf } from "../support/pull-request-command.ts";

test("--pr prints the review and writes nothing to the pull request", async (t) => {
  const scenario = await createScenario(t, { isPrivate: false });
  const { fake } = scenario;
  const token = fake.personalToken("ada");
  const { code, stdout, stderr } = await runOnPullRequest(
    scenario,
    ["review", "--pr", addressOf(scenario), "--format", "json"],
    {
      GITHUB_TOKEN: token,
    },
  );
  assert.equal(code, 0, stderr);
  // The documented form of the JSON.
  const { findings, change } = JSON.parse(stdout) as {
    findings: readonly { path: string; startLine: number }[];
    change: { kind: string; head: string };
  };
  assert.deepEqual(
    findings.map(({ path, startLine }) => `${path}:${startLine}`),
    ONE_REVIEW.comments,
  );
  assert.deepEqual([change.kind, change.head], ["pull-request", scenario.pullRequest.head]);
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
  scenario.check();
});

test("--pr --publish does what a webhook would, exactly once, and the job is listed", async (t) => {
  const scenario = await createScenario(t);
  const first = await runOnPullRequest(scenario, ["review", "--pr", addressOf(scenario), "--publish"]);
  assert.deepEqual([first.code, first.stdout], [0, `published: ${addressOf(scenario)}\n`], first.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const second = await runOnPullRequest(scenario, [
    "review",
    "--pr",
    addressOf(scenario),
    "--publish",
    "--full",
  ]);
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(
    (await scenario.jobs()).map(({ payload }) => parseReviewJob(payload).isFull),
    [false, true],
  );
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check({ tokensRevoked: true });
  const listed = await runOnPullRequest(scenario, ["jobs"]);
  assert.match(listed.stdout, /^ID +STATE +AGE +WHAT +REASON\n/);
  assert.equal(
    listed.stdout.match(/^\d+ +done +\d+ s +review acme\/shop 1 \(command-line\) +published$/gm)?.length,
    2,
  );
  const shown = await runOnPullRequest(scenario, ["jobs", "show", "1"]);
  assert.match(shown.stdout, /job +1: review acme\/shop 1 \(command-line\)\nstate +done \(published\)/);
  assert.match(shown.stdout, /run +\d+: [0-9a-f]{10} completed \(published\), 2 of 2 findings reported/);
});
