import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { changedFile, configOf } from "../../../test/support/analysis-fixtures.ts";
import type { FileMark } from "./analysis.ts";
import {
  comparePaths,
  countDiffTokens,
  isReviewable,
  triageFiles,
  type TriageFile,
  type TriageLimits,
  triageLimits,
} from "./triage.ts";

const LIMITS: TriageLimits = { unit: "files", untriaged: 50, full: 30, abbreviated: 20 };

function sources(count: number): readonly TriageFile[] {
  return Array.from({ length: count }, (_, index) => ({
    path: `${index}`,
    risk: index,
    isReviewable: true,
    tokens: 9,
  }));
}

function countTiers(
  files: readonly TriageFile[],
  limits = LIMITS,
): readonly [full: number, abbreviated: number, mentioned: number] {
  const tiers = [...triageFiles(files, limits).values()];
  const count = (tier: string): number => tiers.filter((each) => each === tier).length;
  return [count("full"), count("abbreviated"), count("mentioned")];
}

const lockfiles = Array.from({ length: 100 }, (_, index) => ({
  path: `l${index}`,
  risk: 0,
  isReviewable: false,
  tokens: 9,
}));
const COUNTS: readonly [what: string, files: readonly TriageFile[], tiers: readonly number[]][] = [
  ["empty", [], [0, 0, 0]],
  ["at the threshold", sources(50), [50, 0, 0]],
  ["above it", sources(51), [30, 20, 1]],
  ["far above it", sources(200), [30, 20, 150]],
  ["unreviewable files do not count", [...lockfiles, ...sources(50)], [50, 0, 100]],
  ["nor do they take a place", [...lockfiles, ...sources(51)], [30, 20, 101]],
];

test("tiers are filled by rank", () => {
  for (const [what, files, tiers] of COUNTS) assert.deepEqual(countTiers(files), tiers, what);
});

test("the riskiest files come first, ties are ordered by path", () => {
  const limits: TriageLimits = { unit: "files", untriaged: 1, full: 2, abbreviated: 1 };
  const risks = { b: 5, c: 5, a: 5, z: 9 };
  const files = Object.entries(risks).map(([path, risk]) => ({ path, risk, isReviewable: true, tokens: 9 }));
  assert.deepEqual(Object.fromEntries(triageFiles(files, limits)), {
    z: "full",
    a: "full",
    b: "abbreviated",
    c: "mentioned",
  });
});

test("paths are ordered like their bytes", () => {
  const property = fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (a, b) => {
    assert.equal(Math.sign(comparePaths(a, b)), Buffer.compare(Buffer.from(a), Buffer.from(b)));
  });
  fc.assert(property, { examples: [["\u{1f600}", "\ufffd"]] });
});

const REVIEWABLE: readonly [
  lines: readonly string[] | null,
  mark: FileMark | null,
  isSkipped: boolean,
  is: boolean,
][] = [
  [["+a"], null, false, true],
  [["+a"], "generated", false, false],
  [["+a"], null, true, false],
  [null, null, false, false],
];

test("a file is reviewable when it has hunks and is neither marked nor skipped", () => {
  for (const [lines, mark, isSkipped, expected] of REVIEWABLE) {
    const file = changedFile({ path: "a", ...(lines === null ? {} : { lines }) });
    assert.equal(isReviewable(file, { mark, isSkipped }), expected);
  }
});

test("every path has exactly one tier and the limits hold", () => {
  const file = fc.record({
    path: fc.string(),
    risk: fc.nat(100),
    isReviewable: fc.boolean(),
    tokens: fc.nat(9),
  });
  const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 40 });
  const limits = fc.record({
    unit: fc.constantFrom("files", "tokens"),
    untriaged: fc.integer({ min: 1, max: 20 }),
    full: fc.integer({ min: 1, max: 20 }),
    abbreviated: fc.nat(20),
  });
  const property = fc.property(files, limits, (given, bounds) => {
    const tiers = triageFiles(given, bounds);
    assert.deepEqual(
      [...tiers.keys()],
      given.map(({ path }) => path),
    );
    const reviewable = given.filter((each) => each.isReviewable);
    const full = reviewable.filter(({ path }) => tiers.get(path) === "full");
    const others = reviewable.filter(({ path }) => tiers.get(path) !== "full");
    const weigh = (some: readonly TriageFile[]): number =>
      bounds.unit === "files" ? some.length : some.reduce((sum, { tokens: more }) => sum + more, 0);
    if (weigh(reviewable) <= bounds.untriaged) assert.equal(full.length, reviewable.length);
    else assert.ok(weigh(full) <= bounds.full);
    const read = given.filter(({ path }) => tiers.get(path) !== "mentioned");
    assert.ok(weigh(read) <= Math.max(bounds.untriaged, bounds.full + bounds.abbreviated));
    for (const { risk } of others) assert.ok(full.every((each) => each.risk >= risk));
    for (const each of given) if (!each.isReviewable) assert.equal(tiers.get(each.path), "mentioned");
  });
  fc.assert(property);
});

