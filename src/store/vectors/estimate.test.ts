import assert from "node:assert/strict";
import { test } from "node:test";
import { isAll } from "../../../test/support/extent.ts";
import { createSampleVectors } from "../../../test/support/sample-vectors.ts";
import { estimateDistances, mostEstimated } from "./estimate.ts";
import { packSignature } from "./signature-search.ts";
import { signatureOf } from "./signature.ts";
import { cosineDistance } from "./space.ts";

const pack = (vectors: readonly Float32Array[]): Uint8Array =>
  Buffer.concat(vectors.map((vector, index) => packSignature(index + 1, signatureOf(vector))));

test("the nearest estimate comes first, then the lower id, whatever the lengths", () => {
  const { vectors } = createSampleVectors({ dimensions: 64, count: 3, shape: "random", seed: 1 });
  const [vector = new Float32Array(), other = vector, third = vector] = vectors;
  const opposite = vector.map((value) => -1e-20 * value);
  const twice = vector.map((value) => 1e10 * value);
  const estimates = estimateDistances(vector, pack([opposite, other, twice, third, vector]));
  assert.deepEqual(
    [0, 1, 4].map((index) => estimates[index]?.id),
    [3, 5, 1],
  );
  assert.equal(estimates[0]?.estimate, estimates[1]?.estimate);
  assert.ok(Math.abs(estimates[0]?.estimate ?? 1) < 0.05);
  assert.ok(Math.abs((estimates[4]?.estimate ?? 0) - 2) < 0.05);
});

/** How far an estimate may be off, in the deviations that the limit for a search allows five of. */
const deviationAt = (distance: number, dimensions: number): number =>
  (mostEstimated(distance, dimensions) - distance) / 5;

for (const shape of ["random", "clustered", "sparse"] as const) {
  for (const dimensions of isAll ? [2, 8, 64, 384, 1_024, 1_536, 3_072, 4_096] : [2, 64, 1_024]) {
    test(`signatures of ${shape} vectors of ${dimensions} dimensions tell their distances as closely as expected`, () => {
      const { vectors } = createSampleVectors({ dimensions, count: 150, shape, seed: dimensions });
      const packed = pack(vectors);
      let squares = 0;
      let pairs = 0;
      for (const vector of vectors) {
        for (const { id, estimate } of estimateDistances(vector, packed)) {
          const other = vectors[id - 1] ?? vector;
          if (other === vector) continue;
          const distance = cosineDistance(vector, other);
          assert.ok(
            estimate <= mostEstimated(distance, dimensions),
            `${estimate} at a distance of ${distance}`,
          );
          squares += ((estimate - distance) / deviationAt(distance, dimensions)) ** 2;
          pairs++;
        }
      }
      const deviation = Math.sqrt(squares / pairs);
      assert.ok(deviation < 1.1 && deviation > 0.6, String(deviation));
    });
  }
}

test("the most that may be estimated grows with the distance", () => {
  for (const dimensions of [1, 1_024, 1_536, 4_096]) {
    let before = 0;
    for (let distance = 0; distance <= 2; distance += 0.001) {
      const most = mostEstimated(distance, dimensions);
      assert.ok(most > before, `${most} at ${distance}`);
      before = most;
    }
  }
});
