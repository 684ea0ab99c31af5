import assert from "node:assert/strict";
import { test } from "node:test";
import { reportProgress } from "./report-progress.ts";

test("a new turn is shown at once, what happens within one now and then", () => {
  const shown: string[] = [];
  let nowMs = 0;
  const show = reportProgress({ step: async (name) => void shown.push(name) }, () => nowMs);
  const at = (ms: number, stage: string): void => {
    nowMs = ms;
    show(stage);
  };
  at(0, "reading");
  at(10, "reading");
  at(20, "openai:x, turn 1, USD 0.00");
  at(30, "openai:x, turn 1, read_file, USD 0.01");
  at(5_030, "openai:x, turn 1, search_code, USD 0.01");
  at(5_040, "openai:x, turn 2, USD 0.02");
  at(5_050, "part 2 of 3, openai:x, turn 2, USD 0.02");
  assert.deepEqual(shown, [
    "reviewing: reading",
    "reviewing: openai:x, turn 1, USD 0.00",
    "reviewing: openai:x, turn 1, search_code, USD 0.01",
    "reviewing: openai:x, turn 2, USD 0.02",
    "reviewing: part 2 of 3, openai:x, turn 2, USD 0.02",
  ]);
});
