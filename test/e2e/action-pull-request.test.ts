/** The built GitHub Action on pull requests: what it publishes, with which token, and how often. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { FINDINGS, ONE_REVIEW } from "../support/app/scenario.ts";
import { createWorkflowScenario, READ_ONLY, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

const NOTHING = { reviews: 0, comments: [], summaries: 0, conclusions: [] };

test("action: an own branch gets one review, a re-run says nothing again, and a second push is reviewed too", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const first = await runner.run(requestOf(opened, token));
  assert.equal(first.code, 0, first.stdout + first.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const { "sarif-file": sarif = "", "json-file": json = "", ...outputs } = first.outputs;
  assert.deepEqual(outputs, {
    verdict: "findings",
    findings: "2",
    critical: "1",
    "must-fix": "0",
    major: "0",
    medium: "1",
    minor: "0",
    coverage: "100",
    "cost-usd": "0.0000",
  });
  assert.ok(sarif.startsWith(runner.temporaryFolder) && json.startsWith(runner.temporaryFolder));
  // The token is masked before anything is printed about the review, and comments aren't repeated as annotations.
  assert.match(first.stdout, new RegExp(`^::add-mask::${token}$`, "m"));
  assert.doesNotMatch(first.stdout, /^::(?:error|warning) file=/m);
  assert.match(first.summary, /2 findings/);
  const again = await runner.run(requestOf(opened, token));
  assert.equal(again.code, 0, again.stdout + again.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("action: a fork's and Dependabot's token can only read, so the review is in annotations, the summary and SARIF", async (t) => {
  const scenario = await createWorkflowScenario(t, { isPrivate: false, pullRequest: { fork: "grace" } });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const run = await runner.run(
    requestOf(await fake.events.pullRequest("opened", pullRequest), fake.appToken(READ_ONLY)),
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual(scenario.published(), NOTHING);
  for (const { path, line } of FINDINGS)
    assert.match(run.stdout, new RegExp(`^::(?:error|warning) file=${path},line=${line},`, "m"));
  assert.match(
    run.stdout,
    /^::notice title=Kodiai::There are no comments on the pull request, because the token/m,
  );
  assert.match(run.summary, /^There are no comments on the pull request, because the token/);
  assert.equal(run.outputs["findings"], "2");
  scenario.check();
});
