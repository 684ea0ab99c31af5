import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Sql } from "../database.ts";
import { readReviewedRuns, writeRunReadings } from "./run-readings.ts";
import { claimRun, finishRun, type RunEnd } from "./runs.ts";
import type { RunRequest } from "./to-run.ts";

const pull = { repositoryId: 5_000_000_000, pullRequest: 7 };

/** A run of the pull request at this head, with readings if it finished. */
async function addRun(
  head: string,
  end: { readonly status: RunEnd["status"]; readonly at: number } | null,
  database: Sql,
  more: Partial<RunRequest> = {},
): Promise<number> {
  const request = { ...pull, jobId: 1, installationId: 1, repository: "acme/shop", base: `base of ${head}` };
  const run = await claimRun({ ...request, head, triggers: "opened", startedAt: 1, ...more }, database);
  await writeRunReadings(run.id, { config: `config of ${head}`, readings: `readings of ${head}` }, database);
  if (end !== null)
    await finishRun(
      run.id,
      { status: end.status, reason: "published", findingsTotal: 0, findingsReported: 0, finishedAt: end.at },
      database,
    );
  return run.id;
}

async function reviewed(database: Sql, maxRuns = 5) {
  return (await readReviewedRuns(pull, maxRuns, database)).map((run) => ({ ...run }));
}

async function heads(database: Sql, maxRuns = 5): Promise<readonly string[]> {
  return (await reviewed(database, maxRuns)).map(({ head }) => head);
}

for (const engine of ENGINES) {
  test(`${engine.name}: reviewed runs of a pull request are read with their readings, newest first and limited`, () =>
    withStore(engine, async ({ database }) => {
      await addRun("aaa", { status: "completed", at: 300 }, database);
      await addRun("bbb", { status: "partial", at: 200 }, database);
      await addRun("ccc", { status: "completed", at: 400 }, database);
      await addRun("other", { status: "completed", at: 500 }, database, { pullRequest: 8 });
      await addRun("foreign", { status: "completed", at: 500 }, database, { repositoryId: 1 });
      assert.deepEqual(await heads(database), ["ccc", "aaa", "bbb"]);
      assert.deepEqual(await heads(database, 2), ["ccc", "aaa"]);
      assert.deepEqual(await reviewed(database, 1), [
        { base: "base of ccc", head: "ccc", config: "config of ccc", readings: "readings of ccc" },
      ]);
    }));

  test(`${engine.name}: runs that are running, failed or were skipped have reviewed nothing`, () =>
    withStore(engine, async ({ database }) => {
      await addRun("running", null, database);
      await addRun("failed", { status: "failed", at: 200 }, database);
      await addRun("skipped", { status: "skipped", at: 300 }, database);
      assert.deepEqual(await heads(database), []);
    }));

  test(`${engine.name}: the readings of another attempt of the same run replace the first ones`, () =>
    withStore(engine, async ({ database }) => {
      const id = await addRun("aaa", { status: "completed", at: 100 }, database);
      await writeRunReadings(id, { config: "c", readings: "r" }, database);
      assert.deepEqual(await reviewed(database), [
        { base: "base of aaa", head: "aaa", config: "c", readings: "r" },
      ]);
    }));
}
