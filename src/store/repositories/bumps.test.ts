import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import {
  type Bump,
  type BumpFacts,
  hasBumps,
  listBumps,
  markReverted,
  readMergedBumps,
  settleBumps,
  writeBumps,
} from "./bumps.ts";
import { deleteRepository } from "./stored-repositories.ts";

const REPOSITORY = 5_000_000_000;

const bumpOf = (name: string, from: string, to: string): Bump => ({ ecosystem: "npm", name, from, to });
/** Nothing was found out about it. */
const seen = (bump: Bump): Bump & BumpFacts => ({ ...bump, confidence: "high", advisories: null });
const scopeOf = (pullRequest: number) => ({ repositoryId: REPOSITORY, pullRequest });

for (const engine of ENGINES) {
  test(`${engine.name}: a push replaces the open bumps of its pull request, and merged ones stay`, () =>
    withStore(engine, async ({ database }) => {
      assert.equal(await hasBumps(REPOSITORY, database), false);
      await writeBumps(
        [seen(bumpOf("a", "1", "2")), seen(bumpOf("b", "1", "2"))],
        { ...scopeOf(1), head: "h1" },
        database,
      );
      await writeBumps(
        [seen(bumpOf("a", "1", "3")), seen(bumpOf("a", "1", "3"))],
        { ...scopeOf(1), head: "h2" },
        database,
      );
      assert.equal(await hasBumps(REPOSITORY, database), true);
      assert.deepEqual(await settleBumps(scopeOf(1), 1_000, database), [bumpOf("a", "1", "3")]);
      assert.deepEqual(await settleBumps(scopeOf(1), 2_000, database), [], "it was settled before");
      await writeBumps([], { ...scopeOf(1), head: "h3" }, database);
      const both = [{ ecosystem: "npm", name: "a" }, bumpOf("b", "", ""), { ecosystem: "npm", name: "a" }];
      assert.deepEqual(await readMergedBumps(both, { repositoryId: REPOSITORY, limit: 5 }, database), [
        { ...bumpOf("a", "1", "3"), pullRequest: 1, mergedAt: 1_000, revertedAt: null },
      ]);
      assert.deepEqual(await readMergedBumps(both, { repositoryId: 1, limit: 5 }, database), []);
      await deleteRepository(REPOSITORY, database);
      assert.equal(await hasBumps(REPOSITORY, database), false);
    }));

  test(`${engine.name}: what a review found out about a bump is listed, and unknown isn't none`, () =>
    withStore(engine, async ({ database }) => {
      const advisory = { id: "GHSA-1", url: "https://x.test/1", severity: "high", fate: "introduced" };
      const found = { confidence: "low: a breaking version", advisories: [advisory] };
      await writeBumps(
        [
          { ...bumpOf("a", "1", "2"), ...found },
          { ...bumpOf("b", "1", "2"), confidence: "high", advisories: [] },
          seen(bumpOf("c", "1", "2")),
        ],
        { ...scopeOf(1), head: "h" },
        database,
      );
      await database.query(
        `insert into bumps (repository_id, pull_request, ecosystem, package, from_version, to_version, head, state)
         values ($1, 1, 'npm', 'd', '1', '2', 'h', 'open')`,
        [REPOSITORY],
      );
      const listed = await listBumps({ readable: "all", repositoryId: REPOSITORY, limit: 9 }, database);
      assert.deepEqual(
        listed.map(({ facts }) => facts),
        [found, { confidence: "high", advisories: [] }, { confidence: "high", advisories: null }, null],
      );
    }));

  test(`${engine.name}: the newest merged bumps of many packages are read, closed ones aren't, and a mark stays`, () =>
    withStore(engine, async ({ database }) => {
      const names = Array.from({ length: 300 }, (_, index) => `package-${index}`);
      for (let pullRequest = 1; pullRequest <= 4; pullRequest++) {
        const bumps = names.map((name) => seen(bumpOf(name, `${pullRequest}`, `${pullRequest + 1}`)));
        await writeBumps(bumps, { ...scopeOf(pullRequest), head: "h" }, database);
        await settleBumps(scopeOf(pullRequest), pullRequest === 4 ? null : pullRequest * 100, database);
      }
      const one = bumpOf("package-7", "3", "4");
      await markReverted(scopeOf(3), { bump: one, at: 500 }, database);
      await markReverted(scopeOf(3), { bump: null, at: 600 }, database);
      await markReverted(scopeOf(4), { bump: null, at: 700 }, database);
      const packages = names.map((name) => ({ ecosystem: "npm", name }));
      const read = await readMergedBumps(packages, { repositoryId: REPOSITORY, limit: 2 }, database);
      assert.equal(read.length, 600);
      assert.deepEqual(
        read.filter(({ name }) => name === "package-7"),
        [
          { ...one, pullRequest: 3, mergedAt: 300, revertedAt: 500 },
          { ...bumpOf("package-7", "2", "3"), pullRequest: 2, mergedAt: 200, revertedAt: null },
        ],
      );
      assert.deepEqual(
        read.filter(({ name }) => name === "package-8").map(({ revertedAt }) => revertedAt),
        [600, null],
      );
    }));
}
