/** The later rounds of `review.passes`: what each one is asked, what it may cost, and what is left when it doesn't finish. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  ALL_READ,
  covered,
  fails,
  FILES,
  FINISH,
  finding,
  marks,
  MINUTE_MS,
  reviewScene,
} from "../../../test/support/model-review-scene.ts";
import { type ModelAct, recordedModel, testClock } from "../../../test/support/recorded-model.ts";
import { createMemoryNotebook } from "../../tools/notebook.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";

const TWICE = "review: { passes: 2 }\n";
const THRICE = "review: { passes: 3 }\n";
const SIBLINGS = "second round, code that does the same thing differently";

/** A dollar per million tokens, in and out. */
const PRICED = 'prices: { "a:x": { inputUsd: 1, outputUsd: 1 } }\n';

/** One call of half a dollar. */
const HALF: ModelAct = { spends: { input: 490_000, output: 10_000 } };

const gapsOf = ({ gaps }: Awaited<ReturnType<typeof reviewScene>>) =>
  gaps.map(({ check, reason, detail }) => `${check}: ${reason}, ${detail}`);

test("rounds: one by default", async () => {
  const model = recordedModel("a:x", [[FINISH]]);
  const done = await reviewScene({ models: [model] });
  assert.deepEqual([done.attempts, done.gaps], [["a:x full completed (finished) 0"], []]);
  assert.doesNotMatch(model.tasks[0]?.prompt.user ?? "", /# What to look for/);
});

test("rounds: each has its own lens, order and mark; the findings of all are one list, and a repeated one is recorded once", async () => {
  const model = recordedModel("a:x", [
    [finding("src/a.ts"), { tool: "finish_review", args: { summary: "The first." } }],
    [finding("src/a.ts"), finding("src/b.ts"), { tool: "finish_review", args: { summary: "The second." } }],
    [finding("src/c.ts"), FINISH],
  ]);
  const done = await reviewScene({ models: [model], config: THRICE });
  assert.deepEqual(done.attempts, [
    "a:x full completed (finished) 1",
    "second round: a:x full completed (finished) 1",
    "third round: a:x full completed (finished) 1",
  ]);
  assert.deepEqual(
    done.findings.map(({ title, round }) => [title, round]),
    [
      ["src/a.ts is wrong", undefined],
      ["src/b.ts is wrong", 2],
      ["src/c.ts is wrong", 3],
    ],
  );
  assert.deepEqual(
    done.passes.map(({ round }) => round),
    [undefined, { number: 2, lens: "siblings" }, { number: 3, lens: "removed-code" }],
  );
  const [first, second, third] = model.tasks.map(({ prompt }) => prompt.user);
  assert.doesNotMatch(first ?? "", /# What to look for/);
  assert.match(second ?? "", /# What to look for\n.*\nSiblings that do the same thing differently/);
  assert.match(third ?? "", /# What to look for\n.*\nRemoved code and contracts/);
  assert.deepEqual(done.overview, [{ pass: "review", text: "The first." }]);
  assert.deepEqual([covered(done), done.gaps], [ALL_READ, []]);
});

test("rounds: a round that fails takes nothing from the first one, and leaves a gap", async () => {
  const model = recordedModel("a:x", [
    [finding("src/a.ts"), FINISH],
    [finding("src/b.ts"), fails("turn-limit")],
  ]);
  const done = await reviewScene({ models: [model], config: THRICE });
  assert.deepEqual(done.titles, ["src/a.ts is wrong", "src/b.ts is wrong"]);
  assert.deepEqual(covered(done), ALL_READ);
  assert.deepEqual(gapsOf(done), [
    `${SIBLINGS}: failed, the model failed`,
    "third round, removed code and contracts: failed, not started, because an earlier round didn't finish",
  ]);
});

test("rounds: none starts after a first one that didn't finish", async () => {
  const model = recordedModel("a:x", [[marks("src/a.ts"), fails("turn-limit")]]);
  const done = await reviewScene({ models: [model], config: TWICE });
  assert.equal(model.tasks.length, 1);
  assert.deepEqual(gapsOf(done), [
    `${SIBLINGS}: failed, not started, because an earlier round didn't finish`,
  ]);
  assert.equal(covered(done)["src/b.ts"], "failed:model");
});

test("rounds: a round gets the time that is left, and doesn't start with less than the first one took", async () => {
  const rows = [
    { tookMs: 4 * MINUTE_MS, deadlines: [10 * MINUTE_MS, 6 * MINUTE_MS], gaps: [] },
    {
      tookMs: 6 * MINUTE_MS,
      deadlines: [10 * MINUTE_MS],
      gaps: [`${SIBLINGS}: limit, not started, because too little time was left`],
    },
  ];
  for (const { tookMs, deadlines, gaps } of rows) {
    const clock = testClock();
    const model = recordedModel("a:x", [[{ takesMs: tookMs }, FINISH], [FINISH]], clock);
    const done = await reviewScene({ models: [model], clock, config: TWICE });
    assert.deepEqual(
      model.tasks.map(({ limits }) => limits.deadlineMs),
      deadlines,
    );
    assert.deepEqual([gapsOf(done), covered(done)], [gaps, ALL_READ]);
  }
});

test("rounds: a round isn't called if the budget doesn't cover what the first one cost", async () => {
  const rows = [
    { limitUsd: 1.1, runs: 2, gaps: [] },
    {
      limitUsd: 0.9,
      runs: 1,
      gaps: [`${SIBLINGS}: limit, not started, because the budget doesn't cover it`],
    },
  ];
  for (const { limitUsd, runs, gaps } of rows) {
    // All of the money is for finding.
    const spending = {
      ...createMemorySpending({ name: "perReviewUsd", usd: limitUsd }),
      reviewLimitUsd: null,
    };
    const model = recordedModel("a:x", [
      [finding("src/a.ts"), HALF, FINISH],
      [HALF, FINISH],
    ]);
    const done = await reviewScene({
      models: [model],
      config: `${TWICE}${PRICED}`,
      money: { openSpending: () => spending },
    });
    assert.deepEqual([model.tasks.length, gapsOf(done)], [runs, gaps]);
    assert.deepEqual([done.titles, covered(done)], [["src/a.ts is wrong"], ALL_READ]);
    assert.ok((await spending.spentUsd()) <= limitUsd);
  }
});

test("rounds: a review that is taken up again in the second round doesn't repeat the first", async () => {
  const earlier = createMemoryNotebook();
  const before = await reviewScene({
    models: [
      recordedModel("a:x", [
        [finding("src/a.ts"), FINISH],
        [finding("src/b.ts"), marks("src/b.ts"), fails("connection-lost")],
        [FINISH],
      ]),
    ],
    config: TWICE,
    notebook: earlier,
  });
  assert.equal(before.attempts.length, 3);
  // Without the outcomes of the second round, as if the process had crashed in it.
  const left = earlier.entries().filter(({ kind, pass }) => kind !== "outcome" || pass === "review");
  const model = recordedModel("a:x", [[finding("src/c.ts"), FINISH]]);
  const done = await reviewScene({
    models: [model],
    config: TWICE,
    notebook: createMemoryNotebook(left),
  });
  assert.equal(model.tasks.length, 1);
  const prompt = model.tasks[0]?.prompt.user ?? "";
  assert.match(prompt, /# What to look for/);
  for (const path of FILES) assert.equal(prompt.includes(`=== ${path} (`), path !== "src/b.ts", path);
  assert.deepEqual(
    done.findings.map(({ title, round }) => [title, round]),
    [
      ["src/a.ts is wrong", undefined],
      ["src/b.ts is wrong", 2],
      ["src/c.ts is wrong", 2],
    ],
  );
  assert.deepEqual([covered(done), done.gaps], [ALL_READ, []]);
});
