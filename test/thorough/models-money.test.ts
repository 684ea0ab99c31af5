/** Money: a ceiling holds whatever happens to processes and providers, by what the provider itself was asked. */
import assert from "node:assert/strict";
import { eventually } from "../support/eventually.ts";
import { AFTER } from "../support/app/scenario.ts";
import { type ModelScene, recording, testModels } from "../support/model-scenes/model-scene.ts";
import type { ModelTurn, ScriptedRequest } from "../support/model-server/script.ts";

const CAP_USD = 0.5;
const INPUT_USD_PER_MILLION = 20;
const INPUT_TOKENS = 5_000;

/** The provider's price for one call. */
const CALL_USD = (INPUT_TOKENS * INPUT_USD_PER_MILLION) / 1_000_000;

const CONFIG = [
  "review:",
  "  debounceSeconds: 0",
  // All of the money is for finding.
  "  verify: off",
  "budget:",
  `  perReviewUsd: ${CAP_USD}`,
  `  perPullRequestUsd: ${CAP_USD}`,
  "prices:",
  `  "openai:scripted": { inputUsd: ${INPUT_USD_PER_MILLION}, outputUsd: 0 }`,
  "",
].join("\n");

const FOUND = recording({
  path: "src/users.ts",
  quote: "export function load() {",
  title: "Callers cannot await it",
});

/** Records one finding and then looks at the same thing for ever: eighty turns would come to eight dollars. */
function insatiable({ turn }: ScriptedRequest): ModelTurn {
  const call = turn === 0 ? FOUND : { name: "search_code", args: { pattern: `load${turn}` } };
  return { toolCalls: [call], usage: { input: INPUT_TOKENS, output: 0 } };
}

/** The provider's bill: every call that it answered, completely or partly. */
function billedUsd({ server }: ModelScene): number {
  // To the cent: the sum of tenths isn't exact.
  return Math.round(server.requests.length * CALL_USD * 100) / 100;
}

/** The figures have the costs of the last attempt and of crashed ones, and add up to the amount that counts toward the budgets. */
async function assertAllTold(scene: ModelScene, deaths: number): Promise<void> {
  const rows = await scene.database.query<{ reserved_micro_usd: number; settled_micro_usd: number | null }>(
    "select reserved_micro_usd, settled_micro_usd from spendings",
  );
  const died = rows.filter(({ settled_micro_usd: settled }) => settled === null);
  assert.equal(died.length, deaths, "each process that died has left what it had set aside");
  const sum = (amounts: readonly (number | null)[]): number =>
    amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
  const diedMicroUsd = sum(died.map(({ reserved_micro_usd: reserved }) => reserved));
  const toldMicroUsd = sum(rows.map(({ settled_micro_usd: settled }) => settled));
  assert.ok(diedMicroUsd > 0);
  assert.doesNotMatch(scene.summary(), /USD/, "amounts are the operator's");
  const figures = await eventually("the figures", async () => {
    const runs = await scene.telemetry.query<{ outcome: string; cost_micro_usd: number }>(
      "select outcome, cost_micro_usd from model_runs order by id",
    );
    return runs.some(({ outcome }) => outcome === "cut-off") && runs;
  });
  assert.deepEqual(
    figures.filter(({ outcome }) => outcome === "cut-off").map((run) => run.cost_micro_usd),
    [diedMicroUsd],
  );
  assert.equal(sum(figures.map((run) => run.cost_micro_usd)), toldMicroUsd + diedMicroUsd);
}

testModels(
  "[P11] a budget holds across kills and lost connections: spending never exceeds it by more than one call, and the review is published",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: CONFIG,
      script: (request) => ({
        ...insatiable(request),
        // The first answer after the finding is cut off once, and requested again.
        faults: request.turn === 1 ? [{ kind: "reset" }] : [],
      }),
    });
    let app = await scene.start();
    const killsAt = [2, 3];
    let kills = 0;
    scene.server.onRequest(() => {
      if (scene.server.requests.length !== killsAt[kills]) return;
      kills++;
      app.kill("SIGKILL");
    });
    await scene.send("opened");
    for (const [index] of killsAt.entries()) {
      await eventually("the process to be killed", () => kills > index);
      assert.equal(await app.ended, "SIGKILL");
      app = await scene.start();
    }
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason, job?.attempts], ["done", "budget-partial", 3]);
    assert.ok(scene.server.requests.length > killsAt.length, "the model was asked");
    assert.ok(billedUsd(scene) <= CAP_USD + CALL_USD, `${billedUsd(scene)} dollars`);
    // The finding of the crashed process is there, and so is the rule's own.
    assert.deepEqual(scene.published().comments, ["src/users.ts:7", "src/users.ts:4", "src/users.ts:10"]);
    assert.deepEqual(scene.published().conclusions, ["neutral"]);
    assert.match(scene.summary(), /openai:scripted was stopped by the budget:/);
    assert.match(
      app.output(),
      /budget \(the next call needs about USD 0\.\d+; budget\.perReviewUsd is USD 0\.50, USD 0\.\d\d spent or reserved\)/,
    );
    await assertAllTold(scene, killsAt.length);
    scene.check();
  },
);

