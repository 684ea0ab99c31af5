import assert from "node:assert/strict";
import { test } from "node:test";
import { findNearest } from "./nearest.ts";
import { mostBits } from "./signature.ts";

/** Candidates at one-degree steps, each with its expected number of bits. */
const FAN = Array.from({ length: 90 }, (_, degrees) => ({ id: degrees + 1, bits: (1_024 * degrees) / 180 }));

const EAST = Float32Array.of(1, 0);

function createReader(): {
  readonly asked: number[];
  readonly read: Parameters<typeof findNearest>[2]["read"];
} {
  const asked: number[] = [];
  return {
    asked,
    async read(ids) {
      asked.push(...ids);
      return new Map(
        ids.map((id) => {
          const angle = ((id - 1) * Math.PI) / 180;
          return [id, Float32Array.of(Math.cos(angle), Math.sin(angle))];
        }),
      );
    },
  };
}

test("all candidates are read if they are the whole collection", async () => {
  const { asked, read } = createReader();
  const wanted = { vector: EAST, limit: 3, maxDistance: 0.001 };
  const found = await findNearest(wanted, FAN, { areAll: true, batch: 20, read });
  assert.deepEqual(
    found.map(({ id }) => id),
    [1, 2, 3],
  );
  assert.equal(asked.length, FAN.length);
});

test("reading stops when no candidate can be nearer than the results", async () => {
  const { asked, read } = createReader();
  const found = await findNearest({ vector: EAST, limit: 3, maxDistance: 2 }, FAN, {
    areAll: false,
    batch: 5,
    read,
  });
  assert.deepEqual(
    found.map(({ id }) => id),
    [1, 2, 3],
  );
  const third = 1 - Math.cos((2 * Math.PI) / 180);
  const plausible = FAN.filter(({ bits }) => bits <= mostBits(third)).length;
  assert.ok(plausible > 5 && plausible < 30);
  // Reads all candidates that could be nearer, plus at most one batch.
  assert.ok(asked.length >= plausible && asked.length < plausible + 5, String(asked.length));
});

test("reading stops when no candidate can be near enough, even if hardly any was", async () => {
  const { asked, read } = createReader();
  // A little more than ten degrees.
  const wanted = { vector: EAST, limit: 50, maxDistance: 0.0152 };
  const found = await findNearest(wanted, FAN, { areAll: false, batch: 5, read });
  assert.deepEqual(
    found.map(({ id }) => id),
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
  assert.ok(asked.length < 40, String(asked.length));
});

test("a candidate that was removed since the search is skipped", async () => {
  const read = async (): Promise<ReadonlyMap<number, Float32Array>> => new Map([[2, EAST]]);
  const found = await findNearest({ vector: EAST, limit: 3, maxDistance: 2 }, FAN.slice(0, 3), {
    areAll: true,
    batch: 5,
    read,
  });
  assert.deepEqual(found, [{ id: 2, distance: 0 }]);
});
