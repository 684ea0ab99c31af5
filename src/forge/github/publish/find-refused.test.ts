/** The search for refused comments finds exactly them, within its tries, and ends with the review. */
import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { continueSearch, nextStep, startSearch } from "./find-refused.ts";

/** Runs the search against a host that refuses these. */
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

test("every refused comment is found, and no other, whichever they are", () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 15 }),
      fc.array(fc.nat({ max: 14 }), { minLength: 1, maxLength: 4 }),
      (count, picks) => {
        const bad = new Set(picks.map((pick) => pick % count));
        const good = Array.from({ length: count }, (_, index) => index).filter((index) => !bad.has(index));
        const found = run(count, bad);
        assert.deepEqual(found.accepted, good);
        assert.ok(found.tries <= 20);
      },
    ),
  );
});

test("one bad comment of fifteen is found in few tries", () => {
  const tries = Array.from({ length: 15 }, (_, index) => run(15, new Set([index])).tries);
  assert.ok(Math.max(...tries) <= 8, String(tries));
});

test("a comment that is refused alone needs no try", () => {
  assert.deepEqual(run(1, new Set([0])), { accepted: [], refused: [0], tries: 0, isPosted: false });
});

test("the tries are bounded, and what was not tried is not posted", () => {
  const bad = new Set(Array.from({ length: 50 }, (_, index) => index * 2));
  const found = run(100, bad);
  assert.equal(found.tries, 20);
  assert.ok(found.accepted.every((index) => !bad.has(index)));
});
