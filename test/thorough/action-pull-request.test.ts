/** The built GitHub Action when jobs are cancelled, started again, or run at the same moment, and with its further inputs and events. */
import assert from "node:assert/strict";
import { delimiter, dirname } from "node:path";
import { test } from "node:test";
import { RunOptions, RunTarget } from "github-action-ts-run-api";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { AFTER, NO_REVIEW, ONE_REVIEW } from "../support/app/scenario.ts";
import { createWorkflowScenario, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

for (const operation of ["pulls/create-review", "pulls/submit-review", "issues/create-comment"])
  test(`action: cancelled at ${operation} and started again, it publishes one review`, async (t) => {
    const scenario = await createWorkflowScenario(t);
    const { fake, pullRequest } = scenario;
    const runner = createActionRunner(t, scenario);
    const token = fake.appToken(WORKFLOW_PERMISSIONS);
    const opened = await fake.events.pullRequest("opened", pullRequest);
    const started = runner.start(requestOf(opened, token));
    // As a runner cancels a step: it signals only the process that it started, first so, and then so.
    let isReached = false;
    const forget = fake.onRequest(operation, async () => {
      isReached = true;
      started.child.kill("SIGINT");
      started.child.kill("SIGTERM");
    });
    const cancelled = await started.ended;
    forget();
    assert.ok(isReached, cancelled.stdout + cancelled.stderr);
    const again = await runner.run(requestOf(opened, token));
    assert.equal(again.code, 0, again.stdout + again.stderr);
    assert.deepEqual(scenario.published(), ONE_REVIEW);
    scenario.check();
  });

test("action: two jobs for one head at the same moment publish one review", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  // Each on a machine of its own.
  const runners = [createActionRunner(t, scenario), createActionRunner(t, scenario)];
  const runs = await Promise.all(runners.map((runner) => runner.run(requestOf(opened, token))));
  for (const run of runs) {
    assert.equal(run.code, 0, run.stdout + run.stderr);
    assert.equal(run.outputs["findings"], "2");
  }
  assert.deepEqual(scenario.published(), ONE_REVIEW);
});

test("action: another emulation of a runner starts action.yml and reads the same outputs", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const { event, payload } = await fake.events.pullRequest("opened", pullRequest);
  const {
    PATH = "",
    GITHUB_OUTPUT: _own,
    GITHUB_STEP_SUMMARY: _file,
    ...env
  } = runner.environment({ event, payload });
  const target = RunTarget.mainJs(`${runner.root}/action.yml`);
  const options = RunOptions.create()
    .setInputs({ "github-token": fake.appToken(WORKFLOW_PERMISSIONS) })
    .setEnv({ ...env, PATH: `${dirname(process.execPath)}${delimiter}${PATH}` })
    .setShouldFakeMinimalGithubRunnerEnv(false)
    .setTempDir(runner.temporaryFolder)
    .setWorkspaceDir(runner.workspace)
    .setOutputOptions({ printStdout: false, printStderr: false });
  const result = await target.run(options);
  t.after(() => result.cleanUpFakedDirs());
  assert.equal(
    result.exitCode,
    0,
    `${JSON.stringify(result.runnerWarnings)} ${result.stdout} ${result.stderr}`,
  );
  assert.deepEqual(
    [result.commands.outputs["verdict"], result.commands.outputs["findings"], result.commands.addedPaths],
    ["findings", "2", []],
  );
  assert.deepEqual(result.commands.exportedVars, {});
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  scenario.check();
});

test("action: the input `comments` chooses between comments on lines, the summary alone, and nothing", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const none = await runner.runInstalled(requestOf(opened, token, { inputs: { comments: "none" } }));
  assert.deepEqual([none.code, scenario.published()], [0, NO_REVIEW], none.stdout + none.stderr);
  assert.match(
    none.stdout,
    /^::notice title=Kodiai::There are no comments .*the input `comments` is `none`/m,
  );
  assert.match(none.stdout, /^::warning file=src\/users\.ts,line=4,/m);
  const summary = await runner.runInstalled(requestOf(opened, token, { inputs: { comments: "summary" } }));
  assert.equal(summary.code, 0, summary.stdout + summary.stderr);
  assert.deepEqual(scenario.published(), { ...ONE_REVIEW, reviews: 0, comments: [] });
  assert.match(fake.commentsOf(pullRequest)[0]?.body ?? "", /SQL/);
  scenario.check();
});

test("action: a draft is skipped, a mention is answered, and a scheduled run reviews what has no review", async (t) => {
  const scenario = await createWorkflowScenario(t, { pullRequest: { isDraft: true } });
  const { fake, pullRequest, repository } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const draft = await runner.runInstalled(
    requestOf(await fake.events.pullRequest("opened", pullRequest), token),
  );
  assert.deepEqual([draft.code, draft.outputs["verdict"], draft.outputs["findings"]], [0, "skipped", ""]);
  assert.match(draft.stdout, /^::notice title=Kodiai::No review .*skipped:draft/m);
  const comment = fake.comment(pullRequest, { author: "ada", body: "@kodiai help" });
  const mentioned = await runner.runInstalled(requestOf(fake.events.comment(comment), token));
  assert.equal(mentioned.code, 0, mentioned.stdout + mentioned.stderr);
  const answers = fake.commentsOf(pullRequest).filter(({ author }) => author.login === "github-actions[bot]");
  assert.equal(answers.length, 1);
  assert.match(answers[0]?.body ?? "", /@kodiai/);
  const other = await fake.openPullRequest(repository, { files: AFTER, branch: "other" });
  const schedule = { event: "schedule", payload: { schedule: "0 4 * * *" }, token };
  for (const expected of ["findings", "skipped"]) {
    const run = await runner.runInstalled(schedule);
    assert.deepEqual([run.code, run.outputs["verdict"]], [0, expected], run.stdout + run.stderr);
    assert.deepEqual(scenario.published(other), ONE_REVIEW);
  }
  scenario.check();
});
