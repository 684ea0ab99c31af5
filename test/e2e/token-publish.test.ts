/** `kodiai review --pr URL --publish` with a token and without the GitHub App: the same review, exactly once, and no database. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { addressOf } from "../support/pull-request-command.ts";
import { createWorkflowScenario, publishWith, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("a workflow's token publishes what the App publishes, and a second run says nothing again", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const token = scenario.fake.appToken(WORKFLOW_PERMISSIONS);
  const first = await publishWith(scenario, token);
  assert.deepEqual([first.code, first.stdout], [0, `published: ${addressOf(scenario)}\n`], first.stderr);
  assert.match(first.stderr, /^kodiai: publishing with the token of github-actions\[bot\]$/m);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const second = await publishWith(scenario, token);
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});
