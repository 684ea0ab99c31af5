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
  notice: string | null,
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
  ["lost to another worker", async () => ({ state: "lost" }), "running", /^$/, null],
  [
    "a temporary failure",
    fails("network", { retryable: true }),
    "queued",
    /^failed:network: no luck with \[masked\]$/,
    null,
  ],
  [
    "a failure with a time to retry",
    fails("rate-limited", { retryAtMs: NOW + 9_000 }),
    "queued",
    /^failed:rate-limited/,
    null,
  ],
  ["a permanent failure", fails("forbidden"), "failed", /^failed:forbidden/, "failed"],
  ["suspended", fails("suspended"), "skipped", /^skipped:installation-suspended$/, null],
  [
    "an internal error",
    () => Promise.reject(new TypeError("x is undefined")),
    "failed",
    /^failed:defect: x is/,
    "failed",
  ],
];

test("[P17] the outcome of a recipe is recorded, and people get a notice if it was given up", async (t) => {
  for (const [name, run, state, reason, notice] of OUTCOMES) {
    await t.test(name, async (t) => {
      const { work, queue, gaveUp, lines, reports } = await bench(t);
      await work(run);
      const job = await queue.read(1);
      assert.equal(job?.state, state);
      assert.match(job?.reason ?? "", reason);
      assert.equal(gaveUp[0]?.kind ?? null, notice);
      assert.equal(reports.length, 1);
      assert.doesNotMatch(lines.join(""), /ghs_/);
    });
  }
});

test("a permanent failure shows people the message without the operator's hint, which is in the log", async (t) => {
  const { work, gaveUp, lines } = await bench(t);
  await work(fails("forbidden"));
  assert.equal(gaveUp[0]?.message, "no luck with [masked].");
  assert.match(lines.join(""), /Wait\./);
});

test("a waiting job runs again at its time, and the attempt doesn't count", async (t) => {
  const { work, queue } = await bench(t);
  await work(async () => ({ state: "wait", untilMs: NOW + 5_000, reason: "fate" }));
  const job = await queue.read(1);
  assert.deepEqual([job?.runAt, job?.attempts], [NOW + 5_000, 0]);
});

test("a job of an unknown kind fails", async (t) => {
  const { work, queue } = await bench(t);
  await work(async () => ({ state: "done", reason: "never" }), { kind: "strange" });
  assert.deepEqual(
    [(await queue.read(1))?.state, (await queue.read(1))?.reason],
    ["failed", "failed:unknown-kind"],
  );
});

test("a newer job stops the work at its next step, and the reason has its number", async (t) => {
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

test("cancelling a job stops the work, and people get a notice", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  await work(async (context) => {
    await queue.cancel(1, "cancelled:by-hand");
    await context.step("next");
    return { state: "done", reason: "published" };
  });
  assert.equal((await queue.read(1))?.state, "cancelled");
  assert.equal(gaveUp[0]?.kind, "cancelled");
});

test("a job released at shutdown counts as never claimed", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  const stopping = new AbortController();
  await work(
    async ({ signal }) => {
      stopping.abort();
      signal.throwIfAborted();
      return { state: "done", reason: "published" };
    },
    { releaseRequested: stopping.signal },
  );
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["queued", 0, 0]);
  assert.deepEqual(gaveUp, []);
});

const LATE: readonly (readonly [name: string, end: Recipe["run"]])[] = [
  ["fails", fails("network", { retryable: true })],
  ["fails with a time to retry", fails("rate-limited", { retryAtMs: NOW + 9_000 })],
  ["has to wait", async () => ({ state: "wait", untilMs: NOW + 5_000, reason: "fate" })],
];

for (const [name, end] of LATE) {
  test(`a job that ${name} after a newer one superseded it is superseded, and people get a notice`, async (t) => {
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

test("a job whose work doesn't stop in time is released", async (t) => {
  const { work, queue } = await bench(t);
  const [releaseRequested, hardStop] = [new AbortController(), new AbortController()];
  await work(
    () => {
      releaseRequested.abort();
      hardStop.abort();
      return new Promise(() => {});
    },
    { releaseRequested: releaseRequested.signal, hardStop: hardStop.signal },
  );
  const job = await queue.read(1);
  assert.deepEqual([job?.state, job?.attempts, job?.deaths], ["queued", 0, 0]);
});

test("a job whose notice isn't published in time goes to the next worker", async (t) => {
  const { work, queue, gaveUp } = await bench(t);
  const hardStop = new AbortController();
  const giveUp = () => {
    hardStop.abort();
    return new Promise<never>(() => {});
  };
  await work(fails("forbidden"), { hardStop: hardStop.signal, giveUp });
  assert.equal(gaveUp.length, 1);
  assert.equal((await queue.read(1))?.state, "queued");
});
