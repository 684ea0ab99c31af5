import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { rankInputOf, type RankSample } from "../../../../test/support/rank-sample.ts";
import { rankCandidates } from "./rank-candidates.ts";
import type { RankInput } from "./rank-input.ts";
import { RANKERS } from "./ranked-file.ts";

const rank = (sample: RankSample) => rankCandidates(rankInputOf(sample));
const pathsOf = (sample: RankSample): readonly string[] => rank(sample).map(({ path }) => path);

/** Twelve files that have nothing to do with the change. */
const OTHERS = Array.from({ length: 12 }, (_, index) => `m${index}/n${index}.go`);

const LIKE = "driver postgres connect upsert";

test("each ranker alone moves a file from the end to the top", () => {
  const last = "zz/zz.go";
  const files = ["a/b.go", ...OTHERS, last];
  const base = { files, changed: ["a/b.go"] };
  assert.equal(pathsOf(base).at(-1), last);
  const texts = Object.fromEntries(OTHERS.map((path) => [path, "something else entirely"]));
  const moved: Readonly<Record<string, RankSample>> = {
    imports: { ...base, edges: [`a/b.go ${last}`] },
    names: { ...base, files: files.map((path) => (path === last ? "zz/b_test.go" : path)) },
    words: { ...base, words: { checkout: 1 }, texts: { ...texts, [last]: "call checkout here" } },
    likeness: { ...base, texts: { ...texts, "a/b.go": LIKE, [last]: LIKE } },
    history: { ...base, commits: [`a/b.go ${last}`, "a/b.go m1/n1.go m2/n2.go"] },
    question: {
      ...base,
      question: "What happens to checkout()?",
      texts: { ...texts, [last]: "call checkout here" },
    },
  };
  for (const ranker of RANKERS) {
    const [first] = rank(moved[ranker] ?? base);
    assert.match(first?.path ?? "", /^zz/, ranker);
    assert.equal(first?.signals[ranker], 1, ranker);
    for (const other of RANKERS) {
      if (other !== ranker) assert.equal(first?.signals[other], null, `${ranker}: ${other}`);
    }
  }
});

test("agreement of two rankers beats the first place of one", () => {
  const [first] = rank({
    files: ["a/b.go", "x/one.go", "y/both.go"],
    changed: ["a/b.go"],
    edges: ["a/b.go x/one.go", "a/b.go y/both.go"],
    commits: ["a/b.go y/both.go"],
  });
  assert.equal(first?.path, "y/both.go");
  assert.deepEqual(first?.signals, {
    imports: 2,
    names: null,
    words: null,
    likeness: null,
    history: 1,
    question: null,
  });
});

test("relation, distance and frequency explain the imports", () => {
  const ranked = rank({
    files: [
      "a/p.go",
      "a/q.go",
      "b/near.go",
      "c/far.go",
      "d/user.go",
      "a/same.go",
      "e/p_test.go",
      "f/none.go",
    ],
    changed: ["a/p.go", "a/q.go"],
    edges: [
      "a/p.go b/near.go",
      "a/q.go b/near.go",
      "b/near.go c/far.go",
      "d/user.go a/q.go",
      "e/p_test.go a/p.go",
    ],
  });
  const rows = ranked.map(({ path, relation, distance, frequency }) => [path, relation, distance, frequency]);
  assert.deepEqual(
    rows.toSorted(([one], [other]) => String(one).localeCompare(String(other))),
    [
      ["a/same.go", "sibling", null, 0],
      ["b/near.go", "dependency", 1, 2],
      ["c/far.go", "dependency", 2, 2],
      ["d/user.go", "dependent", 1, 1],
      ["e/p_test.go", "test", 1, 1],
      ["f/none.go", "none", null, 0],
    ],
  );
});

test("changed files are no candidates, but a deleted or renamed one still has neighbors", () => {
  const input = rankInputOf({
    files: ["src/new-name.ts", "src/kept.ts", "lib/friend.ts"],
    changed: [],
    commits: ["src/old.ts lib/friend.ts"],
  });
  const ranked = rankCandidates({
    ...input,
    changed: [
      { path: "src/new-name.ts", oldPath: "src/old.ts", status: "renamed" },
      { path: "src/gone.ts", oldPath: "src/gone.ts", status: "deleted" },
    ],
  });
  assert.deepEqual(
    ranked.map(({ path, signals }) => [path, signals.names, signals.history]),
    [
      ["src/kept.ts", 1, null],
      ["lib/friend.ts", null, 1],
    ],
  );
});

test("an empty change and an empty repository", () => {
  assert.deepEqual(pathsOf({ files: ["b", "a"], changed: [] }), ["a", "b"]);
  assert.deepEqual(pathsOf({ files: [], changed: ["a"] }), []);
});

const NAMES = [
  "src/cart.ts",
  "src/cart.test.ts",
  "src/shop/carts.py",
  "lib/Cart.java",
  "docs/a.md",
  "x",
  "é/ü.go",
  "\u{10000}",
];
const anyPath = fc.constantFrom(...NAMES);
const anySample: fc.Arbitrary<RankInput> = fc
  .record({
    files: fc.uniqueArray(anyPath),
    changed: fc.uniqueArray(anyPath, { maxLength: 3 }),
    words: fc.dictionary(fc.constantFrom("cart", "price", "total"), fc.integer({ min: 1, max: 99 })),
    texts: fc.dictionary(anyPath, fc.constantFrom("cart price", "total total cart", "none")),
    edges: fc.array(fc.tuple(anyPath, anyPath).map(([from, to]) => `${from} ${to}`)),
    commits: fc.array(fc.uniqueArray(anyPath).map((paths) => paths.join(" "))),
    question: fc.constantFrom("", "Is cart.ts safe?", "`price`"),
  })
  .map(rankInputOf);

test("the order of the input doesn't matter", () => {
  fc.assert(
    fc.property(anySample, (input) => {
      const reversed: RankInput = {
        changed: input.changed.toReversed(),
        words: new Map([...input.words].toReversed()),
        question: input.question,
        candidates: input.candidates.toReversed(),
        facts: new Map([...input.facts].toReversed()),
        graph: {
          dependencies: reverseEdges(input.graph.dependencies),
          dependents: reverseEdges(input.graph.dependents),
        },
        coChanges: input.coChanges.map((paths) => paths.toReversed()),
      };
      assert.deepEqual(rankCandidates(reversed), rankCandidates(input));
    }),
  );
});

test("every file that wasn't changed has one rank, and every number is whole", () => {
  fc.assert(
    fc.property(anySample, (input) => {
      const ranked = rankCandidates(input);
      const changed = new Set(input.changed.map(({ path }) => path));
      const expected = input.candidates.map(({ path }) => path).filter((path) => !changed.has(path));
      assert.deepEqual(ranked.map(({ path }) => path).toSorted(), expected.toSorted());
      assert.deepEqual(
        ranked.map((file) => file.rank),
        ranked.map((_, index) => index + 1),
      );
      for (const ranker of RANKERS) {
        const places = ranked.map(({ signals }) => signals[ranker]).filter((place) => place !== null);
        assert.deepEqual(
          places.toSorted((one, other) => one - other),
          places.map((_, index) => index + 1),
        );
      }
    }),
  );
});

function reverseEdges(
  edges: ReadonlyMap<string, ReadonlySet<string>>,
): ReadonlyMap<string, ReadonlySet<string>> {
  return new Map([...edges].toReversed().map(([path, ends]) => [path, new Set([...ends].toReversed())]));
}
