import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { test } from "node:test";
import { isAll } from "../../../test/support/extent.ts";
import { createSampleVectors } from "../../../test/support/sample-vectors.ts";
import { mostBits, SIGNATURE_BITS, signatureOf } from "./signature.ts";
import { cosineDistance } from "./space.ts";

const ONES = Array.from({ length: 256 }, (_, byte) => byte.toString(2).replaceAll("0", "").length);

function differingBits(a: Uint8Array, b: Uint8Array): number {
  return a.reduce((sum, byte, index) => sum + (ONES[byte ^ (b[index] ?? 0)] ?? 0), 0);
}

test("signatures never change, because they are stored", () => {
  const digest = (dimensions: number): string => {
    const vector = Float32Array.from({ length: dimensions }, (_, index) => ((index * index) % 23) - 7.5);
    return createHash("sha256").update(signatureOf(vector)).digest("hex").slice(0, 16);
  };
  // Changing these needs a migration that recomputes every stored signature.
  assert.deepEqual([1, 2, 384, 1_024, 1_536, 4_096].map(digest), [
    "aa1ba49acab16d69",
    "cfc54d3688b68209",
    "a4a0dec8acd1ad17",
    "4cc3d437dd3440c9",
    "a5264b9e31bd9bea",
    "5adb56ee0dbf8795",
  ]);
});

test("only the direction matters", () => {
  const { vectors } = createSampleVectors({ dimensions: 300, count: 20, shape: "random", seed: 1 });
  for (const vector of vectors) {
    for (const factor of [2, 1e-30, 1e30]) {
      const scaled = vector.map((value) => value * factor);
      assert.ok(differingBits(signatureOf(vector), signatureOf(scaled)) <= 1);
    }
    assert.equal(
      differingBits(signatureOf(vector), signatureOf(vector.map((value) => -value))),
      SIGNATURE_BITS,
    );
  }
});

for (const shape of ["random", "clustered", "sparse"] as const) {
  for (const dimensions of isAll ? [2, 64, 1_024, 3_072] : [2, 64, 1_024]) {
    test(`differing bits estimate the angle between ${shape} vectors of ${dimensions} dimensions`, () => {
      const { vectors } = createSampleVectors({ dimensions, count: 150, shape, seed: dimensions });
      const signatures = vectors.map(signatureOf);
      let squares = 0;
      let pairs = 0;
      for (const [index, vector] of vectors.entries()) {
        for (let other = 0; other < index; other++) {
          const distance = cosineDistance(vector, vectors[other] ?? vector);
          const bits = differingBits(
            signatures[index] ?? new Uint8Array(),
            signatures[other] ?? new Uint8Array(),
          );
          assert.ok(bits <= mostBits(distance), `${bits} bits at a distance of ${distance}`);
          squares += (bits / SIGNATURE_BITS - Math.acos(1 - distance) / Math.PI) ** 2;
          pairs++;
        }
      }
      // The standard deviation of that many coin tosses is half of the square root of their number.
      assert.ok(Math.sqrt(squares / pairs) < 1.2 / (2 * Math.sqrt(SIGNATURE_BITS)));
    });
  }
}
