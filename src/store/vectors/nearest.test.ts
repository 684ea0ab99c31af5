import assert from "node:assert/strict";
import { test } from "node:test";
import { findNearest } from "./nearest.ts";
import { mostEstimated } from "./estimate.ts";

/** Candidates at one-degree steps, each with its distance as the estimate. */
const FAN = Array.from({ length: 90 }, (_, degrees) => ({
  id: degrees + 1,
  estimate: 1 - Math.cos((degrees * Math.PI) / 180),
}));

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

test("reading stops when no candidate can be nearer than the results", async () => {
  const { asked, read } = createReader();
  const found = await findNearest({ vector: EAST, limit: 3, maxDistance: 2 }, FAN, {
    batch: 5,
    read,
  });
  assert.deepEqual(
    found.map(({ id }) => id),
    [1, 2, 3],
  );
  const third = 1 - Math.cos((2 * Math.PI) / 180);
  const plausible = FAN.filter(({ estimate }) => estimate <= mostEstimated(third, 2)).length;
  assert.ok(plausible > 5 && plausible < 30);
  // After the first batch, only candidates that could be nearer are read.
  assert.equal(asked.length, plausible);
});

test("reading stops when no candidate can be near enough, even if hardly any was", async () => {
  const { asked, read } = createReader();
  // A little more than ten degrees.
  const wanted = { vector: EAST, limit: 50, maxDistance: 0.0152 };
  const found = await findNearest(wanted, FAN, { batch: 5, read });
  assert.deepEqual(
    found.map(({ id }) => id),
    Array.from({ length: 11 }, (_, index) => index + 1),
  );
  assert.equal(asked.length, FAN.filter(({ estimate }) => estimate <= mostEstimated(0.0152, 2)).length);
  assert.ok(asked.length < 40, String(asked.length));
});

test("a candidate that was removed since the search is skipped", async () => {
  const read = async (): Promise<ReadonlyMap<number, Float32Array>> => new Map([[2, EAST]]);
  const found = await findNearest({ vector: EAST, limit: 3, maxDistance: 2 }, FAN.slice(0, 3), {
    batch: 5,
    read,
  });
  assert.deepEqual(found, [{ id: 2, distance: 0 }]);
});
