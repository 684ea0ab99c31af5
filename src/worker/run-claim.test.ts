import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../base/errors.ts";
import type { Recipe } from "../jobs/recipe.ts";
import { bench, NOW, REQUEST } from "../../test/support/worker-bench.ts";

const fails =
  (code: "network" | "forbidden" | "suspended" | "rate-limited", options: object = {}) =>
  async () => {
    throw new KodiaiError(code, "no luck with ghs_0123456789abcdef", { hint: "Wait.", ...options });
  };

const OUTCOMES: readonly (readonly [
  name: string,
  run: Recipe["run"],
  state: string,
  reason: RegExp,
  told: string | null,
])[] = [
  ["done", async () => ({ state: "done", reason: "published" }), "done", /^published$/, null],
  [
    "skipped",
    async () => ({ state: "skipped", reason: "skipped:draft" }),
    "skipped",
    /^skipped:draft$/,
    null,
  ],
  ["waits", async () => ({ state: "wait", untilMs: NOW + 5_000, reason: "fate" }), "queued", /^fate$/, null],
  ["another has it", async () => ({ state: "lost" }), "running", /^$/, null],
  [
    "may pass",
    fails("network", { retryable: true }),
    "queued",
    /^failed:network: no luck with \[masked\]$/,
    null,
  ],
  [
    "comes back at a time",
    fails("rate-limited", { retryAtMs: NOW + 9_000 }),
    "queued",
    /^failed:rate-limited/,
    null,
  ],
  ["will not pass", fails("forbidden"), "failed", /^failed:forbidden/, "failed"],
  ["suspended", fails("suspended"), "skipped", /^skipped:installation-suspended$/, null],
  [
    "a defect",
    () => Promise.reject(new TypeError("x is undefined")),
    "failed",
    /^failed:defect: x is/,
    "failed",
  ],
];

test("[P17] what a recipe comes to is recorded, and people are told where nothing more will come", async (t) => {
  for (const [name, run, state, reason, told] of OUTCOMES) {
    await t.test(name, async (t) => {
      const { work, queue, gaveUp, lines, reports } = await bench(t);
      await work(run);
      const job = await queue.read(1);
      assert.equal(job?.state, state);
      assert.match(job?.reason ?? "", reason);
      assert.equal(gaveUp[0]?.kind ?? null, told);
      assert.equal(reports.length, 1);
      assert.doesNotMatch(lines.join(""), /ghs_/);
    });
  }
});

test("a job that waits does so until then, without an attempt being counted", async (t) => {
  const { work, queue } = await bench(t);
  await work(async () => ({ state: "wait", untilMs: NOW + 5_000, reason: "fate" }));
  const job = await queue.read(1);
  assert.deepEqual([job?.runAt, job?.attempts], [NOW + 5_000, 0]);
});

test("a kind that nobody knows ends as failed", async (t) => {
  const { work, queue } = await bench(t);
  await work(async () => ({ state: "done", reason: "never" }), { kind: "strange" });
  assert.deepEqual(
    [(await queue.read(1))?.state, (await queue.read(1))?.reason],
    ["failed", "failed:unknown-kind"],
  );
});

test("a newer job stops the work at its next step, and the reason names it", async (t) => {
  const { work, queue, add, gaveUp } = await bench(t);
  let isDone = false;
  await work(async (context) => {
    await add({ ...REQUEST, key: "two" });
    await context.step("next");
    isDone = true;
    context.signal.throwIfAborted();
    return { state: "done", reason: "published" };
  });
  assert.equal(isDone, false);
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.reason], ["superseded", "superseded-by:2"]);
  assert.deepEqual(gaveUp[0]?.kind, "superseded");
});

test("somebody cancels it: the work stops, and people are told", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  await work(async (context) => {
    await queue.cancel(1, "cancelled:by-hand");
    await context.step("next");
    return { state: "done", reason: "published" };
  });
  assert.equal((await queue.read(1))?.state, "cancelled");
  assert.equal(gaveUp[0]?.kind, "cancelled");
});

test("a process that stops gives the job back as if it had never been claimed", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  const stopping = new AbortController();
  await work(
    async ({ signal }) => {
      stopping.abort();
      signal.throwIfAborted();
      return { state: "done", reason: "published" };
    },
    { giveBack: stopping.signal },
  );
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["queued", 0, 0]);
  assert.deepEqual(gaveUp, []);
});

const LATE: readonly (readonly [name: string, end: Recipe["run"]])[] = [
  ["fails", fails("network", { retryable: true })],
  ["is to come back at a time", fails("rate-limited", { retryAtMs: NOW + 9_000 })],
  ["has to wait", async () => ({ state: "wait", untilMs: NOW + 5_000, reason: "fate" })],
];

for (const [name, end] of LATE) {
  test(`a job that ${name} after a newer one took its place ends as that, and people are told`, async (t) => {
    const { work, queue, add, gaveUp, reports } = await bench(t);
    await work(async (context) => {
      await add({ ...REQUEST, key: "two" });
      return end(context);
    });
    const job = await queue.read(1);
    assert.deepEqual([job?.state, job?.reason], ["superseded", "superseded-by:2"]);
    assert.deepEqual([gaveUp[0]?.kind, reports[0]?.state], ["superseded", "superseded"]);
  });
}

test("work that does not stop in time is left where it is, and its job given back", async (t) => {
  const { work, queue } = await bench(t);
  const [giveBack, abandon] = [new AbortController(), new AbortController()];
  await work(
    () => {
      giveBack.abort();
      abandon.abort();
      return new Promise(() => {});
    },
    { giveBack: giveBack.signal, abandon: abandon.signal },
  );
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["queued", 0, 0]);
});

test("a notice that does not come in time leaves the job to the next worker", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  const abandon = new AbortController();
  const giveUp = () => {
    abandon.abort();
    return new Promise<never>(() => {});
  };
  await work(fails("forbidden"), { abandon: abandon.signal, giveUp });
  assert.equal(gaveUp.length, 1);
  assert.equal((await queue.read(1))?.state, "queued");
});
