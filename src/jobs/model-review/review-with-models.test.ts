/** The part of a review that models do, step by step: the ladder, the time of each attempt, money, what is taken up again. */
import { testReviewDeps } from "../../../test/support/review-deps.ts";
import { NO_CONTEXT } from "../../../test/support/no-context.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import assert from "node:assert/strict";
import { test } from "node:test";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { openTestSession } from "../../../test/support/open-test-session.ts";
import { NO_MODELS } from "../../../test/support/no-models.ts";
import {
  type ModelAct,
  type RecordedModel,
  recordedModel,
  testClock,
} from "../../../test/support/recorded-model.ts";
import { type Model, NO_TOKENS, type Outcome } from "../../model/model.ts";
import type { Reservation } from "../../model/spending.ts";
import { createMemoryNotebook, type Notebook, type NotebookEntry } from "../../tools/notebook.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";
import { createDegradations } from "../gathering/optional.ts";
import { prepareReview } from "../gathering/prepare-review.ts";
import type { ModelAccess, ModelMoney } from "./model-access.ts";
import { reviewWithModels } from "./review-with-models.ts";
import {
  ALL_READ,
  changeOf,
  covered,
  fails,
  FILES,
  FINISH,
  finding,
  marks,
  MINUTE_MS,
  PASS_MS,
  reviewScene as review,
} from "../../../test/support/model-review-scene.ts";

test("models: if the first one finishes, no other is called; it has read everything it was shown", async () => {
  const first = recordedModel("a:x", [[finding("src/a.ts"), FINISH]]);
  const second = recordedModel("b:y", []);
  const done = await review({ models: [first, second] });
  assert.deepEqual(done.attempts, ["a:x full completed (finished) 1"]);
  assert.deepEqual(done.titles, ["src/a.ts is wrong"]);
  assert.deepEqual(covered(done), ALL_READ);
  assert.equal(second.tasks.length, 0);
  const [task] = first.tasks;
  assert.equal(task?.limits.deadlineMs, PASS_MS);
  for (const path of FILES) assert.ok(task?.prompt.user.includes(path), path);
});

test("models: the last attempt writes the summary; a change without readable files has none", async () => {
  const says = (summary: string): ModelAct => ({ tool: "finish_review", args: { summary } });
  const first = recordedModel("a:x", [[marks("src/a.ts"), fails("connection-lost")]]);
  const second = recordedModel("b:y", [[says("Gives every file a value.")]]);
  const done = await review({ models: [first, second] });
  assert.deepEqual(done.overview, [{ pass: "review", text: "Gives every file a value." }]);
  assert.equal(done.parts, 1);
  const locked = await review({ models: [first], paths: ["package-lock.json"] });
  assert.deepEqual([locked.parts, locked.overview, locked.passes], [0, [], []]);
});

test("models: down the ladder, each with what is left of the time and of the files, and nothing is lost", async () => {
  const clock = testClock();
  const first = recordedModel(
    "a:x",
    [
      [finding("src/a.ts"), marks("src/a.ts", "src/b.ts"), { takesMs: MINUTE_MS }, fails("connection-lost")],
      [finding("src/d.ts"), FINISH],
    ],
    clock,
  );
  const second = recordedModel(
    "b:y",
    [[finding("src/c.ts"), { takesMs: 2 * MINUTE_MS }, fails("overloaded", "overloaded")]],
    clock,
  );
  const done = await review({ models: [first, second], clock });
  assert.deepEqual(done.attempts, [
    "a:x full failed (connection-lost) 1",
    "b:y full overloaded (overloaded) 1",
    "a:x lean completed (finished) 1",
  ]);
  assert.deepEqual(done.titles, ["src/a.ts is wrong", "src/c.ts is wrong", "src/d.ts is wrong"]);
  assert.deepEqual(covered(done), ALL_READ);
  const tasks = [first.tasks[0], second.tasks[0], first.tasks[1]];
  assert.deepEqual(
    tasks.map((task) => task?.limits.deadlineMs),
    [PASS_MS, 9 * MINUTE_MS, 7 * MINUTE_MS],
  );
  assert.doesNotMatch(second.tasks[0]?.prompt.user ?? "", /=== src\/[ab]\.ts/);
  assert.match(second.tasks[0]?.prompt.user ?? "", /=== src\/c\.ts/);
  const [full, lean] = first.tasks;
  assert.equal(lean?.limits.maxOutputTokens, full?.limits.maxOutputTokens);
});

