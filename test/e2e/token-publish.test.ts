/** `kodiai review --pr URL --publish` with a token and without the GitHub App: the same review, exactly once, and no database. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { addressOf } from "../support/pull-request-command.ts";
import { FIXED_SQL, summary } from "../support/second-push-fixtures.ts";
import { createWorkflowScenario, publishWith, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("a workflow's token publishes what the App publishes; another run says nothing again; a push is incremental", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  // Only who may write contents can resolve threads.
  const token = fake.appToken({ ...WORKFLOW_PERMISSIONS, contents: "write" });
  const first = await publishWith(scenario, token);
  assert.deepEqual([first.code, first.stdout], [0, `published: ${addressOf(scenario)}\n`], first.stderr);
  assert.match(first.stderr, /^kodiai: publishing with the token of github-actions\[bot\]$/m);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  // A re-run must still fail what failed before: its findings are open.
  const again = await publishWith(scenario, token, { args: ["--fail-on", "medium", "--format", "json"] });
  assert.equal(again.code, 1, again.stderr);
  const { findings, stillOpen } = JSON.parse(again.stdout) as Record<string, readonly unknown[]>;
  assert.deepEqual([findings?.length, stillOpen?.length], [0, 2]);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  await fake.push(pullRequest, { ...AFTER, "src/users.ts": FIXED_SQL });
  const second = await publishWith(scenario, token);
  assert.equal(second.code, 0, second.stderr);
  assert.deepEqual(
    (await threadStates(scenario)).map((each) => each.split(" | ")[1]),
    ["github-actions[bot]", "open"],
  );
  assert.match(summary(scenario), /1 still open; 1 resolved/);
  const { reviews, summaries, conclusions } = scenario.published();
  assert.deepEqual([reviews, summaries, conclusions.length], [1, 1, 1]);
  assert.deepEqual(
    readdirSync(scenario.folder.path).filter((name) => name.startsWith("kodiai-run")),
    [],
    "the temporary database is gone",
  );
  scenario.check();
});
