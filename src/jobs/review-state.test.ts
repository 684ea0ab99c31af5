import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { changedFile } from "../../test/support/analysis-fixtures.ts";
import { priorRun } from "../../test/support/prior-fixtures.ts";
import { readingsOf, UNREAD } from "../review/change/readings.ts";
import type { PriorReview } from "../review/context/prior-review.ts";
import { decodeState, encodeState } from "./review-state.ts";

function review(findings: number, word: () => string): PriorReview {
  return {
    runs: [
      {
        base: "a".repeat(40),
        head: "b".repeat(40),
        config: "c",
        readings: { usual: { model: { id: "a:x", head: "b" } }, others: [] },
        files: [],
      },
    ],
    findings: Array.from({ length: findings }, (_, index) => ({
      identity: `id-${index}`,
      number: index + 1,
      path: `src/file-${index}.ts`,
      side: "new" as const,
      startLine: index + 1,
      endLine: index + 1,
      others: [],
      title: `Title ${index}`,
      words: Array.from({ length: 20 }, word),
      severity: "major" as const,
      category: "correctness" as const,
      rule: null,
      source: "model",
      state: index % 2 === 0 ? ("open" as const) : ("verified" as const),
      thread: null,
    })),
  };
}

test("a state comes back as it was, without diffs", () => {
  const left = review(3, () => "word");
  const stored = decodeState(encodeState(left));
  assert.deepEqual(stored, { ...left, runs: left.runs.map((run) => ({ ...run, files: null })) });
});

test("a state that is too long loses words first, and settled findings last", () => {
  const long = encodeState(review(250, () => randomBytes(9).toString("hex")));
  assert.ok(long.length <= 24_000 && /^[\w-]+$/.test(long));
  const stored = decodeState(long);
  assert.ok(stored !== null && stored.findings.length >= 125);
  assert.ok(stored.findings.every(({ words }) => words.length === 0));
  assert.equal(encodeState({ runs: [], findings: [] }), "");
});

test("a state that is still too long keeps the newest findings, and the last run in any case", () => {
  const unlike = (): PriorReview => {
    const left = review(2_000, () => "");
    const findings = left.findings.map((each) => ({ ...each, identity: randomBytes(8).toString("hex") }));
    return { ...left, findings: findings.map((each) => ({ ...each, state: "open" as const })) };
  };
  const text = encodeState(unlike());
  assert.ok(text.length <= 24_000);
  const stored = decodeState(text);
  assert.equal(stored?.runs.length, 1);
  const numbers = stored.findings.map(({ number }) => number);
  assert.ok(numbers.length > 100 && numbers.length < 2_000);
  assert.deepEqual([Math.max(...numbers), Math.min(...numbers)], [2_000, 2_001 - numbers.length]);
});

test("a state that is too long never says that unread code was read", () => {
  const left = review(250, () => randomBytes(9).toString("hex"));
  const read = { model: { id: "a:x", head: "b" } };
  const file = changedFile({ path: "unread.ts", lines: ["+one"] });
  const others = [file.path, ...Array.from({ length: 800 }, () => randomBytes(30).toString("hex"))].map(
    (path) => ({ path, spans: [{ lines: 1, reading: UNREAD }] }),
  );
  const [run = priorRun()] = left.runs;
  const stored = decodeState(encodeState({ ...left, runs: [{ ...run, readings: { usual: read, others } }] }));
  assert.ok(stored !== null && stored.findings.length >= 125);
  const [kept] = stored.runs;
  assert.ok(kept !== undefined);
  assert.deepEqual(readingsOf(file, kept.readings), [UNREAD]);
});

test("a text of another version or a broken one is no state", () => {
  for (const text of ["", "AAAA", Buffer.from("{}").toString("base64url")])
    assert.equal(decodeState(text), null);
});
