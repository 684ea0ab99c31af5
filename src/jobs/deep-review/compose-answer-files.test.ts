import assert from "node:assert/strict";
import { test } from "node:test";
import type { Outcome } from "../../model/model.ts";
import { composeAnswerFiles, describeAnswerUsage } from "./compose-answer-files.ts";
import { type AnswerState, type DeepAnswer, stateOf } from "./deep-answer.ts";

const OUTCOME: Outcome = {
  kind: "completed",
  stopReason: { kind: "end-of-turn" },
  model: "openai:gpt-5",
  turns: 1,
  tokens: { input: 120_000, cachedInput: 1_000, output: 4_000 },
  ms: 61_400,
};

const FACTS = {
  question: "Is it safe?",
  style: { effort: "high", verbosity: "low", summary: "auto" },
  version: "1.0.0",
  citations: null,
  pack: { base: "b".repeat(40), head: "a".repeat(40), tokens: 110_000, chars: 400_000 },
} as const;

const answerOf = (outcome: Partial<Outcome>, text = "Yes.\n"): DeepAnswer => ({
  text,
  thinking: "Hm.",
  outcome: { ...OUTCOME, ...outcome },
  costUsd: 0.19,
});

const CASES: readonly (readonly [Partial<Outcome>, string, AnswerState, string | undefined])[] = [
  [{}, "Yes.\n", "complete", "Yes.\n"],
  [
    { kind: "failed", stopReason: { kind: "output-limit" } },
    "Yes",
    "truncated",
    "> Truncated: hit the output limit.\n\nYes\n",
  ],
  [{ kind: "failed", stopReason: { kind: "output-limit" } }, " ", "failed", undefined],
  [
    { kind: "stopped", stopReason: { kind: "interrupted" } },
    "Ye",
    "stopped",
    "> Incomplete: interrupted by the user.\n\nYe\n",
  ],
  [
    { kind: "timed-out", stopReason: { kind: "deadline" } },
    "Ye",
    "failed",
    "> Incomplete: hit the time limit.\n\nYe\n",
  ],
  [{ kind: "failed", stopReason: { kind: "connection-lost" } }, "", "failed", undefined],
];

test("an answer that isn't complete is marked, and one that isn't there has no file", () => {
  for (const [outcome, text, state, file] of CASES) {
    const answer = answerOf(outcome, text);
    const files = composeAnswerFiles(answer, FACTS);
    assert.equal(stateOf(answer), state);
    assert.equal(files.get("answer.md"), file);
    assert.equal(files.get("thinking.md"), "Hm.\n");
    assert.partialDeepStrictEqual(JSON.parse(files.get("metadata.json") ?? ""), { state, pack: FACTS.pack });
    assert.match(
      files.get("report.md") ?? "",
      /# Deep review[\s\S]+Is it safe\?[\s\S]+110,000 tokens, b+ to a+/,
    );
  }
});

test("hostile text of a model can't control a terminal that shows the files", () => {
  const hostile = "a\u001b]52;c;eA==\u0007\u202eb\r\nc\u0000";
  const files = composeAnswerFiles(
    { ...answerOf({}, hostile), thinking: hostile },
    { ...FACTS, question: hostile },
  );
  for (const [name, text] of files) assert.doesNotMatch(text, /[\u0000-\u0009\u000b-\u001f\u202e]/, name);
  assert.match(files.get("answer.md") ?? "", /^a\\x1b\]52;c;eA==\\x07\\u\{202e\}b\nc\\x00\n$/);
});

test("usage and cost are one line", () => {
  const { outcome, costUsd } = answerOf({});
  assert.equal(
    describeAnswerUsage({ ...outcome, costUsd }),
    "openai:gpt-5, 120,000 input tokens (1,000 cached), 4,000 output tokens, USD 0.19, 61 s",
  );
});