test("models: without another one and without time the pass is over, and says what was not read", async () => {
  const clock = testClock();
  const done = await review({
    models: [
      recordedModel(
        "a:x",
        [[marks("src/a.ts"), { takesMs: PASS_MS - 1_000 }, fails("connection-lost")]],
        clock,
      ),
    ],
    clock,
  });
  assert.deepEqual(done.attempts, ["a:x full failed (connection-lost) 0"]);
  assert.deepEqual(covered(done), {
    "src/a.ts": null,
    "src/b.ts": "failed:model",
    "src/c.ts": "failed:model",
    "src/d.ts": "failed:model",
  });
});

test("models: after a time-out with nothing recorded the riskiest half is tried again, in half the time", async () => {
  const clock = testClock();
  const model = recordedModel(
    "a:x",
    [
      [marks("src/a.ts"), { hangs: true }],
      [finding("src/auth/login.ts"), FINISH],
    ],
    clock,
  );
  const paths = ["src/a.ts", "docs/b.md", "src/auth/login.ts"];
  const done = await review({ models: [model], clock, paths });
  assert.deepEqual(done.attempts, ["a:x full timed-out (deadline) 0", "a:x reduced completed (finished) 1"]);
  const [, reduced] = model.tasks;
  assert.equal(reduced?.limits.deadlineMs, PASS_MS / 2);
  assert.match(reduced?.prompt.user ?? "", /=== src\/auth\/login\.ts/);
  assert.doesNotMatch(reduced?.prompt.user ?? "", /=== docs\/b\.md/);
  assert.deepEqual(covered(done), {
    "src/a.ts": null,
    "docs/b.md": "limit:time",
    "src/auth/login.ts": null,
  });
});

test("models: a timeout is not retried after a finding, nor for an author whose reviews keep timing out", async () => {
  const clock = testClock();
  const found = await review({
    models: [recordedModel("a:x", [[finding("src/a.ts"), { hangs: true }]], clock)],
    clock,
  });
  assert.deepEqual(found.attempts, ["a:x full timed-out (deadline) 1"]);
  assert.equal(covered(found)["src/a.ts"], "limit:time");

  // Findings of another model for the same part count as well.
  const other = await review({
    models: [
      recordedModel("a:x", [[finding("src/a.ts"), fails("refusal", "refused")]], clock),
      recordedModel("b:y", [[{ hangs: true }]], clock),
    ],
    clock,
  });
  assert.deepEqual(other.attempts, ["a:x full refused (refusal) 1", "b:y full timed-out (deadline) 0"]);

  const often = await review({
    models: [recordedModel("a:x", [[{ hangs: true }]], clock)],
    clock,
    choice: { mayRetry: async () => false },
  });
  assert.deepEqual(often.attempts, ["a:x full timed-out (deadline) 0"]);
});

test("models: a retry that times out too is the end", async () => {
  const clock = testClock();
  const done = await review({
    models: [recordedModel("a:x", [[{ hangs: true }], [{ hangs: true }]], clock), recordedModel("b:y", [])],
    clock,
  });
  assert.deepEqual(done.attempts, ["a:x full timed-out (deadline) 0", "a:x reduced timed-out (deadline) 0"]);
  assert.equal(clock.now(), PASS_MS * 1.5);
  assert.deepEqual(done.titles, []);
});

test("models: at four fifths of its time a model is asked to finish", async () => {
  const clock = testClock();
  const model = recordedModel(
    "a:x",
    [[finding("src/a.ts"), { takesMs: PASS_MS * 0.8 }, finding("src/b.ts"), FINISH]],
    clock,
  );
  await review({ models: [model], clock });
  const [early, late] = model.answers[0] ?? [];
  assert.doesNotMatch(early?.text ?? "", /Time is nearly up/);
  assert.match(late?.text ?? "", /Time is nearly up/);
});

test("models: a prompt that is too long becomes a lean one of the same model", async () => {
  const first = recordedModel("a:x", [[fails("context-overflow")], [FINISH]]);
  const done = await review({ models: [first, recordedModel("b:y", [])] });
  assert.deepEqual(done.attempts, [
    "a:x full failed (context-overflow) 0",
    "a:x lean completed (finished) 0",
  ]);
});

