/** Tests that the search finds exactly the rejected comments within its tries, and ends with the review. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { continueSearch, nextStep, startSearch } from "./refusal-search.ts";

/** Runs the search against a host that rejects these comments. */
function run(count: number, bad: ReadonlySet<number>) {
  let search = startSearch(count);
  let tries = 0;
  for (;;) {
    const step = nextStep(search);
    if (step.kind === "settled")
      return { accepted: step.accepted, refused: search.refused, tries, isPosted: false };
    tries += 1;
    const isAccepted = !step.items.some((item) => bad.has(item));
    if (isAccepted && step.isLast)
      return { accepted: step.items, refused: search.refused, tries, isPosted: true };
    search = continueSearch(search, isAccepted);
  }
}

/** Returns all sets of at most this many of the first `count` numbers. */
function subsets(count: number, maxSize: number): readonly (readonly number[])[] {
  if (count === 0 || maxSize === 0) return [[]];
  const last = count - 1;
  return [...subsets(last, maxSize), ...subsets(last, maxSize - 1).map((set) => [...set, last])];
}

test("any one to three rejected comments of fifteen are found, and no others", () => {
  for (let count = 1; count <= 15; count += 1) {
    for (const picked of subsets(count, 3)) {
      // The search starts only if at least one is rejected.
      if (picked.length === 0) continue;
      const bad = new Set(picked);
      const good = Array.from({ length: count }, (_, index) => index).filter((index) => !bad.has(index));
      const found = run(count, bad);
      assert.deepEqual(found.accepted, good, `${picked.join(" ")} of ${count}`);
      assert.ok(found.tries <= 20);
    }
  }
});

test("one bad comment of fifteen is found in few tries", () => {
  const tries = Array.from({ length: 15 }, (_, index) => run(15, new Set([index])).tries);
  assert.ok(Math.max(...tries) <= 8, String(tries));
});

test("a single rejected comment needs no try", () => {
  assert.deepEqual(run(1, new Set([0])), { accepted: [], refused: [0], tries: 0, isPosted: false });
});

test("the tries are limited, and untried comments aren't posted", () => {
  const bad = new Set(Array.from({ length: 50 }, (_, index) => index * 2));
  const found = run(100, bad);
  assert.equal(found.tries, 20);
  assert.ok(found.accepted.every((index) => !bad.has(index)));
});
