import assert from "node:assert/strict";
import { test } from "node:test";
import { crc32 } from "node:zlib";
import * as fc from "fast-check";
import type { ChangedFile } from "../review/change/change.ts";
import { decideScope, placesSince } from "../review/context/decide-scope.ts";
import { type PriorFinding, PriorReview } from "../review/context/prior-review.ts";
import { locatePrior } from "../review/findings/match-prior.ts";
import { parseReview, type RememberedReview, stringifyReview } from "./stored-review.ts";

const VERSION = "2+1.0.0";

const FILE: ChangedFile = {
  path: "src/a.ts",
  oldPath: "src/a.ts",
  status: "modified",
  oldMode: "100644",
  newMode: "100644",
  oldBlob: "a".repeat(40),
  newBlob: null,
  addedLines: 2,
  removedLines: 1,
  hunks: [{ oldStart: 1, newStart: 1, section: "", lines: [" {", "-old", "+new", "+newer", " }"] }],
  unreadable: null,
  cutLines: [2],
};

const PLACE = { side: "new", startLine: 2, endLine: 3 } as const;

const FINDING: PriorFinding = {
  identity: "1234",
  number: 1,
  path: "src/a.ts",
  ...PLACE,
  others: [{ identity: "5678", ...PLACE }],
  title: "A title",
  words: ["title^", "~word"],
  severity: "major",
  category: "correctness",
  rule: "empty-catch",
  source: "floor",
  state: "open",
  verdict: { by: "ada", reason: "" },
  thread: { id: "1", url: "", isResolved: false, isResolvedByPerson: false, isReplied: true },
};

const READING = { rules: "uncommitted", model: { id: "model", head: "uncommitted" } };

const STORED: RememberedReview = {
  runs: [
    {
      base: "b",
      head: "h",
      config: "c",
      readings: { usual: READING, others: [{ path: "src/a.ts", spans: [{ lines: 3, reading: READING }] }] },
      files: [0, 1],
    },
    { base: "b", head: "g", config: "c", readings: { usual: READING, others: [] }, files: null },
  ],
  findings: [FINDING, { ...FINDING, number: 2, others: [], rule: null, thread: null }],
  files: [FILE, { ...FILE, path: "logo.png", oldPath: null, hunks: [], unreadable: "binary" }],
};

/** A memory with this body and a checksum that matches it. */
function forge(body: string, version = VERSION): string {
  return `{"version":${JSON.stringify(version)},"checksum":${crc32(body)},"body":${body}}`;
}

/** Returns the earlier review as the next one gets it. */
function priorOf({ runs, findings, files }: RememberedReview): PriorReview {
  const at = (index: number): readonly ChangedFile[] => files.slice(index, index + 1);
  return { runs: runs.map((run) => ({ ...run, files: run.files?.flatMap(at) ?? null })), findings };
}

/** Every way to a value inside a value. */
function pathsIn(value: unknown): readonly (readonly string[])[] {
  if (typeof value !== "object" || value === null) return [[]];
  return [
    [],
    ...Object.entries(value).flatMap(([key, inner]) => pathsIn(inner).map((rest) => [key, ...rest])),
  ];
}

/** The value with another one, or with nothing, at the end of a path. */
function replaceAt(value: unknown, [key, ...rest]: readonly string[], by: unknown): unknown {
  if (key === undefined) return by;
  const replaced = (inner: unknown) => replaceAt(inner, rest, by);
  if (Array.isArray(value))
    return value.map((inner: unknown, index) => (String(index) === key ? replaced(inner) : inner));
  return Object.fromEntries(
    Object.entries(value ?? {}).map(([name, inner]) => [name, name === key ? replaced(inner) : inner]),
  );
}

/** JSON has numbers that JavaScript can't write. */
const HUGE = "a number without end";

const REPLACEMENTS: readonly unknown[] = [
  undefined,
  null,
  true,
  "",
  "x",
  "__proto__",
  [],
  {},
  [null],
  [[]],
  { length: 1 },
  -1,
  0,
  0.5,
  1,
  7,
  20_001,
  140_002,
  2 ** 31,
  2 ** 53,
  1e300,
  HUGE,
  [0, 0],
  [1_000_000],
  ["+line"],
  ["no sign"],
  Array.from({ length: 6 }, () => STORED.runs[1]),
];

