import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { incompleteBeta, probabilityOfRejection } from "./posterior.ts";

function close(actual: number, expected: number, within = 1e-10): void {
  assert.ok(Math.abs(actual - expected) < within, `${actual} is not ${expected}`);
}

test("the incomplete beta function has its known values", () => {
  // Closed forms: I_x(a, 1) = x^a, I_x(1, b) = 1 - (1 - x)^b, I_x(1/2, 1/2) = 2/π asin √x; binomial tails for whole numbers.
  for (const [x, a, b, expected] of [
    [0.3, 1, 1, 0.3],
    [0.5, 4, 1, 0.0625],
    [0.2, 1, 5, 1 - 0.8 ** 5],
    [0.25, 0.5, 0.5, (2 / Math.PI) * Math.asin(0.5)],
    [0.5, 2, 3, 0.6875],
    [0.4, 2, 3, 0.5248],
    [0.1, 2, 2, 0.028],
    [0.9, 2, 2, 0.972],
    [0.5, 200, 200, 0.5],
    [0, 2, 2, 0],
    [1, 2, 2, 1],
  ] as const)
    close(incompleteBeta(x, a, b), expected);
});

test("three rejections and no acceptance are enough to be 90% sure, two or a dissenting voice are not", () => {
  for (const [rejections, acceptances, expected] of [
    [0, 0, 0.5],
    [2, 0, 0.875],
    [3, 0, 0.9375],
    [3, 1, 0.8125],
    [5, 1, 0.9375],
    [0, 3, 0.0625],
    [2.5, 0, 1 - 2 ** -3.5],
  ] as const)
    close(probabilityOfRejection({ rejections, acceptances }), expected);
});

test("the probability is one, rises with rejections, and mirrors when the sides are exchanged", () => {
  const weight = fc.double({ min: 0, max: 2_000, noNaN: true });
  fc.assert(
    fc.property(weight, weight, (rejections, acceptances) => {
      const probability = probabilityOfRejection({ rejections, acceptances });
      assert.ok(probability >= 0 && probability <= 1);
      const more = probabilityOfRejection({ rejections: rejections + 1, acceptances });
      assert.ok(more >= probability - 1e-9);
      close(
        probability + probabilityOfRejection({ rejections: acceptances, acceptances: rejections }),
        1,
        1e-8,
      );
    }),
  );
});