test("models: an adapter that breaks its promise costs its attempt, not the review", async () => {
  const first = recordedModel("a:x", [[finding("src/a.ts"), { throws: "it broke" }]]);
  const done = await review({ models: [first, recordedModel("b:y", [[FINISH]])] });
  assert.deepEqual(done.attempts, ["a:x full failed (internal-error) 1", "b:y full completed (finished) 0"]);
  assert.deepEqual(done.titles, ["src/a.ts is wrong"]);
  assert.deepEqual(
    done.degradations.list().map(({ what, message }) => `${what}: ${message}`),
    ["a:x: it broke"],
  );
});

const ended = (isLast: boolean): NotebookEntry => ({
  kind: "outcome",
  pass: "review",
  step: "full",
  outcome: {
    kind: "completed",
    stopReason: { kind: "finished" },
    model: "a:x",
    turns: 1,
    tokens: { input: 1, cachedInput: 0, output: 1 },
    ms: 1,
  },
  costUsd: 0,
  files: 4,
  shownPaths: FILES,
  isLast,
});

async function notebookWith(entries: readonly NotebookEntry[]): Promise<Notebook> {
  const notebook = createMemoryNotebook();
  for (const entry of entries) await notebook.append(entry);
  return notebook;
}

const earlier = (pass: string, path: string): NotebookEntry => ({
  kind: "finding",
  pass,
  finding: {
    title: "Found before",
    body: "It is.",
    severity: "major",
    category: "correctness",
    path,
    quote: `export const value = "${path}";`,
    lineHint: null,
    sideHint: "new",
    suggestion: null,
    confidence: 0.9,
    evidence: [],
    source: "model",
    rule: null,
    pass,
    ignoredBecause: null,
  },
  replaces: null,
});

test("models: a pass that is over is not repeated when the review is taken up again", async () => {
  const notebook = await notebookWith([earlier("review", "src/a.ts"), ended(true)]);
  const model = recordedModel("a:x", []);
  const done = await review({ models: [model], notebook });
  assert.equal(model.tasks.length, 0);
  assert.deepEqual(done.titles, ["Found before"]);
  assert.deepEqual(covered(done), ALL_READ);
});

test("models: findings and read files of a crashed attempt are kept, and the next one reads the rest", async () => {
  const notebook = await notebookWith([
    earlier("review", "src/a.ts"),
    { kind: "reviewed", pass: "review", paths: ["src/a.ts", "src/b.ts"] },
  ]);
  const model = recordedModel("a:x", [[finding("src/a.ts", "Found before"), finding("src/c.ts"), FINISH]]);
  const done = await review({ models: [model], notebook });
  assert.deepEqual(done.titles, ["Found before", "src/c.ts is wrong"]);
  assert.match(model.answers[0]?.[0]?.text ?? "", /Already recorded/);
  assert.deepEqual(covered(done), ALL_READ);
  assert.doesNotMatch(model.tasks[0]?.prompt.user ?? "", /=== src\/[ab]\.ts/);
});

/** The notebook of a process that crashed between two attempts. */
const over = (
  model: string,
  outcome: Pick<Outcome, "kind" | "stopReason"> & { ms: number },
): NotebookEntry => ({
  kind: "outcome",
  pass: "review",
  step: "full",
  outcome: { ...outcome, model, turns: 1, tokens: NO_TOKENS },
  costUsd: 0,
  files: FILES.length,
  shownPaths: FILES,
  isLast: false,
});

test("models: an attempt that had ended is not made again when the review is taken up again, and its time is used", async () => {
  const notebook = await notebookWith([
    over("a:x", { kind: "failed", stopReason: { kind: "http-error", status: 401 }, ms: 4 * MINUTE_MS }),
  ]);
  const [first, second] = [recordedModel("a:x", []), recordedModel("b:y", [[FINISH]])];
  const done = await review({ models: [first, second], notebook });
  assert.deepEqual(done.attempts, ["a:x full failed (http-401) 0", "b:y full completed (finished) 0"]);
  assert.equal(first.tasks.length, 0);
  assert.equal(second.tasks[0]?.limits.deadlineMs, PASS_MS - 4 * MINUTE_MS);
});

