/** Our ids of repositories: the app's host keeps its numbers, other hosts get others, and no repository ever gets a second one. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { ENGINES, withStore } from "../../../test/support/queue-contract/engines.ts";
import { deleteRepository } from "./stored-repositories.ts";
import { openStore } from "../store.ts";
import {
  createRepositoryIds,
  FIRST_ID_OF_OTHERS,
  readHostedNumber,
  type RepositoryIds,
} from "./repository-ids.ts";

const APP_HOST = "github.com";

const keysOf = (host: string, forgeIds: readonly number[]) => forgeIds.map((forgeId) => ({ host, forgeId }));

const idsOf = (keys: ReturnType<typeof keysOf>, ids: RepositoryIds): Promise<readonly number[]> =>
  Promise.all(keys.map((key) => ids.idOf(key)));

async function idsInTurn(keys: ReturnType<typeof keysOf>, ids: RepositoryIds): Promise<readonly number[]> {
  const found: number[] = [];
  for (const key of keys) found.push(await ids.idOf(key));
  return found;
}

for (const engine of ENGINES) {
  test(`${engine.name}: the app's host keeps its numbers, and the same numbers on other hosts get other ids`, () =>
    withStore(engine, async ({ database }) => {
      const ids = createRepositoryIds(database, APP_HOST);
      const numbers = [22, 1_200_000_000];
      const [here, there, elsewhere] = await Promise.all(
        [APP_HOST, "ghe.example.org", "code.example.org"].map((host) => idsOf(keysOf(host, numbers), ids)),
      );
      assert.deepEqual(here, numbers);
      const others = [...(there ?? []), ...(elsewhere ?? [])];
      assert.equal(new Set(others).size, 4);
      for (const id of others) assert.ok(id >= FIRST_ID_OF_OTHERS && Number.isSafeInteger(id), String(id));
      for (const [index, id] of (there ?? []).entries())
        assert.deepEqual(await readHostedNumber(id, database), {
          host: "ghe.example.org",
          forgeId: numbers[index],
        });
    }));

  test(`${engine.name}: processes that meet the same repositories at once agree, and a restart changes nothing`, () =>
    withStore(engine, async ({ database }, url) => {
      const second = await openStore(url);
      try {
        const keys = [...keysOf("ghe.example.org", [1, 2, 3, 4, 5]), ...keysOf(APP_HOST, [1, 2, 3])];
        const [one, other] = await Promise.all([
          idsOf(keys, createRepositoryIds(database, APP_HOST)),
          idsOf(keys.toReversed(), createRepositoryIds(second.database, APP_HOST)),
        ]);
        assert.deepEqual(one, other.toReversed());
        assert.equal(new Set(one).size, keys.length);
        assert.deepEqual(await idsOf(keys, createRepositoryIds(database, APP_HOST)), one);
      } finally {
        await second.close();
      }
    }));

  test(`${engine.name}: a number as large as the ids of others gets one of theirs, and none is given twice`, () =>
    withStore(engine, async ({ database }) => {
      const ids = createRepositoryIds(database, APP_HOST);
      const [first] = await idsOf(keysOf("ghe.example.org", [7]), ids);
      const [large] = await idsOf(keysOf(APP_HOST, [FIRST_ID_OF_OTHERS]), ids);
      assert.deepEqual([first, large], [FIRST_ID_OF_OTHERS, FIRST_ID_OF_OTHERS + 1]);
    }));

  test(`${engine.name}: rows of a host without a name, or with an old one, get the name and keep their id`, () =>
    withStore(engine, async ({ database }) => {
      await database.query("insert into repositories (id, host, forge_id) values (22, '', 22)");
      assert.deepEqual(await idsOf(keysOf("ghe.old", [22]), createRepositoryIds(database, "ghe.old")), [22]);
      assert.deepEqual(await idsOf(keysOf("ghe.new", [22]), createRepositoryIds(database, "ghe.new")), [22]);
      const rows = await database.query("select id, host, forge_id from repositories");
      assert.deepEqual(
        rows.map((row) => Object.values(row)),
        [[22, "ghe.new", 22]],
      );
      // A row that only an older version has written under.
      assert.deepEqual(await readHostedNumber(99, database), { host: "", forgeId: 99 });
    }));

  test(`${engine.name}: a deleted repository leaves nothing behind, and its id goes to no other`, () =>
    withStore(engine, async ({ database }) => {
      const ids = createRepositoryIds(database, APP_HOST);
      const [here = 0] = await idsOf(keysOf(APP_HOST, [7_777]), ids);
      const [there = 0] = await idsOf(keysOf("ghe.example.org", [7_777]), ids);
      await deleteRepository(here, database);
      await deleteRepository(there, database);
      const left = await database.query("select host, forge_id from repositories");
      assert.doesNotMatch(JSON.stringify(left), /ghe|github|7777/);
      const again = [
        ...(await idsOf(keysOf(APP_HOST, [7_777]), ids)),
        ...(await idsInTurn(keysOf("ghe.example.org", [1, 7_777]), ids)),
      ];
      assert.deepEqual(again, [here, there + 1, there + 2]);
    }));

  test(`${engine.name}: after a failure the next call looks again`, () =>
    withStore(engine, async ({ database }) => {
      let isDown = true;
      const flaky = {
        ...database,
        query: ((text, params) => {
          if (isDown) throw new Error("no database");
          return database.query(text, params);
        }) as typeof database.query,
      };
      const ids = createRepositoryIds(flaky, APP_HOST);
      await assert.rejects(ids.idOf({ host: APP_HOST, forgeId: 5 }), /no database/);
      isDown = false;
      assert.equal(await ids.idOf({ host: APP_HOST, forgeId: 5 }), 5);
    }));
}
