/** The built GitHub Action on pull requests: what it publishes, with which token, and how often. */
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { AFTER, FINDINGS, NO_REVIEW, ONE_REVIEW } from "../support/app/scenario.ts";
import { createWorkflowScenario, READ_ONLY, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

test("action: an own branch gets one review, a re-run says nothing again, and a push that fixes a finding resolves it", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const token = fake.appToken({ ...WORKFLOW_PERMISSIONS, contents: "write" });
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const first = await runner.run(requestOf(opened, token));
  assert.equal(first.code, 0, first.stdout + first.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  const { "sarif-file": sarif = "", "json-file": json = "", ...outputs } = first.outputs;
  assert.deepEqual(outputs, {
    verdict: "findings",
    findings: "2",
    critical: "0",
    "must-fix": "0",
    major: "0",
    medium: "2",
    minor: "0",
    coverage: "100",
    "cost-usd": "0.0000",
  });
  assert.match(readFileSync(sarif, "utf8"), /"version": ?"2\.1\.0"/);
  assert.match(readFileSync(json, "utf8"), /sql-from-strings/);
  // The token is masked before anything else is printed about the review, and comments aren't repeated as annotations.
  assert.match(first.stdout, new RegExp(`^::add-mask::${token}$`, "m"));
  assert.doesNotMatch(first.stdout, /^::(?:error|warning) file=/m);
  assert.match(first.summary, /2 findings/);

  const again = await runner.runInstalled(requestOf(opened, token, { inputs: { "fail-on": "medium" } }));
  assert.equal(again.code, 1, again.stdout + again.stderr);
  assert.deepEqual(scenario.published(), ONE_REVIEW);
  assert.equal(again.outputs["medium"], "2");

  await fake.push(pullRequest, {
    "src/users.ts": AFTER["src/users.ts"].replace("catch {}", "catch (e) { throw e; }"),
  });
  const pushed = await fake.events.pullRequest("synchronize", pullRequest);
  const second = await runner.runInstalled(requestOf(pushed, token));
  assert.equal(second.code, 0, second.stdout + second.stderr);
  assert.deepEqual([scenario.published().reviews, second.outputs["findings"]], [1, "1"]);
  const threads = await fake.threadsOf(pullRequest);
  assert.deepEqual(
    threads.map(({ resolvedBy }) => resolvedBy),
    [null, "github-actions[bot]"],
  );
  scenario.check();
});

test("action: a fork's and Dependabot's token can only read, so the review is in annotations, the summary and SARIF", async (t) => {
  const scenario = await createWorkflowScenario(t, { isPrivate: false, pullRequest: { fork: "grace" } });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const run = await runner.runInstalled(
    requestOf(await fake.events.pullRequest("opened", pullRequest), fake.appToken(READ_ONLY), {
      inputs: { sarif: "kodiai.sarif" },
    }),
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.deepEqual(scenario.published(), NO_REVIEW);
  for (const { path, line } of FINDINGS)
    assert.match(run.stdout, new RegExp(`^::(?:error|warning) file=${path},line=${line},`, "m"));
  assert.match(
    run.stdout,
    /^::notice title=Kodiai::There are no comments on the pull request, because the token/m,
  );
  assert.match(run.summary, /^There are no comments on the pull request, because the token/);
  assert.deepEqual(
    [run.outputs["findings"], run.outputs["sarif-file"]],
    ["2", `${runner.workspace}/kodiai.sarif`],
  );
  scenario.check();
});
