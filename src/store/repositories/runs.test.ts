import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  claimRun,
  finishRun,
  hasOutcome,
  isSummaryOfSkipped,
  lastCompletedRun,
  readRunsFinishedSince,
  readRunsOfJob,
  type RunEnd,
} from "./runs.ts";
import type { RunRequest } from "./to-run.ts";

const request: RunRequest = {
  jobId: 5_000_000_001,
  installationId: 9_007_199_254_740_991,
  repositoryId: 5_000_000_000,
  repository: "acme/shop",
  pullRequest: 7,
  base: "b".repeat(40),
  head: "1".repeat(40),
  triggers: "opened",
  startedAt: 100,
};

const end = (status: RunEnd["status"], finishedAt: number): RunEnd => ({
  status,
  reason: status === "completed" ? "published" : `${status}:because`,
  findingsTotal: 3,
  findingsReported: 2,
  finishedAt,
});

for (const engine of ENGINES) {
  test(`${engine.name}: a run is claimed and finished with its 64-bit ids`, () =>
    withStore(engine, async ({ database }) => {
      const run = await claimRun(request, database);
      assert.equal(run.status, "running");
      assert.equal(await finishRun(run.id, end("completed", 200), database), true);
      const expected = { ...request, ...end("completed", 200), id: run.id };
      assert.deepEqual(await readRunsOfJob(request.jobId, database), [expected]);
      assert.deepEqual(await lastCompletedRun(request.repositoryId, 7, database), expected);
    }));

  test(`${engine.name}: the last reviewed head survives the claim and the failure of a later run`, () =>
    withStore(engine, async ({ database }) => {
      const { repositoryId, pullRequest } = request;
      const lastHead = async () =>
        (await lastCompletedRun(repositoryId, pullRequest, database))?.head ?? null;
      const hasRun = (head: string) => hasOutcome({ repositoryId, pullRequest, head }, database);
      assert.equal(await lastHead(), null);

      const first = await claimRun(request, database);
      assert.equal(await lastHead(), null);
      await finishRun(first.id, end("completed", 200), database);
      assert.equal(await lastHead(), request.head);
      assert.equal(await hasRun(request.head), true);

      const push = { ...request, jobId: 2, head: "2".repeat(40), triggers: "synchronize", startedAt: 300 };
      const second = await claimRun(push, database);
      assert.notEqual(second.id, first.id);
      assert.equal(await lastHead(), request.head);
      await finishRun(second.id, end("failed", 400), database);
      assert.equal(await lastHead(), request.head);
      // A failed run doesn't block its head.
      assert.equal(await hasRun(push.head), false);

      // The next attempt of the same job reuses the row.
      const again = await claimRun({ ...push, startedAt: 500 }, database);
      assert.deepEqual(
        [again.id, again.status, again.reason, again.finishedAt],
        [second.id, "running", null, null],
      );
      assert.equal(await lastHead(), request.head);
      await finishRun(again.id, end("partial", 600), database);
      assert.equal(await lastHead(), push.head);
      assert.equal(await hasRun(push.head), true);
    }));

  test(`${engine.name}: the recent runs of a pull request are those that finished, oldest first`, () =>
    withStore(engine, async ({ database }) => {
      const { repositoryId, pullRequest } = request;
      const finish = async (head: string, finishedAt: number, more: Partial<RunRequest> = {}) => {
        const { id } = await claimRun({ ...request, ...more, head }, database);
        await finishRun(id, end("completed", finishedAt), database);
      };
      await finish("1", 300);
      await finish("2", 200);
      await finish("3", 100);
      await finish("4", 300, { pullRequest: 8 });
      await finish("5", 300, { repositoryId: 1, jobId: 3 });
      await claimRun({ ...request, head: "6" }, database);
      const recent = await readRunsFinishedSince({ repositoryId, pullRequest, sinceMs: 100 }, database);
      assert.deepEqual(
        recent.map(({ head, finishedAt }) => [head, finishedAt]),
        [
          ["2", 200],
          ["1", 300],
        ],
      );
    }));

  test(`${engine.name}: an answer to a mention counts as no review, and never changes again`, () =>
    withStore(engine, async ({ database }) => {
      const { repositoryId, pullRequest } = request;
      const mention = { ...request, base: "", head: "", triggers: "mention:ask" };
      const run = await claimRun(mention, database);
      await finishRun(run.id, end("answered", 200), database);
      assert.deepEqual(await readRunsFinishedSince({ repositoryId, pullRequest, sinceMs: 0 }, database), []);
      assert.equal(await lastCompletedRun(repositoryId, pullRequest, database), null);
      assert.equal(await isSummaryOfSkipped(repositoryId, pullRequest, database), false);
      assert.equal((await claimRun(mention, database)).status, "answered");
      assert.equal(await finishRun(run.id, end("failed", 300), database), false);
    }));

  test(`${engine.name}: neither a claim nor a late finish changes a completed run`, () =>
    withStore(engine, async ({ database }) => {
      for (const [index, status] of (["completed", "partial"] as const).entries()) {
        const asked = { ...request, jobId: 10 + index };
        const run = await claimRun(asked, database);
        await finishRun(run.id, end(status, 200), database);
        const before = await readRunsOfJob(asked.jobId, database);
        const again = await claimRun({ ...asked, base: "c".repeat(40), startedAt: 900 }, database);
        assert.deepEqual([again], before);
        assert.equal(await finishRun(run.id, end("failed", 999), database), false);
        assert.deepEqual(await readRunsOfJob(asked.jobId, database), before);
      }
    }));

  test(`${engine.name}: another job reviews the same head in a separate run`, () =>
    withStore(engine, async ({ database }) => {
      const first = await claimRun(request, database);
      await finishRun(first.id, end("completed", 200), database);
      const second = await claimRun({ ...request, jobId: 2, triggers: "requested" }, database);
      assert.notEqual(second.id, first.id);
      assert.equal((await lastCompletedRun(request.repositoryId, 7, database))?.id, first.id);
    }));

  test(`${engine.name}: a skipped head has an outcome but no review, and other pull requests have neither`, () =>
    withStore(engine, async ({ database }) => {
      const { repositoryId, pullRequest, head } = request;
      const run = await claimRun(request, database);
      await finishRun(run.id, end("skipped", 200), database);
      assert.equal(await hasOutcome({ repositoryId, pullRequest, head }, database), true);
      assert.equal(await lastCompletedRun(repositoryId, pullRequest, database), null);
      const other = "9".repeat(40);
      const refused = await claimRun({ ...request, head: other }, database);
      const reason = "skipped:request-limit";
      await finishRun(refused.id, { ...end("skipped", 200), reason }, database);
      assert.equal(await hasOutcome({ repositoryId, pullRequest, head: other }, database), false);
      assert.equal(await hasOutcome({ repositoryId, pullRequest: 8, head }, database), false);
      assert.equal(await hasOutcome({ repositoryId: 1, pullRequest, head }, database), false);
    }));
}