testModels(
  "a budget is used up to its end, and what the pull request has spent counts for its next review",
  async (openModelScene) => {
    const scene = await openModelScene({ config: CONFIG, script: insatiable });
    const { fake, pullRequest, server } = scene;
    const app = await scene.start();
    await scene.send("opened");
    const [first] = await scene.settled();
    assert.deepEqual([first?.state, first?.reason], ["done", "budget-partial"]);
    const asked = server.requests.length;
    // At least half of it is of use: what is set aside for a call is more than the call costs.
    assert.ok(asked >= 3, `${asked} calls`);
    assert.ok(billedUsd(scene) <= CAP_USD, `${billedUsd(scene)} dollars`);
    await fake.push(pullRequest, { ...AFTER, "src/more.ts": "debugger;\n" });
    await scene.send("synchronize");
    const [, second] = await eventually("the second review", async () => {
      const jobs = await scene.settled();
      return jobs.length === 2 && jobs;
    });
    assert.deepEqual([second?.state, second?.reason], ["done", "budget-partial"]);
    assert.ok(server.requests.length <= asked + 1);
    assert.ok(billedUsd(scene) <= CAP_USD + CALL_USD, `${billedUsd(scene)} dollars`);
    assert.ok(scene.published().comments.includes("src/more.ts:1"), "the floor has reviewed");
    assert.match(
      app.output(),
      /budget \(the next call needs about USD 0\.\d+; budget\.perPullRequestUsd is USD 0\.50/,
    );
    scene.check({ commentsPerLine: 1 });
  },
);

testModels(
  "[P11] a model without a known price isn't used under a budget, and the review says so",
  async (openModelScene) => {
    const scene = await openModelScene({ config: "budget: { perReviewUsd: 1 }\n", script: insatiable });
    await scene.start();
    await scene.send("opened");
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "budget-partial"]);
    assert.deepEqual(scene.server.requests, []);
    assert.deepEqual(scene.published().comments, ["src/users.ts:4", "src/users.ts:10"]);
    assert.match(
      scene.summary(),
      /openai:scripted wasn't called because of the budget \(its price is unknown\)/,
    );
    scene.check();
  },
);

testModels(
  "[P11] the operator's ceiling holds where a repository sets a higher one",
  async (openModelScene) => {
    const scene = await openModelScene({
      config: CONFIG,
      script: insatiable,
      environment: {
        KODIAI_BUDGET_REVIEW_USD: "0.01",
        KODIAI_PRICES: '{"openai:scripted":{"inputUsd":10,"outputUsd":10}}',
      },
    });
    const app = await scene.start();
    await scene.send("opened");
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "budget-partial"]);
    assert.deepEqual(scene.server.requests, []);
    assert.match(app.output(), /budget\.perReviewUsd is USD 0\.01/);
    scene.check();
  },
);

testModels(
  "[P11] a price that a repository makes up does not lift the operator's ceiling",
  async (openModelScene) => {
    const free = 'prices: { "openai:scripted": { inputUsd: 0, outputUsd: 0 } }\n';
    const environment = { KODIAI_BUDGET_REVIEW_USD: "0.01" };
    const scene = await openModelScene({ config: free, script: insatiable, environment });
    const app = await scene.start();
    await scene.send("opened");
    const [job] = await scene.settled();
    assert.deepEqual([job?.state, job?.reason], ["done", "budget-partial"]);
    assert.deepEqual(scene.server.requests, []);
    assert.match(scene.summary(), /wasn't called because of the budget \(its price is unknown\)/);
    const advice = /Set its price under prices in \.kodiai\.yml, or in KODIAI_PRICES/;
    assert.doesNotMatch(scene.summary().replaceAll("\\", ""), advice);
    await eventually("the advice in the log", () => advice.test(app.output()));
    scene.check();
  },
);
