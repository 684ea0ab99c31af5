import assert from "node:assert/strict";
import { test } from "node:test";
import { fileAnalysis } from "../../test/support/analysis-fixtures.ts";
import { findingOf } from "../../test/support/findings-fixtures.ts";
import { memoryOf } from "../../test/support/memory-fixtures.ts";
import { measureRetrieval } from "./measure-retrieval.ts";

const RETRIEVAL = { outcome: "complete", embeddings: "local", candidates: 9, ms: 12 } as const;
const analysis = { files: [fileAnalysis({ path: "a.ts", language: "typescript" })] };

test("the figures count related languages, known distances, and problems that were found again", () => {
  const memories = [
    memoryOf({ title: "Result of `load` ignored", language: "javascript", distance: 0.2 }),
    memoryOf({ title: "Other", language: "go", distance: null }),
  ];
  const findings = [
    findingOf({ title: "Result of `save` ignored", category: memories[0]?.category ?? "style" }),
  ];
  assert.deepEqual(measureRetrieval({ retrieval: RETRIEVAL, memories, analysis, findings }), {
    outcome: "found",
    embeddings: "local",
    candidates: 9,
    shown: 2,
    sameLanguage: 1,
    distances: [0.2],
    recurred: 1,
    ms: 12,
  });
  for (const [outcome, expected] of [
    ["complete", "nothing"],
    ["words-only", "words-only"],
    ["failed", "failed"],
  ] as const) {
    const nothing = { retrieval: { ...RETRIEVAL, outcome }, memories: [], analysis, findings };
    assert.equal(measureRetrieval(nothing).outcome, expected);
  }
});
