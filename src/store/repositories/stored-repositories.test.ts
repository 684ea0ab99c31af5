import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { fillTablesOf, findTablesWith } from "../../../test/support/rows-of-repositories.ts";
import { deleteRepository, findRepositoriesOf, findStored } from "./stored-repositories.ts";
import { claimRun } from "./runs.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: deleting a repository covers every table with rows of repositories`, () =>
    withStore(engine, async ({ database }) => {
      const filled = await fillTablesOf(1, database);
      await fillTablesOf(2, database);
      assert.deepEqual(await findTablesWith(1, database), filled);
      await deleteRepository(1, database);
      assert.deepEqual(await findTablesWith(1, database), []);
      assert.deepEqual(await findTablesWith(2, database), filled);
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
