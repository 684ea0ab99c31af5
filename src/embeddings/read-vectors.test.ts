import assert from "node:assert/strict";
import { test } from "node:test";
import * as fc from "fast-check";
import { readVectors } from "./read-vectors.ts";

const vectorsOf = (count: number, dimensions: number) =>
  fc.array(
    fc
      .array(fc.float({ noNaN: true, noDefaultInfinity: true }), {
        minLength: dimensions,
        maxLength: dimensions,
      })
      .filter((vector) => vector.some((each) => each !== 0)),
    { minLength: count, maxLength: count },
  );

test("vectors come back exactly, in the order of the texts, whatever the order of the answer", () => {
  fc.assert(
    fc.property(
      fc
        .tuple(fc.integer({ min: 1, max: 8 }), fc.integer({ min: 1, max: 16 }))
        .chain(([count, dimensions]) => vectorsOf(count, dimensions)),
      fc.infiniteStream(fc.nat()),
      (vectors, order) => {
        const data = vectors
          .map((embedding, index) => ({ index, embedding, at: order.next().value }))
          .toSorted((a, b) => a.at - b.at);
        const read = readVectors(JSON.stringify({ data }), { count: vectors.length, dimensions: null });
        assert.deepEqual(
          read,
          vectors.map((vector) => Float32Array.from(vector.map((each) => each + 0))),
        );
      },
    ),
  );
});

test("any other JSON and any text is refused with a reason", () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), fc.string()), fc.integer({ min: 1, max: 3 }), (text, count) => {
      assert.equal(typeof readVectors(text, { count, dimensions: null }), "string");
    }),
  );
});
