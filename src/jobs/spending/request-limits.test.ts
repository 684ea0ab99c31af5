import assert from "node:assert/strict";
import { test } from "node:test";
import {
  type RequesterClass,
  type ReviewRequester,
  decideRequest,
  type EarlierRequest,
  effectiveLimits,
  LIMIT_WINDOW_MS,
} from "./request-limits.ts";

const LIMITS = { stranger: 2, contributor: 3, writer: null };
const NOW = 10 * LIMIT_WINDOW_MS;

const asking = (jobId: number, requesterClass: RequesterClass): ReviewRequester => ({
  jobId,
  login: `of-${jobId}`,
  requesterClass,
});

function before(
  jobId: number,
  requesterClass: RequesterClass,
  outcome: "granted" | "refused" | "answered" = "granted",
): EarlierRequest {
  const [isGranted, isAnswered] = [outcome === "granted", outcome === "answered"];
  return { runId: 100 + jobId, jobId, requesterClass, isGranted, isAnswered, at: NOW - 60_000 + jobId };
}

function decide(
  candidates: readonly [ReviewRequester, ...ReviewRequester[]],
  earlier: readonly EarlierRequest[],
  runId = 1,
) {
  return decideRequest({ runId, candidates, limits: LIMITS, wantsAnswer: true, nowMs: NOW }, earlier);
}

test("a class shares its limit, and another class does not count for it", () => {
  const stranger = asking(9, "stranger");
  assert.equal(decide([stranger], [before(1, "stranger"), before(2, "contributor")]).kind, "granted");
  assert.deepEqual(decide([stranger], [before(1, "stranger"), before(2, "stranger")]), {
    kind: "refused",
    by: stranger,
    limit: 2,
    againAtMs: before(1, "stranger").at + LIMIT_WINDOW_MS,
    isAnswered: true,
  });
  const many = Array.from({ length: 50 }, (_, index) => before(index, "writer"));
  assert.equal(decide([asking(99, "writer")], many).kind, "granted");
});

test("a refused request doesn't count, and one refusal per hour is answered", () => {
  const used = [before(1, "stranger"), before(2, "stranger")];
  const answer = (earlier: readonly EarlierRequest[], runId = 1): boolean | null => {
    const decision = decide([asking(9, "stranger")], earlier, runId);
    return decision.kind === "refused" ? decision.isAnswered : null;
  };
  assert.equal(answer([before(1, "stranger"), before(2, "stranger", "refused")]), null);
  assert.equal(answer(used), true);
  assert.equal(answer([...used, before(3, "stranger", "answered")]), false);
  assert.equal(answer([...used, before(3, "stranger", "refused")]), true);
  // The same run again, after a crash: it may not have come to its answer.
  assert.equal(answer([...used, before(3, "stranger", "answered")], 103), true);
});

test("a refusal that leads to a review by the rules is no answer, and leaves the answer to a request", () => {
  const used = [before(1, "stranger"), before(2, "stranger")];
  const candidates = [asking(9, "stranger")] as const;
  const push = { runId: 1, candidates, limits: LIMITS, wantsAnswer: false, nowMs: NOW };
  const decision = decideRequest(push, used);
  assert.deepEqual([decision.kind, decision.kind === "refused" && decision.isAnswered], ["refused", false]);
});

test("a run that starts again goes on with what it was granted", () => {
  const stranger = asking(2, "stranger");
  const used = [before(1, "stranger"), before(2, "stranger")];
  assert.deepEqual(decide([stranger], used, 102), { kind: "granted", by: stranger });
});

test("a job may use the request whose place it took, once", () => {
  const push = asking(9, "stranger");
  const writers = asking(5, "writer");
  const used = [before(1, "stranger"), before(2, "stranger")];
  assert.deepEqual(decide([push, writers], used), { kind: "granted", by: writers });
  assert.equal(decide([push, writers], [...used, before(5, "writer")]).kind, "refused");
});

test("of two limits the lower one holds", () => {
  assert.deepEqual(effectiveLimits({ strangersPerHour: 2, contributorsPerHour: 6 }, {}), {
    stranger: 2,
    contributor: 6,
    writer: null,
  });
  assert.deepEqual(
    effectiveLimits(
      { strangersPerHour: 9, contributorsPerHour: 0, writersPerHour: 5 },
      { strangersPerHour: 1, contributorsPerHour: 4, writersPerHour: 10 },
    ),
    { stranger: 1, contributor: 0, writer: 5 },
  );
});
