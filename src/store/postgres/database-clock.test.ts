import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { makeDatabase } from "../../../test/support/postgres/shared-cluster.ts";
import { openStore } from "../store.ts";
import { startDatabaseClock } from "./database-clock.ts";

const HOUR_MS = 3_600_000;

/** Far below the hours that the clocks differ by, and far above the time between two lines of a test on a busy machine. */
const CLOSE_MS = HOUR_MS / 6;

function assertClose(actual: number, expected: number): void {
  assert.ok(Math.abs(actual - expected) < CLOSE_MS, `${actual} is ${actual - expected} ms from ${expected}`);
}

test("a process whose clock is an hour ahead uses the server's clock, even when its own is set", async (t) => {
  const realNow = Date.now;
  let aheadMs = HOUR_MS;
  t.mock.method(Date, "now", () => realNow() + aheadMs);
  const place = await makeDatabase({ isMigrated: true });
  const store = await openStore(place.url);
  try {
    assertClose(store.now(), realNow());
    aheadMs = -HOUR_MS;
    assertClose(store.now(), realNow());
    const [row] = await store.database.query<{ ms: number }>(
      "select floor(extract(epoch from now()) * 1000)::bigint as ms",
    );
    assertClose(store.now(), row?.ms ?? 0);
  } finally {
    await store.close();
    await place.remove();
  }
});

test("the clock is measured every minute and keeps running while the server is unreachable", async (t) => {
  t.mock.timers.enable({ apis: ["setInterval"] });
  let serverMs = 1_000_000;
  let isAway = false;
  let reads = 0;
  const clock = await startDatabaseClock(() => {
    reads++;
    return isAway ? Promise.reject(new Error("away")) : Promise.resolve(serverMs);
  });
  assertClose(clock.now(), serverMs);
  serverMs += 10 * HOUR_MS;
  t.mock.timers.tick(60_000);
  await sleep(0);
  assertClose(clock.now(), serverMs);
  isAway = true;
  t.mock.timers.tick(60_000);
  await sleep(0);
  assertClose(clock.now(), serverMs);
  const before = clock.now();
  await sleep(5);
  assert.ok(clock.now() > before);
  assert.ok(Number.isInteger(clock.now()));
  clock.stop();
  t.mock.timers.tick(600_000);
  assert.equal(reads, 3);
});

test("a slow answer is ignored when a fast one is available", async () => {
  let reads = 0;
  const clock = await startDatabaseClock(async () => {
    reads++;
    // Read at once but delivered late, so the error would be half of the delay.
    const time = performance.now() + (reads === 1 ? 0 : HOUR_MS);
    if (reads === 1) await sleep(600);
    return time;
  });
  assert.ok(reads > 1);
  assertClose(clock.now(), performance.now() + HOUR_MS);
  clock.stop();
});
