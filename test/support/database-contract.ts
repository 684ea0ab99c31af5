/** The contract of the Database port for every engine: values, transactions, and closing. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { KodiaiError } from "../../src/base/errors.ts";
import { openStore } from "../../src/store/store.ts";
import { type Engine, withStore } from "./queue-contract/engines.ts";
import type { Database } from "../../src/store/database.ts";

const insert = "insert into things (id, name) values ($1, $2)";

async function idsIn(database: Database): Promise<readonly number[]> {
  const rows = await database.query<{ id: number }>("select id from things order by id");
  return rows.map(({ id }) => id);
}

async function nameOf(id: number, database: Database): Promise<string | null> {
  const [row] = await database.query<{ name: string | null }>("select name from things where id = $1", [id]);
  assert.ok(row !== undefined, `there is nothing with id ${id}`);
  return row.name;
}

async function withThings(
  engine: Engine,
  work: (database: Database, url: string) => Promise<void>,
): Promise<void> {
  await withStore(engine, async ({ database }, url) => {
    await database.query("create table things (id bigint primary key, name text)");
    await work(database, url);
  });
}

export function testDatabase(engine: Engine): void {
  const on = (title: string): string => `${engine.name}: ${title}`;

  test(on("values are read as they were written and never become part of the SQL text"), () =>
    withThings(engine, async (database) => {
      const names = [
        "'; drop table things; -- $1",
        '\u{1f600} e\u0301 \ufeff \u202e \\ \n\r\t \u0001 ${x} "quoted"',
        "",
        "007",
        "1e3",
        "null",
        "x".repeat(1_000_000),
        null,
      ];
      for (const [id, name] of names.entries()) {
        await database.query(insert, [id, name]);
        assert.equal(await nameOf(id, database), name);
        const found = await database.query("select id from things where name = $1", [name]);
        assert.equal(found.length, name === null ? 0 : 1);
      }
      const [row] = await database.query(
        "select name, $2 as second, $1 as first, $2 as again, '$1' as quoted from things where id = 3",
        ["one", null],
      );
      assert.deepEqual({ ...row }, { name: "007", second: null, first: "one", again: null, quoted: "$1" });
    }),
  );

  test(on("a number in a text column is stored as digits, and digits in a number column as a number"), () =>
    withThings(engine, async (database) => {
      await database.query(insert, [8, 5]);
      await database.query(insert, ["9", 5_000_000_000]);
      assert.deepEqual(
        [await nameOf(8, database), await nameOf(9, database), await idsIn(database)],
        ["5", "5000000000", [8, 9]],
      );
      assert.deepEqual(
        (await database.query("select id from things where name = $1 or id = $2", [5, "9"])).length,
        2,
      );
    }),
  );

  test(on("text that not every engine can store reads the same on all engines"), () =>
    withThings(engine, async (database) => {
      await database.query(insert, [1, "a\0b \ud800 c \udc00"]);
      assert.equal(await nameOf(1, database), "a\ufffdb \ufffd c \ufffd");
      assert.equal(
        (await database.query("select id from things where name = $1", ["a\0b \ud800 c \udc00"])).length,
        1,
      );
    }),
  );

  test(on("flags are 0 and 1, counts and sums are numbers"), () =>
    withThings(engine, async (database) => {
      for (const id of [1, 2, 4]) await database.query(insert, [id, "x"]);
      const [row] = await database.query(
        `select count(*) as total, sum(id) as added, max(id) as largest, min(name) as first,
           case when max(id) > $1 then 1 else 0 end as is_large from things`,
        [3],
      );
      assert.deepEqual({ ...row }, { total: 3, added: 7, largest: 4, first: "x", is_large: 1 });
    }),
  );

  test(on("a missing or extra value is an error, not null"), () =>
    withThings(engine, async (database) => {
      for (const values of [[1], [1, "a", "b"]]) {
        await assert.rejects(
          database.query(insert, values),
          (error) => error instanceof Error && !(error instanceof KodiaiError),
        );
      }
      assert.deepEqual(await idsIn(database), []);
    }),
  );

  test(on("integers are exact up to 2^53, and larger ones are errors in both directions"), () =>
    withThings(engine, async (database) => {
      const largest = Number.MAX_SAFE_INTEGER;
      await database.query(insert, [largest, "largest"]);
      await database.query(insert, [-largest, "smallest"]);
      assert.deepEqual(await idsIn(database), [-largest, largest]);
      for (const bad of [largest + 1, -largest - 1, 1e300, Number.NaN, Number.POSITIVE_INFINITY]) {
        await assert.rejects(database.query(insert, [bad, "bad"]), /can't be stored exactly/);
      }
      await database.query("insert into things (id, name) values (9007199254740993, 'by hand')");
      await assert.rejects(
        idsIn(database),
        (error) =>
          error instanceof KodiaiError && error.code === "database" && /too large/.test(error.message),
      );
      // The connection still works.
      assert.equal(await nameOf(largest, database), "largest");
    }),
  );

  test(on("a transaction is atomic and rejects with the error of its work"), () =>
    withThings(engine, async (database) => {
      const boom = new Error("boom");
      await assert.rejects(
        database.transaction(async (sql) => {
          await sql.query(insert, [1, "a"]);
          throw boom;
        }),
        (error) => error === boom,
      );
      assert.deepEqual(await idsIn(database), []);
      const value = await database.transaction(async (sql) => {
        await sql.query(insert, [2, "b"]);
        return (await sql.query("select id from things")).length;
      });
      assert.equal(value, 1);
      assert.deepEqual(await idsIn(database), [2]);
    }),
  );

  test(on("a transaction that ignores a failed statement is rolled back and rejects"), () =>
    withThings(engine, async (database) => {
      await database.query(insert, [1, "a"]);
      const bad: readonly (readonly [string, readonly (string | number)[]])[] = [
        [insert, [1, "the same key"]],
        [insert, [2 ** 60, "refused before it is sent"]],
        ["insert into nowhere (id) values ($1)", [1]],
        ["select no_such_column from things", []],
      ];
      for (const [sql, values] of bad) {
        const swallowing = database.transaction(async (inside) => {
          await inside.query(insert, [2, "before"]);
          await inside.query(sql, values).catch(() => {});
        });
        await assert.rejects(swallowing, /rolled back: one of its statements failed/);
        assert.deepEqual(await idsIn(database), [1]);
      }
      await database.query(insert, [3, "later ones work"]);
      assert.deepEqual(await idsIn(database), [1, 3]);
    }),
  );

  test(on("a failed statement doesn't affect concurrent transactions"), () =>
    withThings(engine, async (database) => {
      for (const bad of [1, 2, 3]) {
        await database.query("delete from things");
        const outcomes = await Promise.allSettled(
          [1, 2, 3].map((id) =>
            database.transaction(async (sql) => {
              await sql.query(insert, [id, "x"]);
              if (id === bad) await sql.query(insert, [id, "the same key again"]);
            }),
          ),
        );
        const others = [1, 2, 3].filter((id) => id !== bad);
        assert.equal(outcomes[bad - 1]?.status, "rejected");
        assert.deepEqual(await idsIn(database), others);
      }
    }),
  );

  test(on("concurrent statements of a transaction run in order"), () =>
    withThings(engine, async (database) => {
      const counts = await database.transaction(async (sql) => {
        const sent = [1, 2, 3].flatMap((id) => [
          sql.query(insert, [id, "x"]),
          sql.query("select id from things"),
        ]);
        return (await Promise.all(sent)).map((rows) => rows.length);
      });
      assert.deepEqual(counts, [0, 1, 0, 2, 0, 3]);
    }),
  );

  test(on("a transaction is invisible before its commit and visible once it has resolved"), () =>
    withThings(engine, async (database, url) => {
      const other = await openStore(url);
      try {
        const inside = await database.transaction(async (sql) => {
          await sql.query(insert, [1, "a"]);
          const own = await sql.query("select id from things");
          return [own.length, (await idsIn(database)).length, (await idsIn(other.database)).length];
        });
        assert.deepEqual(inside, [1, 0, 0]);
        assert.deepEqual(await idsIn(other.database), [1]);
        assert.deepEqual(await idsIn(database), [1]);
      } finally {
        await other.close();
      }
    }),
  );

  test(on("more transactions than connections all finish"), () =>
    withThings(engine, async (database) => {
      const ids = Array.from({ length: 100 }, (_, index) => index);
      await Promise.all(
        ids.map((id) =>
          database.transaction(async (sql) => {
            await sql.query(insert, [id, "x"]);
            // Reads outside the transaction aren't part of it and must not wait for it.
            await database.query("select count(*) as total from things");
          }),
        ),
      );
      assert.deepEqual(await idsIn(database), ids);
    }),
  );

  test(on("statements after the end of a transaction, and nested transactions, are errors"), () =>
    withThings(engine, async (database) => {
      const leaked = await database.transaction((sql) => Promise.resolve(sql));
      await assert.rejects(leaked.query("select 1 as one"), /has ended/);
      await assert.rejects(
        database.transaction(() => database.transaction((sql) => sql.query(insert, [1, "a"]))),
        /can't be nested/,
      );
      assert.deepEqual(await idsIn(database), []);
      await database.query(insert, [1, "a"]);
      assert.deepEqual(await idsIn(database), [1]);
    }),
  );

  test(on("close waits for running work, and later calls are refused"), () =>
    withThings(engine, async (_, url) => {
      const store = await openStore(url, { connections: 2 });
      const { database } = store;
      const begun = [1, 2, 3, 4, 5].map((id) => database.query(insert, [id, "a"]));
      const transaction = database.transaction(async (sql) => {
        await sql.query(insert, [6, "b"]);
        await sql.query("select 1 as one");
        await sql.query(insert, [7, "c"]);
      });
      await store.close();
      await Promise.all([...begun, transaction]);
      await store.close();
      await database.close();
      const isClosed = (error: unknown): boolean =>
        error instanceof KodiaiError && /closed/.test(error.message);
      await assert.rejects(database.query(insert, [8, "b"]), isClosed);
      await assert.rejects(database.query("select 1 as one"), isClosed);
      await assert.rejects(
        database.transaction((sql) => sql.query("select 1 as one")),
        isClosed,
      );
      const again = await openStore(url);
      assert.deepEqual(await idsIn(again.database), [1, 2, 3, 4, 5, 6, 7]);
      await again.close();
    }),
  );
}
