/** Pairs findings with known answers; an exhaustive search agrees on small cases. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { createChance } from "../../../test/support/chance.ts";
import { answer, evaluated } from "../../../test/support/evaluation-fixtures.ts";
import { assign } from "./assign.ts";
import { distanceOf, matchFindings, topicOverlap } from "./match-findings.ts";

const CASES = 10_000;

const SENTENCES = [
  "The loop reads one item past the end.",
  "The promise isn't awaited, so its rejection is lost.",
  "`userId` reaches the SQL query without escaping.",
  "The condition is inverted.",
  "The file handle is never closed.",
];
const PATHS = ["src/a.ts", "src/b.ts"];

type Side = "new" | "old";

function drawCase(seed: number) {
  const chance = createChance(seed);
  const lines = (): [number, number] | null => {
    if (chance.below(5) === 0) return null;
    const first = 1 + chance.below(9);
    return [first, first + chance.below(3)];
  };
  const side = (): Side => (chance.below(6) === 0 ? "old" : "new");
  const answers = Array.from({ length: chance.below(5) }, (_, at) =>
    answer({
      id: `${at}`,
      path: chance.below(6) === 0 ? null : (chance.of(PATHS) ?? null),
      side: side(),
      lines: lines(),
      sentence: chance.of(SENTENCES) ?? "",
    }),
  );
  const findings = Array.from({ length: chance.below(5) }, () =>
    evaluated({
      path: chance.of(PATHS) ?? "",
      side: side(),
      lines: lines(),
      title: chance.of(SENTENCES) ?? "",
    }),
  );
  return { answers, findings };
}

/** The most pairs that are possible, by trying everything. */
function mostPairs(allowed: readonly (readonly boolean[])[], row = 0, used: readonly number[] = []): number {
  if (row === allowed.length) return 0;
  const without = mostPairs(allowed, row + 1, used);
  const choices = (allowed[row] ?? []).flatMap((can, column) =>
    can && !used.includes(column) ? [column] : [],
  );
  return Math.max(without, ...choices.map((column) => 1 + mostPairs(allowed, row + 1, [...used, column])));
}

test("no assignment pairs more, in 10,000 small cases: by place, and then by topic", () => {
  let [placed, topical] = [0, 0];
  for (let seed = 1; seed <= CASES; seed++) {
    const { answers, findings } = drawCase(seed);
    const matches = matchFindings(answers, findings);
    assert.equal(
      new Set(matches.map(({ answer: at }) => at)).size,
      matches.length,
      `${seed}: an answer twice`,
    );
    assert.equal(
      new Set(matches.map(({ finding: at }) => at)).size,
      matches.length,
      `${seed}: a finding twice`,
    );
    const byPlace = matches.filter(({ by }) => by === "place");
    const near = answers.map((one) => findings.map((other) => distanceOf(one, other) !== null));
    assert.equal(byPlace.length, mostPairs(near), `${seed}: by place`);
    const [saidAnswers, usedFindings] = [
      new Set(byPlace.map((each) => each.answer)),
      new Set(byPlace.map((each) => each.finding)),
    ];
    const alike = answers.map((one, at) =>
      findings.map(
        (other, index) =>
          !saidAnswers.has(at) &&
          !usedFindings.has(index) &&
          (one.path === null || one.path === other.path) &&
          topicOverlap(one, other) !== null,
      ),
    );
    const byTopic = matches.filter(({ by }) => by === "topic");
    assert.equal(byTopic.length, mostPairs(alike), `${seed}: by topic`);
    for (const { answer: at, finding } of byPlace) assert.ok(near[at]?.[finding], `${seed}: too far`);
    for (const { answer: at, finding } of byTopic) assert.ok(alike[at]?.[finding], `${seed}: another topic`);
    placed += byPlace.length;
    topical += byTopic.length;
  }
  assert.ok(placed > CASES / 10 && topical > CASES / 10, "the cases are no test");
});

function bestSum(weights: readonly (readonly number[])[], row = 0, used: readonly number[] = []): number {
  if (row === weights.length) return 0;
  const taken = (weights[row] ?? []).map((weight, column) =>
    weight === 0 || used.includes(column) ? 0 : weight + bestSum(weights, row + 1, [...used, column]),
  );
  return Math.max(bestSum(weights, row + 1, used), ...taken);
}

test("an assignment has the largest sum, in 10,000 small tables", () => {
  for (let seed = 1; seed <= CASES; seed++) {
    const chance = createChance(seed);
    const columns = chance.below(5);
    const weights = Array.from({ length: chance.below(5) }, () =>
      Array.from({ length: columns }, () => Math.max(0, chance.below(12) - 3)),
    );
    const assigned = assign(weights);
    const sum = assigned.reduce<number>(
      (total, column, row) => total + (weights[row]?.[column ?? -1] ?? 0),
      0,
    );
    assert.equal(sum, bestSum(weights), `${seed}: ${JSON.stringify(weights)}`);
    const partners = assigned.filter((column) => column !== null);
    assert.equal(new Set(partners).size, partners.length);
  }
});

test("the nearest pair doesn't take another answer's only finding", () => {
  const answers = [answer({ id: "a", lines: [10, 10] }), answer({ id: "b", lines: [13, 13] })];
  // Greedy: 12 is nearest to b by one line, and a would be left with nothing.
  const findings = [evaluated({ lines: [12, 12] }), evaluated({ lines: [15, 15] })];
  assert.deepEqual(
    matchFindings(answers, findings).map(({ answer: at, finding }) => [at, finding]),
    [
      [0, 0],
      [1, 1],
    ],
  );
});

const NEAR: readonly (readonly [name: string, lines: [number, number], side: Side, by: string | null])[] = [
  ["three lines below", [13, 13], "new", "place"],
  ["three lines above", [5, 7], "new", "place"],
  ["around it", [1, 40], "new", "place"],
  ["four lines below", [14, 14], "new", null],
  ["on the other side", [10, 10], "old", null],
];

for (const [name, lines, side, by] of NEAR)
  test(`a finding in other words ${name} is ${by === null ? "no answer" : "an answer"}`, () => {
    const [match] = matchFindings([answer()], [evaluated({ title: "Rename this variable", lines, side })]);
    assert.equal(match?.by ?? null, by);
  });

test("far from the lines, the same words in the same file are an answer, and in another file aren't", () => {
  assert.equal(matchFindings([answer()], [evaluated({ lines: [90, 90] })])[0]?.by, "topic");
  assert.deepEqual(matchFindings([answer()], [evaluated({ path: "src/other.ts" })]), []);
  assert.equal(
    matchFindings([answer({ path: null, lines: null })], [evaluated({ path: "src/other.ts" })])[0]?.by,
    "topic",
  );
});
