/** Tests which deliveries are chosen for redelivery. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseFailed, type FailedDelivery } from "./redeliver-failed.ts";

let nextId = 100;
function attempt(guid: string, deliveredAtMs: number, isReceived: boolean): FailedDelivery {
  nextId += 1;
  return { id: nextId, guid, deliveredAtMs, isReceived };
}

test("a delivery is chosen once if all of its attempts have failed", () => {
  const chosen = chooseFailed([
    attempt("failed twice", 50, false),
    attempt("healed", 45, true),
    attempt("received", 40, true),
    attempt("healed", 30, false),
    attempt("failed twice", 20, false),
    attempt("failed once", 10, false),
  ]);
  assert.deepEqual(
    chosen.map(({ guid }) => guid),
    ["failed once", "failed twice"],
  );
});

test("a delivery that failed five times isn't chosen again", () => {
  const attempts = (count: number) =>
    Array.from({ length: count }, (_, index) => attempt("poison", index, false));
  assert.equal(chooseFailed(attempts(4)).length, 1);
  assert.equal(chooseFailed(attempts(5)).length, 0);
});
