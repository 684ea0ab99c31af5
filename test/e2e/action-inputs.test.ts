/** The program of the GitHub Action with its other inputs: a model and a second reading, results of other tools. */
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createActionRunner, requestOf } from "../support/action/run-action.ts";
import { ONE_REVIEW } from "../support/app/scenario.ts";
import { FINISHING, modelEnvironment, oneByOne, recording } from "../support/model-scenes/model-scene.ts";
import { startModelServer } from "../support/model-server/model-server.ts";
import { verifying } from "../support/model-server/verifier-script.ts";
import { plainRun, resultAt, sarifLog } from "../support/sarif-samples.ts";
import { createWorkflowScenario, WORKFLOW_PERMISSIONS } from "../support/token-fixtures.ts";

const PATH = "src/users.ts";

test("action: a model reviews with the job's key, `verify` refutes a finding, and the cost is an output", async (t) => {
  const server = await startModelServer();
  t.after(() => server.close());
  const found = [
    recording({
      path: PATH,
      quote: '    find("1");',
      title: "A failed search is never noticed",
      confidence: 0.7,
    }),
    recording({
      path: PATH,
      quote: "export function load() {",
      title: "Callers can't wait",
      confidence: 0.7,
    }),
  ];
  server.script(oneByOne([...found, FINISHING], { usage: { input: 10_000, cachedInput: 0, output: 500 } }));
  server.verifier(
    verifying(({ title }) => (title.startsWith("Callers") ? { verdict: "refuted" } : {}), {
      usage: { input: 1_000, output: 0 },
    }),
  );
  const scenario = await createWorkflowScenario(t, {
    config: "review:\n  mode: balanced\n",
  });
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const { KODIAI_MODEL: model = "", ...provider } = modelEnvironment("openai", server.url);
  // With a budget of the job, a price from the repository doesn't count.
  const env = { ...provider, KODIAI_PRICES: '{"openai:scripted":{"inputUsd":1,"outputUsd":2}}' };
  const run = await runner.runInstalled(
    requestOf(await fake.events.pullRequest("opened", pullRequest), fake.appToken(WORKFLOW_PERMISSIONS), {
      inputs: { model, verify: "all", "budget-usd": "20" },
      env,
    }),
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.ok(server.readings.length > 0);
  const { comments } = scenario.published();
  assert.deepEqual(
    [comments.includes(`${PATH}:9`), comments.includes(`${PATH}:7`)],
    [true, false],
    comments.join(),
  );
  assert.ok(Number(run.outputs["cost-usd"]) >= 0.01, run.outputs["cost-usd"]);
  // The key goes to the provider and nowhere else.
  const shown = [run.stdout, run.stderr, run.summary, ...Object.values(run.outputs)].join("\n");
  for (const key of Object.values(env).filter((each) => each.startsWith("sk-")))
    assert.ok(!shown.replaceAll(`::add-mask::${key}`, "").includes(key));
  scenario.check();
});

test("action: results of another tool are part of the review", async (t) => {
  const scenario = await createWorkflowScenario(t);
  const { fake, pullRequest } = scenario;
  const runner = createActionRunner(t, scenario);
  const results = [resultAt({ path: PATH, line: 7 }), resultAt({ path: "src/elsewhere.ts", line: 1 })];
  writeFileSync(join(runner.workspace, "other.sarif"), sarifLog(plainRun(results)));
  writeFileSync(join(runner.workspace, "broken.sarif"), "{");
  const token = fake.appToken(WORKFLOW_PERMISSIONS);
  const opened = await fake.events.pullRequest("opened", pullRequest);
  const broken = await runner.runInstalled(
    requestOf(opened, token, { inputs: { "sarif-in": "broken.sarif" } }),
  );
  assert.notEqual(broken.code, 0);
  assert.match(broken.stdout + broken.stderr, /broken\.sarif/);
  assert.equal(scenario.published().reviews, 0);
  const run = await runner.runInstalled(
    requestOf(opened, token, { inputs: { "sarif-in": "other.sarif\n" } }),
  );
  assert.equal(run.code, 0, run.stdout + run.stderr);
  assert.equal(run.outputs["findings"], "3");
  assert.deepEqual(
    scenario.published().comments.toSorted(),
    [...ONE_REVIEW.comments, `${PATH}:7`].toSorted(),
  );
  scenario.check();
});
