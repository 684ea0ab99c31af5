import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReviewThread } from "../../forge/forge.ts";
import type { LedgerFinding } from "../../store/repositories/findings.ts";
import { collectSignals } from "./collect-signals.ts";

const URL = "https://example.org/octo/cat/pull/5";
const PULL_REQUEST = {
  number: 5,
  url: URL,
  author: { login: "ada", isBot: false },
  mergedAt: null,
  mergedBy: null,
};
const BEN = { login: "ben", isBot: false };
const REASON = "The cache is warm here by contract.";

// A test double: only these fields are read.
const FINDING = {
  identity: "one",
  path: "src/a.ts",
  title: "The cache may be cold",
  category: "correctness",
  rule: null,
  state: "open",
  verdict: null,
  isSuggestionCommitted: false,
} as LedgerFinding;

/** Ben's signals and words after these replies, with a thumbs-down or without one. */
function wordsAfter(bodies: readonly string[], isRejected = true): readonly string[] {
  const thread: ReviewThread = {
    id: "thread",
    findingId: "one",
    otherIds: [],
    url: URL,
    root: 7,
    isResolved: false,
    resolvedBy: null,
    isOutdated: false,
    hasReply: true,
    reactions: isRejected ? [{ person: BEN, content: "-1", at: 9 }] : [],
    replies: bodies.map((body, index) => ({ author: BEN, body, url: `${URL}#r${index}`, at: index + 1 })),
  };
  const sources = { pullRequest: PULL_REQUEST, findings: [FINDING], threads: [thread], readings: [] };
  return collectSignals({ ...sources, mention: "@kodiai", now: 10 }).map(
    ({ signal, words }) => `${signal}: ${words}`,
  );
}

test("the reason of a thumbs-down is the person's explanation, not what they say around it", () => {
  for (const [what, bodies, expected] of [
    ["an explanation", [REASON], REASON],
    ["small talk after it", [REASON, "I merge this after lunch then."], REASON],
    ["a short remark before it", ["Hm.", REASON], REASON],
    ["an order to Kodiai", ["@kodiai review the whole file again please"], ""],
    ["a question to Kodiai after it", [REASON, "@kodiai explain why that could ever fail"], REASON],
    ["a quote and an explanation", [`> it may be cold\n\n${REASON}`], REASON],
  ] as const)
    assert.deepEqual(wordsAfter(bodies), [`thumbs-down: ${expected}`], what);
});

test("a verdict without a reason takes the explanation that follows, and agreement ends all reasons", () => {
  assert.deepEqual(wordsAfter(["No.", REASON], false), [`disagrees: ${REASON}`]);
  assert.deepEqual(wordsAfter([REASON, "No."], false), ["disagrees: No."]);
  assert.deepEqual(wordsAfter([REASON, "You're right, fixed."], false), ["agrees: You're right, fixed."]);
  assert.deepEqual(wordsAfter([REASON, "You're right, fixed."]), [
    "thumbs-down: ",
    "agrees: You're right, fixed.",
  ]);
});
