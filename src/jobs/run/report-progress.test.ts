import assert from "node:assert/strict";
import { test } from "node:test";
import type { ReviewProgress } from "../review-progress.ts";
import { reportProgress } from "./report-progress.ts";

test("a new turn is reported at once, tool calls within one every five seconds", () => {
  const reported: string[] = [];
  let nowMs = 0;
  const report = reportProgress({ step: async (name) => void reported.push(name) }, () => nowMs);
  const at = (ms: number, progress: ReviewProgress): void => {
    nowMs = ms;
    report(progress);
  };
  const model = {
    kind: "model",
    pass: "review",
    model: "openai:x",
    turn: 1,
    tool: null,
    costUsd: 0,
  } as const;
  at(0, { kind: "rules", doneFiles: 20, totalFiles: 100 });
  at(10, { kind: "rules", doneFiles: 100, totalFiles: 100 });
  at(20, model);
  at(30, { ...model, tool: "read_file", costUsd: 0.25 });
  at(5_030, { ...model, tool: "search_code", costUsd: 0.25 });
  at(5_040, { ...model, turn: 2, costUsd: 0.5 });
  at(5_050, { ...model, turn: 2, pass: "part 2 of 3", costUsd: null });
  at(5_060, { ...model, turn: 2, pass: "part 2 of 3", model: "openai:y", costUsd: null });
  assert.deepEqual(reported, [
    "reviewing: built-in rules, 20 of 100 files",
    "reviewing: openai:x, turn 1, USD 0.00",
    "reviewing: openai:x, turn 1, search_code, USD 0.25",
    "reviewing: openai:x, turn 2, USD 0.50",
    "reviewing: part 2 of 3: openai:x, turn 2",
    "reviewing: part 2 of 3: openai:y, turn 2",
  ]);
});
