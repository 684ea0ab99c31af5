/** The program of the GitHub Action with other events and bots, and its input `persist`: facts about code are kept between jobs. */
import assert from "node:assert/strict";
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startCacheService } from "../support/action/cache-service.ts";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { AFTER, ONE_REVIEW } from "../support/app/scenario.ts";
import { createWorkflowScenario, READ_ONLY, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("action: with `persist` a job restores what the one before it kept, and without it nothing is asked for", async (t) => {
  const cache = await startCacheService(t);
  // Nothing of a draft is read, so that the folder has what the test puts there.
  const scenario = await createWorkflowScenario(t, { pullRequest: { isDraft: true } });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const data = join(runner.temporaryFolder, "kodiai-data");
  const [fact, clone] = [join(data, "code/fact.json"), join(data, "repositories/head")];
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const runWith = async (persist: string): Promise<void> => {
    const run = await runner.run(requestOf(opened, token, { inputs: { persist }, env: cache.env }));
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.doesNotMatch(run.stdout, /^::warning/m);
  };
  for (const [path, text] of [
    [fact, "a fact"],
    [clone, "a clone"],
  ] as const) {
    mkdirSync(join(path, ".."), { recursive: true });
    writeFileSync(path, text);
  }
  await runWith("false");
  assert.deepEqual(cache.asked(), []);
  await runWith("true");
  assert.equal(cache.keys().length, 1);
  // The next job begins with an empty folder.
  rmSync(data, { recursive: true });
  await runWith("true");
  assert.equal(readFileSync(fact, "utf8"), "a fact");
  assert.equal(existsSync(clone), false, "what a review trusts isn't kept");
  assert.equal(new Set(cache.keys()).size, 2);
});

test("action: a fork's pull request gets comments through pull_request_target, and each open one through workflow_dispatch", async (t) => {
  const scenario = await createWorkflowScenario(t, { isPrivate: false, pullRequest: { fork: "grace" } });
  const { fake, pullRequest, repository } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const { payload } = await fake.events.pullRequest("opened", pullRequest);
  const run = await runner.runInstalled({ event: "pull_request_target", payload, token });
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const other = await fake.openPullRequest(repository, { files: AFTER, branch: "other" });
  const dispatched = await runner.runInstalled({
    event: "workflow_dispatch",
    payload: { inputs: {} },
    token,
  });
  // Two are new, and two still open.
  assert.deepEqual([dispatched.code, dispatched.outputs["findings"]], [0, "4"], dispatched.stdout);
  assert.deepEqual([scenario.published(), scenario.published(other)], [ONE_REVIEW, ONE_REVIEW]);
  const full = await runner.runInstalled({
    event: "workflow_dispatch",
    payload: { inputs: {} },
    token,
    inputs: { "pull-request": String(pullRequest.number), full: "true" },
  });
  // Everything is read again, and nothing is said again.
  assert.deepEqual([full.code, full.outputs["findings"]], [0, "2"], full.stdout + full.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("action: Dependabot's pull request is reviewed in the job, with its read-only token", async (t) => {
  const manifest = (version: string): string =>
    `${JSON.stringify({ dependencies: { "left-pad": version } })}\n`;
  const scenario = await createWorkflowScenario(t, {
    baseFiles: { "package.json": manifest("1.0.0") },
    pullRequest: {
      author: "dependabot[bot]",
      branch: "dependabot/npm_and_yarn/left-pad-1.0.1",
      title: "Bump left-pad from 1.0.0 to 1.0.1",
      files: { "package.json": manifest("1.0.1") },
    },
  });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const run = await runner.runInstalled(requestOf(opened, fake.appToken(READ_ONLY)));
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.equal(scenario.published().reviews, 0);
  assert.match(run.summary, /left-pad/);
  assert.match(run.summary, /^There are no comments on the pull request, because the token/);
  scenario.check();
});
