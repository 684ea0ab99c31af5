import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import type { Sql } from "../database.ts";
import { claimRun } from "./runs.ts";
import {
  deleteSpendingsOfQuietSince,
  insertSpending,
  lockSpending,
  settleSpending,
  type SpendingScope,
  sumSpendings,
} from "./spendings.ts";

const SCOPE: SpendingScope = {
  runId: 5_000_000_001,
  installationId: 5_000_000_002,
  repositoryId: 5_000_000_003,
  pullRequest: 7,
  author: "ada",
  isOutsider: false,
};

async function spend(scope: Partial<SpendingScope>, at: number, sql: Sql): Promise<number> {
  const { installationId, ...rest } = { ...SCOPE, ...scope };
  await lockSpending(installationId, at, sql);
  return insertSpending({ ...rest, installationId, model: "a:x", microUsd: 1_000, at }, sql);
}

const spentFor = (scope: Partial<SpendingScope>, sql: Sql): Promise<number> =>
  sumSpendings({ ...SCOPE, ...scope }, { of: "pull-request" }, { exceptId: null, sql });

for (const engine of ENGINES) {
  test(`${engine.name}: all spending of a pull request is deleted together once it has been inactive for long`, () =>
    withStore(engine, async ({ database }) => {
      const quiet = { pullRequest: 1 };
      const settled = await spend(quiet, 10, database);
      await settleSpending(settled, 500, database);
      // A reservation of a crashed process is never settled.
      await spend(quiet, 99, database);
      const spentSince = { pullRequest: 2 };
      await spend(spentSince, 10, database);
      await spend(spentSince, 100, database);
      const elsewhere = { pullRequest: 1, repositoryId: 9, installationId: 9 };
      await spend(elsewhere, 100, database);
      const old = { pullRequest: 1, repositoryId: 10, installationId: 10 };
      await spend(old, 50, database);

      await deleteSpendingsOfQuietSince(10, database);
      assert.equal(await spentFor(quiet, database), 1_500);
      await deleteSpendingsOfQuietSince(100, database);
      assert.equal(await spentFor(quiet, database), 0);
      assert.equal(await spentFor(spentSince, database), 2_000);
      assert.equal(await spentFor(elsewhere, database), 1_000);
      assert.equal(await spentFor(old, database), 0);
    }));

  test(`${engine.name}: a pull request without budget left doesn't get it back while reviews continue without a model`, () =>
    withStore(engine, async ({ database }) => {
      await spend({}, 10, database);
      const { installationId, repositoryId, pullRequest } = SCOPE;
      await claimRun(
        {
          jobId: 1,
          installationId,
          repositoryId,
          repository: "acme/shop",
          pullRequest,
          base: "base",
          head: "head",
          triggers: "push",
          startedAt: 100,
        },
        database,
      );
      await deleteSpendingsOfQuietSince(100, database);
      assert.equal(await spentFor({}, database), 1_000);
      await deleteSpendingsOfQuietSince(101, database);
      assert.equal(await spentFor({}, database), 0);
    }));
}