test("models: a second try that was promised is made once, when the review is taken up again", async () => {
  const notebook = await notebookWith([
    over("a:x", { kind: "timed-out", stopReason: { kind: "deadline" }, ms: PASS_MS }),
  ]);
  const clock = testClock();
  const model = recordedModel("a:x", [[{ hangs: true }]], clock);
  const done = await review({ models: [model], notebook, clock });
  assert.deepEqual(done.attempts, ["a:x full timed-out (deadline) 0", "a:x reduced timed-out (deadline) 0"]);
  assert.equal(model.tasks[0]?.limits.deadlineMs, PASS_MS / 2);
});

test("models: one that falls silent leaves its time to the next one", async () => {
  const clock = testClock();
  const silent: ModelAct[] = [
    { spends: { input: 1, output: 1 } },
    { takesMs: 2 * MINUTE_MS },
    { ends: { kind: "timed-out", stopReason: { kind: "stalled" } } },
  ];
  const second = recordedModel("b:y", [[FINISH]], clock);
  const done = await review({ models: [recordedModel("a:x", [silent], clock), second], clock });
  assert.deepEqual(done.attempts, ["a:x full timed-out (stalled) 0", "b:y full completed (finished) 0"]);
  assert.equal(second.tasks[0]?.limits.deadlineMs, PASS_MS - 2 * MINUTE_MS);
  assert.deepEqual(covered(done), ALL_READ);
});

const STALLED: ModelAct = { ends: { kind: "timed-out", stopReason: { kind: "stalled" } } };

test("models: a provider that never answers is asked once, and only another provider's model after it", async () => {
  const clock = testClock();
  const mute: ModelAct[] = [{ takesMs: 2 * MINUTE_MS }, STALLED];
  const alone = recordedModel("a:x", [mute], clock);
  const done = await review({ models: [alone, recordedModel("a:other", [])], clock });
  assert.deepEqual(done.attempts, ["a:x full timed-out (stalled) 0"]);
  assert.deepEqual(new Set(Object.values(covered(done))), new Set(["limit:time"]));
  assert.equal(clock.now(), 2 * MINUTE_MS);

  const [first, other] = [recordedModel("a:x", [mute]), recordedModel("a:other", [])];
  const next = await review({ models: [first, other, recordedModel("b:y", [[FINISH]])] });
  assert.deepEqual(next.attempts, ["a:x full timed-out (stalled) 0", "b:y full completed (finished) 0"]);
});

test("models: a provider that never answered is not asked about the other parts either", async () => {
  const model = recordedModel("a:x", [[STALLED]]);
  const done = await review({ models: [model], paths: PARTS, config: CHUNKED });
  assert.deepEqual(done.attempts, ["part 1 of 3: a:x full timed-out (stalled) 0"]);
  assert.deepEqual(new Set(Object.values(covered(done))), new Set(["limit:time"]));
});

test("models: a provider that has answered before and falls silent is asked again, for the riskiest half", async () => {
  const answers: ModelAct = { spends: { input: 1, output: 1 } };
  const model = recordedModel("a:x", [[answers, STALLED], [STALLED]]);
  const done = await review({ models: [model] });
  assert.deepEqual(done.attempts, ["a:x full timed-out (stalled) 0", "a:x reduced timed-out (stalled) 0"]);
});

test("models: if the timeouts can't be read there is no second attempt, and the review is published", async () => {
  const clock = testClock();
  const model = recordedModel("a:x", [[{ hangs: true }]], clock);
  const choice = { mayRetry: () => Promise.reject(new Error("the database is away")) };
  const done = await review({ models: [model], clock, choice });
  assert.deepEqual(done.attempts, ["a:x full timed-out (deadline) 0"]);
  assert.match(done.degradations.list()[0]?.message ?? "", /the database is away/);
});

const PARTS = Array.from({ length: 60 }, (_, index) => {
  const folder = ["api", "shop", "web"][Math.floor(index / 20)] ?? "";
  return `src/${folder}/${String(index).padStart(2, "0")}.ts`;
});
const CHUNKED =
  "review:\n  chunked: { enabled: true, threshold: 50, filesPerChunk: 20 }\nlargePR: { fullReviewCount: 100 }\n";

