import assert from "node:assert/strict";
import { test } from "node:test";
import { expectedCategories } from "./expected-categories.ts";
import { fuseRankings } from "./fuse-rankings.ts";
import {
  rankMemories,
  type FoundMemories,
  type MemoryCandidate,
  type RankSituation,
} from "./rank-memories.ts";

const DAY = 24 * 60 * 60 * 1000;
const NOW = 1_000 * DAY;

function memory(id: number, more: Partial<MemoryCandidate> = {}): MemoryCandidate {
  return {
    id,
    repositoryId: 1,
    createdAt: NOW,
    title: "Timeout is missing",
    body: "The request can hang.",
    path: "src/http/client.ts",
    language: "typescript",
    category: "reliability",
    rule: null,
    pattern: `title:${id}`,
    outcome: "accepted",
    ...more,
  };
}

function idsOf(
  rows: readonly MemoryCandidate[],
  found: Partial<FoundMemories>,
  situation: Partial<RankSituation> = {},
): readonly number[] {
  return rankMemories(
    rows,
    { query: "", nearest: [], texts: [], measured: [], ...found },
    {
      repositoryId: 1,
      threshold: { own: 0.3, shared: 0.2 },
      languages: ["typescript"],
      categories: [],
      now: NOW,
      topK: 5,
      ...situation,
    },
  ).map(({ id }) => id);
}

const near = (...ids: readonly number[]) => ids.map((id) => ({ id, distance: 0.1 }));

test("fused: agreement beats one good place, and vectors beat words", () => {
  const shares = fuseRankings({ vectors: [1, 2, 3], texts: [4, 3, 5] });
  const order = [...shares].sort(([, x], [, y]) => y - x).map(([id]) => id);
  assert.deepEqual(order, [3, 1, 2, 4, 5]);
});

test("only what is near enough passes; other repositories' memories have to be nearer", () => {
  const rows = [memory(1), memory(2), memory(3, { repositoryId: 2 }), memory(4, { repositoryId: 2 })];
  const nearest = [
    { id: 4, distance: 0.2 },
    { id: 3, distance: 0.25 },
    { id: 1, distance: 0.3 },
    { id: 2, distance: 0.31 },
  ];
  assert.deepEqual(idsOf(rows, { nearest }), [4, 1]);
});

test("a memory without a vector passes if the query has enough of its terms, and the distance decides for one with a vector", () => {
  const rows = [
    memory(1),
    memory(2, { title: "Colors of the chart differ", body: "See the palette.", path: "a.css" }),
  ];
  const texts = [
    { id: 1, score: 9 },
    { id: 2, score: 8 },
  ];
  const query = "http client: retry a request that hangs · timeout of the request";
  assert.deepEqual(idsOf(rows, { query, texts }), [1]);
  assert.deepEqual(idsOf(rows, { query, texts, measured: [{ id: 1, distance: 0.31 }] }), []);
  assert.deepEqual(idsOf(rows, { query, texts, measured: [{ id: 1, distance: 0.29 }] }), [1]);
  assert.deepEqual(idsOf(rows, { query: "unrelated", texts }), []);
});

test("the words of a path alone don't let a memory pass", () => {
  const row = memory(1, { title: "Nice!", body: "", path: "src/http/client/retry/policy.ts" });
  const query = "typescript · src/http/client/retry/policy.ts";
  assert.deepEqual(idsOf([row], { query, texts: [{ id: 1, score: 9 }] }), []);
});

test("the same words don't help a memory that only its vector found", () => {
  const query = "Timeout is missing. The request can hang. src/http/client.ts";
  assert.deepEqual(idsOf([memory(1)], { query, nearest: [{ id: 1, distance: 0.4 }] }), []);
});

test("distance and method say how a memory was found", () => {
  const rows = [memory(1), memory(2), memory(3), memory(4)];
  const ranked = rankMemories(
    rows,
    {
      query: "timeout request hang http client",
      nearest: near(1, 2),
      texts: [2, 3, 4].map((id) => ({ id, score: 1 })),
      measured: [{ id: 3, distance: 0.2 }],
    },
    {
      repositoryId: 1,
      threshold: { own: 0.3, shared: 0.2 },
      languages: [],
      categories: [],
      now: NOW,
      topK: 5,
    },
  );
  assert.deepEqual(Object.fromEntries(ranked.map(({ id, method, distance }) => [id, [method, distance]])), {
    1: ["vector", 0.1],
    2: ["both", 0.1],
    3: ["text", 0.2],
    4: ["text", null],
  });
});

const ORDERS: readonly (readonly [
  string,
  readonly MemoryCandidate[],
  Partial<RankSituation>,
  readonly number[],
])[] = [
  ["as found", [memory(1), memory(2)], {}, [1, 2]],
  ["same language first", [memory(1, { language: "python" }), memory(2)], {}, [2, 1]],
  ["related counts as same", [memory(1, { language: "tsx" }), memory(2)], {}, [1, 2]],
  ["unknown after same", [memory(1, { language: "unknown" }), memory(2)], {}, [2, 1]],
  [
    "unknown before other",
    [memory(1, { language: "python" }), memory(2, { language: "unknown" })],
    {},
    [2, 1],
  ],
  ["no languages: as found", [memory(1, { language: "python" }), memory(2)], { languages: [] }, [1, 2]],
  [
    "expected category first",
    [memory(1), memory(2, { category: "security" })],
    { categories: ["security"] },
    [2, 1],
  ],
  ["recent first", [memory(1, { createdAt: 0 }), memory(2)], {}, [2, 1]],
  [
    "recency is milder than language",
    [memory(1, { createdAt: 0 }), memory(2, { language: "python" })],
    {},
    [1, 2],
  ],
  ["the future isn't better than now", [memory(1), memory(2, { createdAt: 2 * NOW })], {}, [1, 2]],
  ["no more than wanted", [memory(1), memory(2), memory(3)], { topK: 2 }, [1, 2]],
];

for (const [name, rows, situation, expected] of ORDERS)
  test(`order: ${name}`, () => {
    const nearest = near(...rows.map(({ id }) => id));
    assert.deepEqual(idsOf(rows, { nearest }, situation), expected);
    assert.deepEqual(idsOf(rows.toReversed(), { nearest }, situation), expected);
  });

test("equal ranks: newest first, then the larger id", () => {
  // Place 62 among the vectors is worth as much as place 1 in full text.
  const others = Array.from({ length: 61 }, (_, index) => 100 + index);
  const texts = [{ id: 2, score: 1 }];
  const found = { query: "timeout request hang http client", nearest: near(...others, 1), texts };
  assert.deepEqual(idsOf([memory(1), memory(2)], found), [2, 1]);
  assert.deepEqual(idsOf([memory(1), memory(2, { createdAt: NOW - 1 })], found), [1, 2]);
});

test("rows that weren't searched for and found ids without a row are ignored", () => {
  assert.deepEqual(idsOf([memory(1), memory(2)], { nearest: near(2, 3) }), [2]);
});

test("categories come from the type of the change and from its risks", () => {
  const intent = { type: "perf" } as Parameters<typeof expectedCategories>[0]["intent"];
  const riskSignals = ["raw-sql", "credentials", "infrastructure"].map((id) => ({
    id,
    label: "",
    paths: [],
  }));
  assert.deepEqual(expectedCategories({ intent, riskSignals }), ["performance", "security"]);
  assert.deepEqual(expectedCategories({ intent: { ...intent, type: null }, riskSignals: [] }), []);
});
