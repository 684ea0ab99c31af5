/** `kodiai review --pr URL --publish` with a token and without the GitHub App: the same review, exactly once, and no database. */
import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { test } from "node:test";
import { threadStates } from "../support/app/pushes.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { addressOf } from "../support/pull-request-command.ts";
import { FIXED_SQL, summary } from "../support/second-push-fixtures.ts";
import {
  createWorkflowScenario,
  publishWith,
  READ_ONLY,
  WORKFLOW_PERMISSIONS,
} from "../support/token-fixtures.ts";

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

test("a token that may only read publishes nothing, and nothing fails for it", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const token = scenario.fake.appToken(READ_ONLY);
  const { code, stdout, stderr } = await publishWith(scenario, token, { args: ["--format", "json"] });
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^read-only-token: http/m);
  assert.match(stderr, /the token may not write the review .* and the summary .* and the check/);
  assert.equal((JSON.parse(stdout) as { findings: readonly unknown[] }).findings.length, 2);
  assert.deepEqual(scenario.published(), { reviews: 0, comments: [], summaries: 0, conclusions: [] });
  scenario.check();
});

test("without a token and without the App, it says what to set", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { code, stderr } = await publishWith(scenario, "", { environment: { GITHUB_TOKEN: "" } });
  assert.equal(code, 2);
  assert.match(stderr, /there is no token for http/);
  assert.match(stderr, /GITHUB_TOKEN/);
});