test("models: if one of several parts fails, the others are kept and its files are listed as not read", async () => {
  const model = recordedModel("a:x", [
    [finding("src/api/00.ts"), FINISH],
    [finding("src/shop/20.ts"), marks("src/shop/21.ts"), fails("turn-limit")],
    [finding("src/web/40.ts"), FINISH],
  ]);
  const done = await review({ models: [model], paths: PARTS, config: CHUNKED });
  assert.deepEqual(done.attempts, [
    "part 1 of 3: a:x full completed (finished) 1",
    "part 2 of 3: a:x full failed (turn-limit) 1",
    "part 3 of 3: a:x full completed (finished) 1",
  ]);
  assert.deepEqual(done.titles, [
    "src/api/00.ts is wrong",
    "src/shop/20.ts is wrong",
    "src/web/40.ts is wrong",
  ]);
  const unread = Object.entries(covered(done)).filter(([, why]) => why !== null);
  assert.equal(unread.length, 19);
  assert.ok(unread.every(([path, why]) => path.startsWith("src/shop/") && why === "failed:model"));
  for (const [index, task] of model.tasks.entries())
    assert.match(task.prompt.user, new RegExp(`=== src/${["api", "shop", "web"][index]}/`));
});

test("models: interrupted in the second of three parts: findings are kept, no other model runs, no part starts", async () => {
  const stopped: ModelAct = { ends: { kind: "stopped", stopReason: { kind: "interrupted" } } };
  const first = recordedModel("a:x", [
    [finding("src/api/00.ts"), FINISH],
    [finding("src/shop/20.ts"), marks("src/shop/21.ts"), stopped],
  ]);
  const second = recordedModel("b:y", []);
  const done = await review({ models: [first, second], paths: PARTS, config: CHUNKED });
  assert.deepEqual(done.attempts, [
    "part 1 of 3: a:x full completed (finished) 1",
    "part 2 of 3: a:x full stopped (interrupted) 1",
  ]);
  assert.deepEqual(done.titles, ["src/api/00.ts is wrong", "src/shop/20.ts is wrong"]);
  assert.deepEqual([first.tasks.length, second.tasks.length], [2, 0]);
  const unread = Object.entries(covered(done)).filter(([, why]) => why !== null);
  assert.equal(unread.length, 39);
  assert.ok(unread.every(([path, why]) => /^src\/(?:shop|web)\//.test(path) && why === "limit:stopped"));
});

/** A model that has spent USD 0.01, is admitted for a call of at most USD 0.03, and ends like this before anybody hears of that call. */
function cutInCall(ends: Pick<Outcome, "kind" | "stopReason"> | Error): RecordedModel {
  const model = recordedModel("a:x", []);
  return {
    ...model,
    async run(task) {
      await task.meter.admit({ inputTokens: 1_000, outputTokens: 0 });
      task.meter.add({ input: 1_000, cachedInput: 0, output: 0 });
      await task.meter.admit({ inputTokens: 2_000, outputTokens: 1_000 });
      if (ends instanceof Error) throw ends;
      return { ...ends, model: "a:x", turns: 1, tokens: { input: 1_000, cachedInput: 0, output: 0 }, ms: 1 };
    },
  };
}

for (const [what, ends, usd] of [
  ["stopped by hand", { kind: "stopped", stopReason: { kind: "interrupted" } }, 0.01 + 0.03],
  ["cut off by the deadline", { kind: "timed-out", stopReason: { kind: "deadline" } }, 0.01 + 0.03],
  ["fallen silent", { kind: "timed-out", stopReason: { kind: "stalled" } }, 0.01 + 0.03],
  ["broken", new Error("it broke"), 0.01 + 0.03],
  ["refused, with every call answered", { kind: "refused", stopReason: { kind: "refusal" } }, 0.01],
] as const) {
  test(`models: ${what}: what is settled is what was used, with the most that a call under way can cost`, async () => {
    const settled: number[] = [];
    const reservation: Reservation = {
      kind: "reserved",
      extend: async () => null,
      settle: async (spent) => void settled.push(spent),
    };
    const money: Partial<ModelMoney> = {
      openSpending: () => ({
        isLimited: true,
        reviewLimitUsd: null,
        reserve: async () => reservation,
        spentUsd: async () => 0,
      }),
    };
    const choice = { mayRetry: async () => false };
    await review({ models: [cutInCall(ends)], config: PRICED, money, choice });
    assert.equal(settled[0], usd);
  });
}

test("models: each step has limits of its own; those of time are never longer than the attempt", async () => {
  const clock = testClock();
  const full = recordedModel("a:x", [[fails("context-overflow")], [FINISH]], clock);
  await review({ models: [full], clock });
  const [first, lean] = full.tasks.map(({ limits }) => limits);
  const patience = { stallMs: 2 * MINUTE_MS, overloadMs: MINUTE_MS };
  assert.deepEqual(first, { deadlineMs: PASS_MS, ...patience, maxTurns: 80, maxOutputTokens: 32_000 });
  assert.deepEqual(lean, { deadlineMs: PASS_MS, ...patience, maxTurns: 40, maxOutputTokens: 32_000 });

  const short = recordedModel("a:x", [[{ hangs: true }], [FINISH]], clock);
  await review({ models: [short], clock, config: "timeoutSeconds: 60" });
  const [whole, reduced] = short.tasks.map(({ limits }) => limits);
  assert.deepEqual(whole, {
    deadlineMs: MINUTE_MS,
    stallMs: MINUTE_MS,
    overloadMs: MINUTE_MS / 4,
    maxTurns: 80,
    maxOutputTokens: 32_000,
  });
  assert.deepEqual(reduced, {
    deadlineMs: MINUTE_MS / 2,
    stallMs: MINUTE_MS / 2,
    overloadMs: MINUTE_MS / 8,
    maxTurns: 40,
    maxOutputTokens: 32_000,
  });
});

test("models: if the total cost can't be read, the review is published without it and shows that", async () => {
  const spentUsd = () => Promise.reject(new Error("the database is away"));
  const reviewed = await review({
    models: [recordedModel("a:x", [[finding("src/a.ts"), FINISH]])],
    money: { openSpending: () => ({ ...createMemorySpending(null), spentUsd }) },
  });
  assert.deepEqual([reviewed.titles, reviewed.cutOffUsd], [["src/a.ts is wrong"], 0]);
  assert.deepEqual(reviewed.degradations.list(), [
    { what: "cost", message: "the database is away", count: 1 },
  ]);
});

test("models: parts that an earlier attempt has finished are not repeated", async () => {
  const over = { ...ended(true), pass: "part 1 of 3" };
  const notebook = await notebookWith([earlier("part 1 of 3", "src/api/00.ts"), over]);
  const model = recordedModel("a:x", [[FINISH], [FINISH]]);
  const done = await review({ models: [model], notebook, paths: PARTS, config: CHUNKED });
  assert.deepEqual(
    done.passes.map(({ name }) => name),
    ["part 1 of 3", "part 2 of 3", "part 3 of 3"],
  );
  assert.equal(model.tasks.length, 2);
  assert.deepEqual(done.titles, ["Found before"]);
});

const PRICED = 'prices:\n  "a:x": { inputUsd: 10, outputUsd: 10 }\n  "b:y": { inputUsd: 1, outputUsd: 1 }\n';

/** All of the money is for finding. */
const limited = (usd: number): Partial<ModelMoney> => ({
  openSpending: () => ({ ...createMemorySpending({ name: "perReviewUsd", usd }), reviewLimitUsd: null }),
});

test("models: too expensive with a full prompt: a lean one is tried; with both: no call is made", async () => {
  // 4,000 tokens for the answer at 10 USD a million, and the prompt, of which a lean one has less.
  const lean = recordedModel("a:x", [[{ spends: { input: 100, output: 100 } }, FINISH]]);
  const config = `${PRICED}review:\n  prompt: "${"look twice ".repeat(350)}"\n`;
  const some = await review({ models: [lean], config, money: limited(0.061) });
  assert.deepEqual(some.attempts, [
    "a:x full stopped-by-budget (over-budget) 0",
    "a:x lean completed (finished) 0",
  ]);
  const reason = some.passes[0]?.stopReason;
  assert.ok(reason?.kind === "over-budget");
  const { neededUsd, ...budget } = reason;
  assert.deepEqual(budget, { kind: "over-budget", budget: "perReviewUsd", limitUsd: 0.061, spentUsd: 0 });
  assert.match(neededUsd.toFixed(4), /^0\.06\d\d$/);
  assert.deepEqual(
    some.passes.map(({ costUsd }) => costUsd),
    [0, 0.002],
  );
  const never = recordedModel("a:x", []);
  const none = await review({ models: [never], config: PRICED, money: limited(0.01) });
  assert.deepEqual(
    none.passes.map(({ step, outcome }) => `${step} ${outcome}`),
    ["full stopped-by-budget", "lean stopped-by-budget"],
  );
  assert.deepEqual(new Set(Object.values(covered(none))), new Set(["limit:budget"]));
});

test("models: too dear, with a long prompt and a short one: a cheaper one is asked", async () => {
  const [dear, cheap] = [recordedModel("a:x", []), recordedModel("b:y", [[FINISH]])];
  const done = await review({ models: [dear, cheap], config: PRICED, money: limited(0.05) });
  assert.deepEqual(
    done.passes.map(({ model, step, outcome }) => `${model} ${step} ${outcome}`),
    ["a:x full stopped-by-budget", "a:x lean stopped-by-budget", "b:y full completed"],
  );
  assert.equal(dear.tasks.length, 0);
});

test("models: money that ends in the middle ends the pass, with what was found and why", async () => {
  const dear: ModelAct = { spends: { input: 20_000, output: 0 } };
  const model = recordedModel("a:x", [[dear, finding("src/a.ts"), dear, dear, dear, FINISH]]);
  const done = await review({ models: [model], config: PRICED, money: limited(0.5) });
  assert.deepEqual(done.attempts, ["a:x full stopped-by-budget (over-budget) 1"]);
  const reason = done.passes[0]?.stopReason;
  assert.ok(reason?.kind === "over-budget");
  const { neededUsd, spentUsd, ...budget } = reason;
  assert.deepEqual(budget, { kind: "over-budget", budget: "perReviewUsd", limitUsd: 0.5 });
  assert.deepEqual([neededUsd.toFixed(2), spentUsd.toFixed(2)], ["0.20", "0.40"]);
  assert.deepEqual(done.titles, ["src/a.ts is wrong"]);
  assert.equal(done.passes[0]?.costUsd, 0.4);
});

test("models: with a budget, a model without a known price is skipped for the next one", async () => {
  const unknown = recordedModel("compatible:local", []);
  const known = recordedModel("b:y", [[FINISH]]);
  const done = await review({ models: [unknown, known], config: PRICED, money: limited(5) });
  assert.deepEqual(done.attempts, [
    "compatible:local full stopped-by-budget (price-unknown) 0",
    "b:y full completed (finished) 0",
  ]);
  assert.deepEqual(covered(done), ALL_READ);
  const alone = await review({ models: [unknown], config: PRICED, money: limited(5) });
  assert.deepEqual(alone.attempts, ["compatible:local full stopped-by-budget (price-unknown) 0"]);
  assert.equal(unknown.tasks.length, 0);
  const free = recordedModel("compatible:local", [[{ spends: { input: 1, output: 1 } }, FINISH]]);
  const unlimited = await review({ models: [free] });
  assert.deepEqual(
    unlimited.passes.map(({ costUsd, turns }) => [costUsd, turns]),
    [[null, 1]],
  );
});

test("models: without a configured budget, a model without a known price is limited by tokens", async () => {
  const acts: ModelAct[] = [{ spends: { input: 3_000_000, output: 1 } }, finding("src/a.ts")];
  const model = recordedModel("compatible:local", [[...acts, ...acts, FINISH]]);
  const money = { openSpending: () => createMemorySpending({ name: "perReviewUsd", usd: 2 }, false) };
  const done = await review({ models: [model], money });
  assert.deepEqual(done.attempts, ["compatible:local full stopped-by-budget (over-tokens) 1"]);
  assert.deepEqual(done.passes[0]?.stopReason, { kind: "over-tokens", maxTokens: 5_000_000 });
  assert.deepEqual(new Set(Object.values(covered(done))), new Set(["limit:budget"]));
});

test("models: one that stops without finishing is reminded once, has read what it marked, and the next model reads the rest", async () => {
  const first = recordedModel("a:x", [
    [{ tool: "show_diff" }, finding("src/a.ts"), marks("src/a.ts", "src/b.ts")],
  ]);
  const second = recordedModel("b:y", [[marks("src/c.ts")]]);
  const done = await review({ models: [first, second] });
  assert.deepEqual(done.attempts, ["a:x full failed (not-finished) 1", "b:y full failed (not-finished) 0"]);
  assert.deepEqual(covered(done), {
    "src/a.ts": null,
    "src/b.ts": null,
    "src/c.ts": null,
    "src/d.ts": "failed:model",
  });
  assert.deepEqual(done.titles, ["src/a.ts is wrong"]);
  const [remind] = first.tasks.map((task) => task.remind);
  assert.match(remind?.() ?? "", /mark_reviewed, then call finish_review\.$/);
  assert.equal(remind?.(), null);
});

test("models: one that goes in circles is stopped, keeps what it found, and leaves the rest to the next model", async () => {
  const again: ModelAct = { tool: "show_diff", args: { path: "src/a.ts" } };
  const first = recordedModel("a:x", [[finding("src/a.ts"), again, again, again, FINISH]]);
  const second = recordedModel("b:y", [[FINISH]]);
  const done = await review({ models: [first, second] });
  assert.deepEqual(done.attempts, [
    "a:x full failed (repeated-tool-calls) 1",
    "b:y full completed (finished) 0",
  ]);
  assert.deepEqual(covered(done), ALL_READ);
  assert.deepEqual(
    first.answers[0]?.slice(1, 3).map(({ text }) => text.split("\n")[0]),
    Array.from(
      { length: 2 },
      () => "src/a.ts (added, +1 −0): lines 1–2 of 2 of its diff were already shown in the prompt.",
    ),
  );
});

test("models: one that only talks has not reviewed; the next one is asked, then the first with a lean prompt", async () => {
  const talks: ModelAct[] = [{ spends: { input: 1, output: 1 } }];
  const done = await review({
    models: [recordedModel("a:x", [talks, [FINISH]]), recordedModel("b:y", [talks])],
  });
  assert.deepEqual(done.attempts, [
    "a:x full failed (no-tool-calls) 0",
    "b:y full failed (no-tool-calls) 0",
    "a:x lean completed (finished) 0",
  ]);
});

test("models: calls that are no calls end the run after three, and the next model goes on", async () => {
  const bad: ModelAct = { tool: "record_finding", args: "{" };
  const first = recordedModel("a:x", [[bad, bad, bad, finding("src/a.ts")]]);
  const done = await review({ models: [first, recordedModel("b:y", [[FINISH]])] });
  assert.deepEqual(done.attempts, [
    "a:x full failed (malformed-tool-calls) 0",
    "b:y full completed (finished) 0",
  ]);
  assert.deepEqual(done.titles, []);
});

test("models: an aborted review ends at once, and its cost so far is settled", async () => {
  const stopping = new AbortController();
  const settled: number[] = [];
  const reservation: Reservation = {
    kind: "reserved",
    extend: async () => null,
    settle: async (usd) => void settled.push(usd),
  };
  const model: Model = {
    id: "a:x",
    async run({ meter }) {
      await meter.admit({ inputTokens: 1_000, outputTokens: 1_000 });
      meter.add({ input: 1_000, cachedInput: 0, output: 0 });
      // The second call is in flight when the review is aborted.
      await meter.admit({ inputTokens: 2_000, outputTokens: 1_000 });
      stopping.abort(new Error("stopped"));
      throw stopping.signal.reason;
    },
  };
  const degradations = createDegradations(stopping.signal);
  const access: ModelAccess = {
    ...NO_MODELS,
    money: {
      ...NO_MODELS.money,
      openSpending: () => ({
        isLimited: true,
        reviewLimitUsd: null,
        reserve: async () => reservation,
        spentUsd: async () => 0,
      }),
    },
  };
  const prepared = await prepareReview(
    {
      change: changeOf(FILES),
      givenConfig: { path: "given.yml", bytes: Buffer.from(PRICED) },
      isExplicit: true,
      isFull: false,
      tags: "all",
      author: { association: null, mergedPullRequests: null },
      prior: NO_PRIOR_REVIEW,
    },
    { repository: null, reader: createInProcessReader() },
    degradations,
  );
  const deps = testReviewDeps({
    reader: createInProcessReader({ loadSyntax: () => Promise.reject(new Error("no parser here")) }),
    now: () => 0,
    signal: stopping.signal,
  });
  const session = await openTestSession([model], prepared, access);
  await assert.rejects(
    reviewWithModels({ prepared, context: NO_CONTEXT, evidence: [], session }, deps),
    /stopped/,
  );
  assert.deepEqual(degradations.list(), []);
  assert.deepEqual(settled, [0.01 + 0.03]);
});
