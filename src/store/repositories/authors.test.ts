import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { readAuthor, rememberAuthor } from "./authors.ts";

for (const engine of ENGINES) {
  test(`${engine.name}: a cached author is returned until the entry is too old`, () =>
    withStore(engine, async ({ database }) => {
      const author = { repositoryId: 5_000_000_000, login: "ada", mergedPullRequests: 3, readAt: 1_000 };
      assert.equal(await readAuthor(author.repositoryId, "ada", 0, database), null);
      await rememberAuthor(author, database);
      assert.deepEqual(await readAuthor(author.repositoryId, "ada", 999, database), author);
      assert.equal(await readAuthor(author.repositoryId, "ada", 1_000, database), null);
      assert.equal(await readAuthor(1, "ada", 0, database), null);
      const later = { ...author, mergedPullRequests: 4, readAt: 2_000 };
      await rememberAuthor(later, database);
      assert.deepEqual(await readAuthor(author.repositoryId, "ada", 1_500, database), later);
    }));
}
