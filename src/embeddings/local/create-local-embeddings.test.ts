import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { createLocalEmbeddings } from "./create-local-embeddings.ts";

async function embed(...texts: readonly string[]): Promise<readonly Float32Array[]> {
  const { vectors } = await createLocalEmbeddings().embed(texts, "document", new AbortController().signal);
  return vectors;
}

async function distance(one: string, other: string): Promise<number> {
  const [a, b] = await embed(one, other);
  let [product, left, right] = [0, 0, 0];
  for (const [index, value] of (a ?? []).entries()) {
    const there = b?.[index] ?? 0;
    product += value * there;
    left += value * value;
    right += there * there;
  }
  return 1 - product / Math.sqrt(left * right);
}

/** The first two mean the same, the third doesn't. */
const TRIPLES: readonly (readonly [string, string, string])[] = [
  ["Request has no timeout", "The request needs a timeout", "Colors of the chart differ"],
  [
    "Possible null dereference",
    "user may be undefined here, use optional chaining",
    "Use a constant for the color",
  ],
  ["`readConfigFile` is called twice", "read_config_file runs two times", "The label of the button is wrong"],
  ["Serialization is not thread-safe", "serializer isn't safe for threads", "Sorting is not stable"],
];

for (const [one, same, other] of TRIPLES)
  test(`closer: ${one} / ${same}`, async () => {
    assert.ok((await distance(one, same)) + 0.05 < (await distance(one, other)));
  });

test("a text is close to itself, and its order and case hardly matter", async () => {
  const text = "The cache is never cleared when a session ends";
  assert.ok((await distance(text, text)) < 1e-6);
  assert.ok((await distance(text, "when a SESSION ends the cache is never cleared")) < 0.1);
});

test("vectors are the same on every machine", async () => {
  const [vector] = await embed("SQL injection in findUser");
  const used = [...(vector ?? [])].flatMap((value, index) =>
    value === 0 ? [] : [`${index}:${value.toFixed(3)}`],
  );
  assert.deepEqual(used.slice(0, 6), [
    "12:0.420",
    "35:-0.435",
    "40:-0.435",
    "59:-0.387",
    "181:0.966",
    "381:-0.435",
  ]);
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ["nothing", ""],
  ["no words", " \n\t.,;"],
  ["equal letters", "a".repeat(5_000_000)],
  ["underscores", "_".repeat(100_000)],
  ["mixed case", "aB".repeat(100_000)],
  ["signs", "=".repeat(100_000)],
  ["surrogates", "\ud800".repeat(100_000)],
];

for (const [name, text] of HOSTILE)
  test(`only the start of a hostile text is read, and it has a direction: ${name}`, async () => {
    const [vector, ofStart] = await embed(text, text.slice(0, 4_000));
    assert.deepEqual(vector, ofStart);
    assert.ok(vector?.some((each) => each !== 0));
  });

test("any text has a finite vector with a direction, and the same one every time", async () => {
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: "binary", maxLength: 200 }), async (text) => {
      const [one, again] = await embed(text, text);
      assert.deepEqual(one, again);
      assert.ok(one?.every((each) => Number.isFinite(each)) && one.some((each) => each !== 0));
    }),
    { numRuns: 50 },
  );
});

test("it stops when it is no longer wanted", async () => {
  await assert.rejects(createLocalEmbeddings().embed(["a"], "query", AbortSignal.abort()));
});
