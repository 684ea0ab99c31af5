import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { learningOf } from "../../test/support/memory-fixtures.ts";
import type { Learning } from "../review/context/learning.ts";
import { rankLearnings } from "./rank-learnings.ts";

const NOW = 1_000;

function ranked(
  learnings: readonly Partial<Learning>[],
  paths: readonly string[] = ["src/a.ts"],
): readonly string[] {
  return rankLearnings(learnings.map(learningOf), { paths, now: NOW }).map(({ text }) => text);
}

const CASES: readonly (readonly [
  name: string,
  given: readonly Partial<Learning>[],
  expected: readonly string[],
])[] = [
  ["none", [], []],
  [
    "the most certain first",
    [
      { text: "a", confidence: 0.3 },
      { text: "b", confidence: 0.9 },
      { text: "c", confidence: 0.5 },
    ],
    ["b", "c", "a"],
  ],
  [
    "then the last used, then the most used",
    [
      { text: "a", uses: 9 },
      { text: "b", uses: 1, lastUsedAt: 5 },
      { text: "c", uses: 2, lastUsedAt: 5 },
      { text: "d", uses: 1, lastUsedAt: 6 },
    ],
    ["d", "c", "b", "a"],
  ],
  [
    "expired ones don't apply",
    [
      { text: "a", expiresAt: NOW },
      { text: "b", expiresAt: NOW + 1 },
    ],
    ["b"],
  ],
  [
    "only those for the changed files",
    [
      { text: "a", paths: ["lib/**"] },
      { text: "b", paths: ["lib/**", "src/**"] },
      { text: "c", paths: ["*.ts"] },
    ],
    ["b", "c"],
  ],
  [
    "the same text once",
    [
      { text: "a", confidence: 0.3 },
      { text: "a", confidence: 0.9 },
    ],
    ["a"],
  ],
];

for (const [name, given, expected] of CASES)
  test(`learnings: ${name}`, () => assert.deepEqual(ranked(given), expected));

test("learnings: at most 20 and 2,000 characters, whatever there is", () => {
  const learning = fc.record({
    text: fc.string({ minLength: 1, maxLength: 500 }),
    confidence: fc.double({ min: 0, max: 1, noNaN: true }),
    paths: fc.constantFrom<readonly string[]>([], ["src/**"], ["x".repeat(250)]),
  });
  fc.assert(
    fc.property(fc.array(learning, { maxLength: 60 }), (given) => {
      const texts = ranked(given);
      assert.ok(texts.length <= 20);
      assert.ok(texts.join("").length <= 2_000);
    }),
  );
  const short = ranked(Array.from({ length: 30 }, (_, index) => ({ text: `t${index}` })));
  assert.equal(short.length, 20);
});
