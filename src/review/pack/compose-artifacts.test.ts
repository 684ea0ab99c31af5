import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { composeArtifacts, PACK_FILE, type PackReport } from "./compose-artifacts.ts";
import { type ContextPack, PACK_REASONS, type SelectedFile } from "./context-pack.ts";

const REPORT: PackReport = {
  versions: { kodiai: "1" },
  base: null,
  head: "1".repeat(40),
  timings: { listing: 1 },
  warnings: ["history: broken"],
  masked: 3,
};
const PACK: ContextPack = {
  kind: "packed",
  text: "# Change\n",
  tokens: { budget: 100, baseline: 60, final: 70, remaining: 30 },
  changed: ["a\tb.ts"],
  changedOmissions: [{ path: ".env", reason: "filtered:env" }],
  selection: [],
  targets: [{ path: "a\tb.ts", dependencies: 1, dependents: 2, state: "ok" }],
  shown: [],
};

const reason = fc.constantFrom(...PACK_REASONS);
const decided = fc.oneof(
  fc.record({ decision: fc.constant("included" as const), reason: fc.constant(null), tokens: fc.nat() }),
  fc.record({
    decision: fc.constantFrom("reduced" as const, "omitted" as const),
    reason,
    tokens: fc.option(fc.nat()),
  }),
);
const selections: fc.Arbitrary<readonly SelectedFile[]> = fc.array(decided, { maxLength: 30 }).map((rows) =>
  rows.map((row, index) => ({
    path: `src/${index}.ts`,
    rank: index + 1,
    closeness: 1_000 - index,
    signals: { imports: index + 1, names: null, words: null, likeness: null, history: null, question: null },
    relation: "none",
    frequency: 0,
    distance: null,
    ...row,
  })),
);

test("every candidate is in the table, and the counts of the report add up", () => {
  fc.assert(
    fc.property(selections, (selection) => {
      const artifacts = composeArtifacts({ ...PACK, selection }, REPORT);
      const rows = (artifacts.get("pr-context.related.selection.tsv") ?? "").trimEnd().split("\n").slice(1);
      assert.deepEqual(
        rows.map((row) => row.split("\t")[1]),
        selection.map(({ path }) => path),
      );
      const { counts, omissions } = JSON.parse(artifacts.get("pr-context.report.json") ?? "");
      assert.equal(counts.included + counts.reduced + counts.omitted, counts.candidates);
      assert.equal(counts.candidates, selection.length);
      const byReason: readonly number[] = Object.values(counts.byReason);
      assert.equal(
        byReason.reduce((sum, files) => sum + files, 0),
        counts.reduced + counts.omitted + counts.changedOmissions,
      );
      assert.equal(omissions.length, counts.reduced + counts.omitted + counts.changedOmissions);
    }),
  );
});

test("the artifacts have one line per file, in text that stays on its line", () => {
  const artifacts = composeArtifacts(PACK, REPORT);
  assert.deepEqual(
    [...artifacts.keys()],
    [
      PACK_FILE,
      ...["changed.files.txt", "related.files.txt", "omitted.files.txt", "related.omitted.files.txt"].map(
        (name) => `pr-context.${name}`,
      ),
      "pr-context.related.selection.tsv",
      "pr-context.targets.tsv",
      "pr-context.report.json",
    ],
  );
  assert.equal(artifacts.get("pr-context.changed.files.txt"), "a\\tb.ts\n");
  assert.equal(artifacts.get("pr-context.omitted.files.txt"), ".env\tfiltered:env\n");
  assert.equal(
    artifacts.get("pr-context.targets.tsv"),
    "path\tdependencies\tdependents\tstate\na\\tb.ts\t1\t2\tok\n",
  );
  assert.match(artifacts.get("pr-context.report.json") ?? "", /"history: broken"/);
});

test("a core over the budget has every artifact but the pack", () => {
  const artifacts = composeArtifacts({ ...PACK, kind: "core-over-budget", text: "" }, REPORT);
  assert.equal(artifacts.has(PACK_FILE), false);
  assert.equal(artifacts.size, 7);
});
