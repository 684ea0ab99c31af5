import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { migrateSchema } from "../migrate.ts";
import { KNOWLEDGE_MIGRATIONS } from "../migrations/all-migrations.ts";
import { openSqliteDatabase } from "./sqlite-database.ts";
import { startStoreClock } from "./store-clock.ts";

const HOUR_MS = 3_600_000;
const START_MS = Date.UTC(2026, 0, 1);

/** A simulated machine with a settable clock, a database file, and processes that share both. */
function createMachine(t: TestContext) {
  t.mock.timers.enable({ apis: ["setInterval"] });
  const folder = mkdtempSync(join(tmpdir(), "kodiai-clock-"));
  const stops: (() => Promise<void>)[] = [];
  t.after(async () => {
    for (const stop of stops) await stop();
    rmSync(folder, { recursive: true, force: true });
  });
  let wallMs = START_MS;
  let steadyMs = 0;
  return {
    /** Lets time pass. */
    pass(ms: number) {
      wallMs += ms;
      steadyMs += ms;
    },
    /** Sets the machine's clock. */
    step(ms: number) {
      wallMs += ms;
    },
    wall: () => wallMs,
    async startProcess() {
      const database = openSqliteDatabase({ path: join(folder, "kodiai.db"), synchronous: "normal" });
      await migrateSchema(
        database,
        { record: "schema_migrations", migrations: KNOWLEDGE_MIGRATIONS },
        () => wallMs,
      );
      const setBack: number[] = [];
      const clock = await startStoreClock(database, {
        wall: () => wallMs,
        steady: () => steadyMs,
        onSetBack: (aheadMs) => setBack.push(aheadMs),
      });
      const stop = async (): Promise<void> => {
        clock.stop();
        await database.close();
      };
      stops.push(stop);
      return { now: clock.now, commit: () => database.transaction(async () => {}), setBack, stop };
    },
    /** Every process compares its clock with the saved one. */
    async compare() {
      t.mock.timers.tick(5_000);
      // Reading and writing a file takes a few iterations of the event loop.
      for (let turn = 0; turn < 20; turn++) await new Promise((resolve) => setImmediate(resolve));
    },
  };
}

test("when the machine's clock is set back, the store's clock runs on more slowly until they agree", async (t) => {
  const machine = createMachine(t);
  const { now, setBack } = await machine.startProcess();
  assert.equal(now(), START_MS);
  machine.step(-2 * HOUR_MS);
  machine.pass(1_000);
  const ahead = now();
  assert.ok(ahead >= START_MS + 1_000 && ahead <= START_MS + 1_001, String(ahead - START_MS));
  assert.deepEqual(setBack, [2 * HOUR_MS]);
  machine.pass(8_000);
  assert.equal(now() - ahead, 7_000);
  machine.pass(16 * HOUR_MS);
  assert.equal(now(), machine.wall());
});

test("small steps back pause the clock, and steps forward are followed at once", async (t) => {
  const machine = createMachine(t);
  const { now, setBack } = await machine.startProcess();
  machine.step(-400);
  assert.equal(now(), START_MS);
  machine.step(400 + HOUR_MS);
  assert.equal(now(), START_MS + HOUR_MS);
  assert.deepEqual(setBack, []);
  // The clock is wrong for a few minutes, then corrected.
  machine.step(-2 * HOUR_MS);
  now();
  machine.pass(600_000);
  machine.step(2 * HOUR_MS);
  assert.equal(now(), machine.wall());
});

test("a process that starts after the clock was set back continues from the last commit", async (t) => {
  const machine = createMachine(t);
  const first = await machine.startProcess();
  machine.pass(HOUR_MS);
  await first.commit();
  const committedAt = first.now();
  await first.stop();
  machine.step(-2 * HOUR_MS);
  const second = await machine.startProcess();
  assert.equal(second.now(), committedAt);
  assert.deepEqual(second.setBack, [2 * HOUR_MS]);
  // A machine without a clock battery can lose years.
  await second.commit();
  await second.stop();
  machine.step(-20 * 365 * 24 * HOUR_MS);
  const third = await machine.startProcess();
  assert.equal(third.now(), committedAt);
});

test("processes that ran when the clock was set back agree with processes that start later", async (t) => {
  const machine = createMachine(t);
  const [server, worker] = [await machine.startProcess(), await machine.startProcess()];
  await server.commit();
  // Nothing is committed for a long time before the step.
  machine.pass(5 * HOUR_MS);
  server.now();
  worker.now();
  machine.step(-2 * HOUR_MS);
  // It starts before the others have noticed the step, and knows only the last commit.
  const early = await machine.startProcess();
  await machine.compare();
  await machine.compare();
  const late = await machine.startProcess();
  const times = [server, worker, early, late].map(({ now }) => now());
  assert.ok(Math.max(...times) - Math.min(...times) < 1_000, times.join());
  assert.ok(Math.min(...times) >= START_MS + 5 * HOUR_MS, times.join());
});
