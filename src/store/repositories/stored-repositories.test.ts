import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteRepository, findRepositoriesOf, findStored } from "./stored-repositories.ts";
import { claimRun } from "./runs.ts";
import type { Database } from "../database.ts";

/** Finds the tables whose columns name a repository or a run. */
async function tablesOfRepositories(database: Database): Promise<readonly string[]> {
  const rows = await database.query<{ name: string }>(
    database.dialect.name === "sqlite"
      ? `select distinct made.name from sqlite_schema as made join pragma_table_info(made.name) as col
         where made.type = 'table' and col.name in ('repository_id', 'run_id')`
      : `select distinct table_name as name from information_schema.columns
         where table_schema = current_schema() and column_name in ('repository_id', 'run_id')`,
  );
  return rows.map(({ name }) => name).toSorted();
}

for (const engine of ENGINES) {
  test(`${engine.name}: deleting a repository covers every table with rows of repositories`, () =>
    withStore(engine, async ({ database }) => {
      const deleted: string[] = [];
      const recording: Database = {
        ...database,
        transaction: (work) =>
          work({
            async query(text) {
              deleted.push(/^delete from (\w+)/.exec(text)?.[1] ?? text);
              return [];
            },
          }),
      };
      await deleteRepository(1, recording);
      assert.deepEqual(deleted.toSorted(), await tablesOfRepositories(database));
    }));

  test(`${engine.name}: a repository is found by its installation until it is deleted`, () =>
    withStore(engine, async ({ database }) => {
      const common = { installationId: 7, pullRequest: 1, base: "b", head: "h", triggers: "", startedAt: 1 };
      await claimRun({ ...common, jobId: 1, repositoryId: 1, repository: "acme/one" }, database);
      await claimRun({ ...common, jobId: 2, repositoryId: 2, repository: "acme/two" }, database);
      assert.deepEqual(new Set(await findRepositoriesOf(7, database)), new Set([1, 2]));
      assert.deepEqual(await findStored(1, database), { name: "acme/one", jobIds: [1] });
      await deleteRepository(1, database);
      assert.deepEqual(await findRepositoriesOf(7, database), [2]);
      assert.deepEqual(await findStored(1, database), { name: null, jobIds: [] });
    }));
}
