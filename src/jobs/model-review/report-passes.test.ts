import assert from "node:assert/strict";
import { test } from "node:test";
import type { OutcomeKind } from "../../model/model.ts";
import type { NotebookEntry, NumberedEntry } from "../../tools/notebook.ts";
import { findCutOffUsd, overviewOf } from "./report-passes.ts";

const attempt = (number: number, costUsd: number | null): NumberedEntry => ({
  kind: "outcome",
  number,
  pass: "review",
  step: "full",
  outcome: {
    kind: "completed",
    stopReason: { kind: "finished" },
    model: "a:x",
    turns: 1,
    tokens: { input: 1, cachedInput: 0, output: 1 },
    ms: 1,
  },
  costUsd,
  files: 1,
  shownPaths: [],
  isLast: true,
});

const CASES: readonly (readonly [string, number, readonly (number | null)[], number])[] = [
  ["nothing was spent", 0, [], 0],
  ["every cost is reported", 0.3, [0.1, 0.2], 0],
  ["the process of the only attempt crashed", 0.12, [], 0.12],
  ["the process of an attempt crashed, and another attempt finished", 0.42, [0.3], 0.12],
  ["a price that is not known, and nothing set aside", 0, [null], 0],
  // Each was rounded up to a millionth when it was settled.
  ["amounts below a millionth", 0.000_003, [0.000_000_4, 0.000_001_4], 0],
  // A recording that is played again spends nothing.
  ["less was spent than is reported", 0, [0.2], 0],
];

for (const [name, spentUsd, costs, expected] of CASES)
  test(`cut off: ${name}`, () => {
    const entries = costs.map((cost, index) => attempt(index + 1, cost));
    assert.equal(findCutOffUsd(spentUsd, entries), expected);
  });

function ended(kind: OutcomeKind, pass = "review"): NotebookEntry {
  const entry = attempt(0, 0);
  assert.ok(entry.kind === "outcome");
  return { ...entry, pass, outcome: { ...entry.outcome, kind } };
}
const said = (text: string, pass = "review"): NotebookEntry => ({ kind: "summary", pass, text });

const OVERVIEWS: readonly (readonly [
  name: string,
  entries: readonly NotebookEntry[],
  overview: readonly string[],
])[] = [
  ["what was said at the end", [said("Adds tax."), ended("completed")], ["review: Adds tax."]],
  ["a model that ended without a word", [ended("completed")], []],
  ["an empty word", [said(""), ended("completed")], []],
  ["a model that was cut off", [ended("timed-out")], []],
  ["cut off after its last word", [said("Adds tax."), ended("timed-out")], []],
  ["an attempt whose process crashed has no outcome", [said("Adds tax.")], []],
  [
    "after a crash, the summary of the later attempt counts",
    [said("Crashed."), said("Adds tax."), ended("completed")],
    ["review: Adds tax."],
  ],
  ["one attempt crashed, the next was cut off", [said("Crashed."), ended("failed")], []],
  [
    "after a failure, who came to the end",
    [ended("failed"), said("Adds tax."), ended("completed")],
    ["review: Adds tax."],
  ],
  [
    "who has the last word and was cut off takes it from the one before",
    [said("Half."), ended("completed"), ended("timed-out")],
    [],
  ],
  [
    "parts in their order, those without a word left out",
    [
      said("Adds tax.", "part 1 of 3"),
      ended("completed", "part 1 of 3"),
      ended("failed", "part 2 of 3"),
      said("Shows it.", "part 3 of 3"),
      ended("completed", "part 3 of 3"),
    ],
    ["part 1 of 3: Adds tax.", "part 3 of 3: Shows it."],
  ],
];

for (const [name, entries, expected] of OVERVIEWS)
  test(`overview: ${name}`, () => {
    const overview = overviewOf(entries.map((entry, index) => ({ ...entry, number: index + 1 })));
    assert.deepEqual(
      overview.map(({ pass, text }) => `${pass}: ${text}`),
      expected,
    );
  });
