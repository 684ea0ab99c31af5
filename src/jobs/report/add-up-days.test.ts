import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { spreadOf } from "./add-up-days.ts";
import { someRuns } from "../../../test/support/extent.ts";

test("a spread has the values that sorting gives, also with many equal ones", () => {
  assert.equal(spreadOf([]), null);
  assert.equal(spreadOf([[], []]), null);
  fc.assert(
    fc.property(
      fc.array(fc.array(fc.nat(20), { maxLength: 30 }), { minLength: 1, maxLength: 8 }),
      (lists) => {
        const sorted = lists.flat().toSorted((a, b) => a - b);
        const at = (share: number): number | undefined => sorted[Math.ceil(sorted.length * share) - 1];
        const expected = sorted.length === 0 ? null : { median: at(0.5), p95: at(0.95) };
        assert.deepEqual(spreadOf(lists), expected);
      },
    ),
    { numRuns: someRuns(300) },
  );
  const ordered = Array.from({ length: 10_000 }, (_, index) => index);
  assert.deepEqual(spreadOf([ordered, ordered.toReversed()]), { median: 4_999, p95: 9_499 });
});