const BY_DEFAULT = triageLimits(1, configOf().values.largePR, configOf().values.review.chunked);

function weighing(tokens: readonly number[]): readonly TriageFile[] {
  return tokens.map((each, index) => ({
    path: `${index}`,
    risk: 100 - index,
    isReviewable: true,
    tokens: each,
  }));
}

test("by default files are weighed, not counted", () => {
  assert.deepEqual(BY_DEFAULT, { unit: "tokens", untriaged: 60_000, full: 60_000, abbreviated: 40_000 });
  const tiers = (tokens: readonly number[]) => countTiers(weighing(tokens), BY_DEFAULT);
  assert.deepEqual(tiers(Array(600).fill(100)), [600, 0, 0]);
  assert.deepEqual(tiers(Array(601).fill(100)), [600, 1, 0]);
  assert.deepEqual(tiers(Array(1_100).fill(100)), [600, 400, 100]);
});

test("one giant file doesn't displace the others", () => {
  const giant = changedFile({ path: "a", lines: Array(20_000).fill(`+${"x".repeat(100)}`) });
  assert.equal(countDiffTokens(giant), 15_000);
  assert.deepEqual(
    countTiers(weighing([countDiffTokens(giant), ...Array(45).fill(1_000)]), BY_DEFAULT),
    [46, 0, 0],
  );
});

test("tokens depend on the script: a Chinese line takes more than an English one", () => {
  const of = (text: string): number => countDiffTokens(changedFile({ path: "a", lines: [`+${text}`] }));
  assert.ok(of("错".repeat(1_000)) > 4 * of("x".repeat(1_000)));
});

for (const [written, limits] of [
  [{ fileThreshold: 80 }, [80, 30, 20]],
  [{ fullReviewCount: 5 }, [50, 5, 20]],
  [{ abbreviatedCount: 0, fullReviewTokens: 9_000 }, [50, 30, 0]],
] as const)
  test(`numbers of files in the configuration still count files: ${JSON.stringify(written)}`, () => {
    const { values } = configOf({ largePR: written });
    const { unit, untriaged, full, abbreviated } = triageLimits(1_000, values.largePR, values.review.chunked);
    assert.deepEqual([unit, untriaged, full, abbreviated], ["files", ...limits]);
  });

test("several passes read several times as many tokens", () => {
  const { largePR } = configOf().values;
  assert.deepEqual(triageLimits(101, largePR, CHUNKED), {
    unit: "tokens",
    untriaged: 60_000,
    full: 180_000,
    abbreviated: 0,
  });
});

const COUNTED = configOf({ largePR: { fileThreshold: 50 } }).values.largePR;
const CHUNKED = { enabled: true, threshold: 100, maxChunks: 3, filesPerChunk: 30, minSeconds: 120 };
const ROOM: readonly [what: string, files: number, chunked: typeof CHUNKED, limits: readonly number[]][] = [
  ["off", 150, { ...CHUNKED, enabled: false }, [30, 20]],
  ["at the threshold", 100, CHUNKED, [30, 20]],
  ["three passes of thirty", 101, CHUNKED, [90, 0]],
  ["passes that read less than one would", 150, { ...CHUNKED, maxChunks: 2, filesPerChunk: 5 }, [30, 20]],
  ["a little more than the riskiest", 150, { ...CHUNKED, maxChunks: 2, filesPerChunk: 20 }, [40, 10]],
];

for (const [what, files, chunked, [full, abbreviated]] of ROOM) {
  test(`several passes read more: ${what}`, () => {
    const limits = triageLimits(files, COUNTED, chunked);
    assert.deepEqual([limits.full, limits.abbreviated], [full, abbreviated]);
  });
}
