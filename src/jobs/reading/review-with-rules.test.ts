/** The built-in rules as a reviewer: their time limit, their report, and cancellation. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { analysisOf, changedFile, changeOf, configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import { createInProcessReader } from "../../../test/support/in-process-reader.ts";
import { FIRST_SCOPE } from "../../../test/support/no-context.ts";
import { NO_PRIOR_REVIEW } from "../../review/context/prior-findings.ts";
import { createDegradations } from "../gathering/optional.ts";
import { reviewWithRules } from "./review-with-rules.ts";

/** More files than fit into one batch. */
const FILES = Array.from({ length: 30 }, (_, index) =>
  changedFile({ path: `src/f${index}.ts`, lines: ["+debugger;"] }),
);

function review(now: () => number, signal = new AbortController().signal, onProgress = () => {}) {
  const change = changeOf(FILES);
  const tree = configTreeOf();
  const analysis = { ...analysisOf(change, tree), timeBudgetSeconds: 1 };
  const config = { tree, origin: "defaults", problems: [], learnings: [] };
  const degradations = createDegradations(signal);
  return reviewWithRules(
    {
      asked: null,
      change,
      config,
      analysis,
      prior: NO_PRIOR_REVIEW,
      scope: FIRST_SCOPE,
      sarif: [],
      dependencies: null,
      listing: async () => null,
      degradations,
    },
    null,
    { repository: null, analysers: null, reader: createInProcessReader(), now, signal, onProgress },
  );
}

test("rules: a complete review is reported without turns, tokens and cost", async () => {
  const { report, findings, coverage } = await review(() => 0);
  assert.equal(coverage.unreadPaths.size, 0);
  assert.equal(report.findings, findings.length);
  assert.ok(findings.length >= FILES.length);
  const { outcome, stopReason, turns, tokens, costUsd, files } = report;
  assert.deepEqual(
    { outcome, stopReason, turns, tokens, costUsd, files },
    {
      outcome: "completed",
      stopReason: { kind: "finished" },
      turns: 0,
      tokens: { input: 0, cachedInput: 0, output: 0 },
      costUsd: 0,
      files: FILES.length,
    },
  );
});

test("rules: when time runs out, findings so far are kept and the other files are listed", async () => {
  let looks = 0;
  // The clock jumps past the limit after the first batch.
  const { report, findings, coverage } = await review(() => (looks++ < 2 ? 0 : 2_000));
  assert.equal(report.outcome, "timed-out");
  assert.deepEqual(report.stopReason, { kind: "deadline" });
  assert.ok(findings.length >= 20);
  assert.deepEqual(new Set(coverage.unreadPaths.values()), new Set(["limit:time"]));
  assert.equal(coverage.unreadPaths.size, 10);
});

test("rules: a cancelled review rejects with the reason, before and during its work", async () => {
  const reason = new Error("a newer commit");
  await assert.rejects(
    review(() => 0, AbortSignal.abort(reason)),
    reason,
  );
  const during = new AbortController();
  await assert.rejects(
    review(
      () => 0,
      during.signal,
      () => during.abort(reason),
    ),
    reason,
  );
});