test("a stored review is read as it was written", () => {
  assert.deepEqual(parseReview(stringifyReview(STORED, VERSION), VERSION), { kind: "read", stored: STORED });
  assert.deepEqual(parseReview(stringifyReview(STORED, "1+1.0.0"), VERSION), { kind: "other-version" });
  const empty = { runs: [], findings: [], files: [] };
  assert.deepEqual(parseReview(stringifyReview(empty, VERSION), VERSION), { kind: "read", stored: empty });
});

test("a forged review is read only if it has the shape that the core expects; nothing throws", () => {
  const files = [
    { ...FILE, hunks: FILE.hunks.map((hunk) => ({ ...hunk, lines: ["+newer", ...hunk.lines] })) },
  ];
  const seen = new Set<string>();
  const where = fc.constantFrom(...pathsIn(STORED));
  const mutations = fc.array(fc.tuple(where, fc.constantFrom(...REPLACEMENTS)), {
    minLength: 1,
    maxLength: 3,
  });
  fc.assert(
    fc.property(mutations, (all) => {
      const forged = all.reduce<unknown>((value, [path, by]) => replaceAt(value, path, by), STORED);
      const body = (JSON.stringify(forged) ?? "").replaceAll(JSON.stringify(HUGE), "1e999");
      const parsed = parseReview(forge(body), VERSION);
      seen.add(parsed.kind);
      if (parsed.kind !== "read") return;
      const prior = priorOf(parsed.stored);
      assert.ok(PriorReview.safeParse(prior).success, body);
      decideScope({ files, prior, isFull: false, config: "c" });
      locatePrior(prior, placesSince(files, prior));
    }),
    { numRuns: 5_000 },
  );
  assert.deepEqual([...seen].toSorted(), ["broken", "read"]);
});

test("a small review that would grow to a large one is broken", () => {
  const span = { lines: 10_000, reading: READING };
  const [run] = STORED.runs;
  const cases: readonly (readonly [name: string, path: string, by: unknown])[] = [
    [
      "more lines read than a diff has",
      "runs/0/readings/others/0/spans",
      [span, span, { ...span, lines: 1 }],
    ],
    ["a finding with more lines than a diff has", "findings/0/endLine", 140_003],
    ["another place with more lines than a diff has", "findings/0/others/0/endLine", 140_003],
    ["the same file many times", "runs/0/files", [0, 0]],
    ["a file that isn't stored", "runs/0/files", [0, 2]],
    ["more runs than are kept", "runs", Array.from({ length: 6 }, () => run)],
  ];
  for (const [name, path, by] of cases) {
    const body = JSON.stringify(replaceAt(STORED, path.split("/"), by));
    assert.deepEqual(parseReview(forge(body), VERSION), { kind: "broken" }, name);
  }
});

test("any text in place of a memory is broken or of another version", () => {
  const good = stringifyReview(STORED, VERSION);
  const deep = 200_000;
  const bodies = [
    "",
    "null",
    "[]",
    "{",
    "1e999",
    '"text"',
    '{"runs":[],"findings":[]}',
    '{"__proto__":{"runs":[]}}',
    "[".repeat(deep),
    "[".repeat(deep) + "]".repeat(deep),
    '{"runs":'.repeat(deep),
    `{"runs":[],"files":[],"findings":${"[".repeat(deep)}${"]".repeat(deep)}}`,
  ];
  for (const body of bodies)
    assert.deepEqual(parseReview(forge(body), VERSION), { kind: "broken" }, body.slice(0, 80));
  const text = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.nat(good.length).map((length) => good.slice(0, length)),
    fc
      .tuple(fc.nat(good.length), fc.string())
      .map(([at, more]) => good.slice(0, at) + more + good.slice(at + 1)),
  );
  fc.assert(
    fc.property(text, (any) => {
      assert.ok(any === good || parseReview(any, VERSION).kind !== "read");
    }),
    { numRuns: 1_000 },
  );
});
