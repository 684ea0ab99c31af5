import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { changedFile } from "../../../test/support/analysis-fixtures.ts";
import type { FileMark } from "./analysis.ts";
import { comparePaths, isReviewable, triageFiles, type TriageFile, triageLimits } from "./triage.ts";

const LIMITS = { fileThreshold: 50, fullReviewCount: 30, abbreviatedCount: 20 };

function sources(count: number): readonly TriageFile[] {
  return Array.from({ length: count }, (_, index) => ({ path: `${index}`, risk: index, isReviewable: true }));
}

function countTiers(
  files: readonly TriageFile[],
): readonly [full: number, abbreviated: number, mentioned: number] {
  const tiers = [...triageFiles(files, LIMITS).values()];
  const count = (tier: string): number => tiers.filter((each) => each === tier).length;
  return [count("full"), count("abbreviated"), count("mentioned")];
}

const lockfiles = Array.from({ length: 100 }, (_, index) => ({
  path: `l${index}`,
  risk: 0,
  isReviewable: false,
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

test("the riskiest come first, ties by path", () => {
  const limits = { fileThreshold: 1, fullReviewCount: 2, abbreviatedCount: 1 };
  const files = [
    { path: "b", risk: 5, isReviewable: true },
    { path: "c", risk: 5, isReviewable: true },
    { path: "a", risk: 5, isReviewable: true },
    { path: "z", risk: 9, isReviewable: true },
  ];
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

test("reviewable is what has hunks and is neither marked nor skipped", () => {
  for (const [lines, mark, isSkipped, expected] of REVIEWABLE) {
    const file = changedFile({ path: "a", ...(lines === null ? {} : { lines }) });
    assert.equal(isReviewable(file, { mark, isSkipped }), expected);
  }
});

test("every path has exactly one tier and the limits hold", () => {
  const file = fc.record({ path: fc.string(), risk: fc.nat(100), isReviewable: fc.boolean() });
  const files = fc.uniqueArray(file, { selector: ({ path }) => path, maxLength: 40 });
  const limits = fc.record({
    fileThreshold: fc.integer({ min: 1, max: 20 }),
    fullReviewCount: fc.integer({ min: 1, max: 20 }),
    abbreviatedCount: fc.nat(20),
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
    const isSmall = reviewable.length <= bounds.fileThreshold;
    assert.equal(
      full.length,
      isSmall ? reviewable.length : Math.min(reviewable.length, bounds.fullReviewCount),
    );
    for (const { risk } of others) assert.ok(full.every((each) => each.risk >= risk));
    for (const each of given) if (!each.isReviewable) assert.equal(tiers.get(each.path), "mentioned");
  });
  fc.assert(property);
});

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
    const { fullReviewCount, abbreviatedCount } = triageLimits(files, LIMITS, chunked);
    assert.deepEqual([fullReviewCount, abbreviatedCount], [full, abbreviated]);
  });
}
