import assert from "node:assert/strict";
import { test } from "node:test";
import { configTreeOf } from "../../../test/support/analysis-fixtures.ts";
import type { Model, Outcome } from "../../model/model.ts";
import { NO_OPERATOR_PRICES } from "../../model/prices.ts";
import { createMemorySpending } from "../spending/create-memory-spending.ts";
import { askModel } from "./ask-model.ts";

const OUTCOME: Outcome = {
  kind: "completed",
  stopReason: { kind: "end-of-turn" },
  model: "openai:scripted",
  turns: 1,
  tokens: { input: 1, cachedInput: 0, output: 1 },
  ms: 1,
};

test("each line of the answer is passed on as soon as it is whole, and the last one at the end", async () => {
  const lines: string[] = [];
  const seen: number[] = [];
  const model: Model = {
    id: "openai:scripted",
    async run({ onPiece }) {
      for (const [kind, delta] of [
        ["thinking", "one\n"],
        ["text", "First"],
        ["text", " line\nsecond\nla"],
        ["text", "st"],
      ] as const) {
        onPiece?.({ kind, delta, outputTokens: 1 });
        seen.push(lines.length);
      }
      return OUTCOME;
    },
  };
  const answer = await askModel(
    { pack: "# Change\n", question: "Why?", config: configTreeOf().root.values, model, timeoutMs: 1_000 },
    {
      money: { openSpending: () => createMemorySpending(null), operatorPrices: NO_OPERATOR_PRICES },
      randomWord: () => "0123456789abcdef01234567",
      now: () => 0,
      signal: new AbortController().signal,
      onPiece: () => {},
      onLine: (line) => void lines.push(line),
    },
  );
  assert.deepEqual(seen, [0, 0, 2, 2]);
  assert.deepEqual(lines, ["First line", "second", "last"]);
  assert.equal(answer.text, lines.join("\n"));
});
