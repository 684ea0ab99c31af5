/** Tests the PostgreSQL engine on a real server: restarts, lost connections, conflicts, limits. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { after, before, describe, test } from "node:test";
import { KodiaiError } from "../src/base/errors.ts";
import {
  openPostgresDatabase,
  type PostgresDatabase,
  type PostgresOptions,
} from "../src/store/postgres/postgres-database.ts";
import { eventually } from "./support/eventually.ts";
import { type Cluster, startCluster } from "./support/postgres/cluster.ts";
import { type Proxy, startProxy } from "./support/postgres/proxy.ts";
import { makeDatabase } from "./support/postgres/shared-cluster.ts";

const insert = "insert into things (id, name) values ($1, $2)";

type Things = {
  readonly database: PostgresDatabase;
  readonly url: string;
  /** Separate connections to the same database, which no test disturbs. */
  readonly aside: PostgresDatabase;
};

const TABLE = "create table things (id bigint primary key, name text)";

/** Uses the server that all tests share and that is never stopped. */
async function withThings(
  work: (things: Things) => Promise<void>,
  options: Partial<PostgresOptions> = {},
): Promise<void> {
  const created = await makeDatabase({ isMigrated: false });
  const { url } = created;
  const database = openPostgresDatabase({ url, connections: 4, ...options });
  const aside = openPostgresDatabase({ url, connections: 2 });
  try {
    await aside.query(TABLE);
    await work({ database, url, aside });
  } finally {
    await Promise.all([database.close(), aside.close()]);
    await created.remove();
  }
}

/** Connects through a proxy that simulates a failing network. */
async function withProxy(work: (things: Things & { readonly proxy: Proxy }) => Promise<void>): Promise<void> {
  await withThings(async ({ url, aside }) => {
    const proxy = await startProxy(Number(new URL(url).port));
    const through = throughProxy(url, proxy);
    const database = openPostgresDatabase({ url: through, connections: 4 });
    try {
      await work({ database, url: through, aside, proxy });
    } finally {
      await database.close();
      await proxy.close();
    }
  });
}

function throughProxy(url: string, { port }: Proxy): string {
  const address = new URL(url);
  address.port = String(port);
  return address.href;
}

async function thingsIn(database: PostgresDatabase): Promise<readonly (readonly [number, string | null])[]> {
  const rows = await database.query<{ id: number; name: string | null }>(
    "select id, name from things order by id",
  );
  return rows.map(({ id, name }) => [id, name] as const);
}

const isUnreachable = (error: unknown): boolean => {
  assert.ok(error instanceof KodiaiError, String(error));
  assert.deepEqual([error.code, error.retryable], ["database", true]);
  assert.match(error.message, /^The PostgreSQL database "\w+" on 127\.0\.0\.1:\d+ is unreachable/);
  assert.match(error.hint, /Check that PostgreSQL is running on 127\.0\.0\.1:\d+/);
  return true;
};

/** Resolves once it has been called `count` times. */
function barrier(count: number): () => Promise<void> {
  let open = (): void => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let waiting = 0;
  return () => {
    if (++waiting === count) open();
    return opened;
  };
}

async function startProcess(url: string, task: "hold" | "use") {
  const script = new URL("support/postgres/database-process.ts", import.meta.url).pathname;
  const child = spawn(process.execPath, [script, url, task], { stdio: ["pipe", "pipe", "inherit"] });
  const words: string[] = [];
  createInterface({ input: child.stdout }).on("line", (word) => words.push(word));
  const exited = once(child, "exit");
  return {
    child,
    words,
    exited,
    hasPrinted: (word: string) => eventually(`it prints ${word}`, () => words.includes(word)),
    proceed: () => void child.stdin.write("go on\n"),
  };
}

void describe("a server that restarts", () => {
  let cluster: Cluster;
  let database: PostgresDatabase;
  let count = 0;
  before(async () => {
    cluster = await startCluster({ isDurable: true });
    database = openPostgresDatabase({ url: cluster.url("postgres"), connections: 4 });
  });
  after(async () => {
    await database.close();
    await cluster.remove();
  });
  const cleanTable = async (): Promise<void> => {
    if (count++ > 0) await database.query("drop table things");
    await database.query(TABLE);
  };
  const crash = async (): Promise<void> => {
    await cluster.crash();
    await cluster.start();
  };

  for (const [how, interrupt] of [
    ["restarted", () => cluster.restart()],
    ["crashed", crash],
  ] as const) {
    test(`a transaction is retried when the server is ${how}, and takes effect once`, async () => {
      for (const moment of ["between", "last"] as const) {
        await cleanTable();
        let runs = 0;
        const value = await database.transaction(async (sql) => {
          runs++;
          await sql.query(insert, [1, `run ${runs}`]);
          if (runs === 1 && moment === "between") await interrupt();
          await sql.query(insert, [2, `run ${runs}`]);
          if (runs === 1 && moment === "last") await interrupt();
          return runs;
        });
        assert.deepEqual([value, runs], [2, 2]);
        assert.deepEqual(await thingsIn(database), [
          [1, "run 2"],
          [2, "run 2"],
        ]);
      }
    });
  }

  test("a transaction is retried even if its work wraps the error of the lost connection", async () => {
    await cleanTable();
    let runs = 0;
    await database.transaction(async (sql) => {
      runs++;
      if (runs === 1) await cluster.restart();
      await sql.query(insert, [1, "a"]).catch((error: unknown) => {
        throw new Error("the thing could not be written", { cause: error });
      });
    });
    assert.deepEqual([runs, await thingsIn(database)], [2, [[1, "a"]]]);
  });

  test("reads work during and after a restart of the server", async () => {
    await cleanTable();
    await database.query(insert, [1, "a"]);
    const back = new AbortController();
    const restarting = cluster.restart().finally(() => back.abort());
    for (let reads = 0; !back.signal.aborted || reads < 20; reads++) {
      const found = await Promise.all([1, 2, 3, 4].map(() => thingsIn(database)));
      for (const things of found) assert.deepEqual(things, [[1, "a"]]);
    }
    await restarting;
  });

  test("a listener that reconnects is called once, and receives later notifications", async () => {
    let heard = 0;
    const listening = database.listen("things", () => heard++);
    await eventually("the listener is there", () => heard === 1);
    await cluster.restart();
    await eventually("the listener is back", () => heard === 2);
    await database.query("select pg_notify('things', '')");
    await eventually("the notification is heard", () => heard === 3);
    await listening.stop();
    await database.query("select pg_notify('things', '')");
    await eventually("the connection is closed", async () => {
      const [row] = await database.query<{ total: number }>(
        "select count(*) as total from pg_stat_activity where query ilike 'listen%' or query = 'select 1'",
      );
      return row?.total === 0;
    });
    assert.equal(heard, 3);
  });

  test("an unreachable server is an error after some seconds, doesn't delay closing, and works again later", async () => {
    await cleanTable();
    const other = openPostgresDatabase({ url: cluster.url("postgres"), connections: 2 });
    let heard = 0;
    other.listen("things", () => heard++);
    await eventually("the listener is there", () => heard === 1);
    await cluster.stop();
    const startedAt = performance.now();
    await Promise.all([
      assert.rejects(database.query("select 1 as one"), isUnreachable),
      assert.rejects(database.query(insert, [1, "a"]), isUnreachable),
      assert.rejects(
        database.transaction((sql) => sql.query(insert, [1, "a"])),
        isUnreachable,
      ),
    ]);
    // Not at once: a restarted server is back within seconds.
    assert.ok(performance.now() - startedAt > 6_000);

    const order: string[] = [];
    const patient = assert.rejects(database.query("select 1 as one"), isUnreachable);
    const gaveUp = patient.then(() => order.push("gave up"));
    const waiting = assert.rejects(other.query("select 1 as one"), isUnreachable);
    await other.close();
    await waiting;
    order.push("closed");
    await gaveUp;
    assert.deepEqual(order, ["closed", "gave up"]);

    await cluster.start();
    await database.query(insert, [1, "b"]);
    assert.deepEqual(await thingsIn(database), [[1, "b"]]);
  });
});

void describe("a server that keeps running", { concurrency: true }, () => {
  test("a statement that takes longer than its limit is ended by the server, and others go on", () =>
    withThings(
      async ({ database }) => {
        const slow = (sql: string): Promise<unknown> =>
          assert.rejects(
            database.query(sql),
            (error) => error instanceof KodiaiError && error.code === "database",
          );
        await slow("select pg_sleep(600)");
        await slow("with slept as (select pg_sleep(600)) select count(*) from slept");
        await assert.rejects(database.transaction((sql) => sql.query("select pg_sleep(600)")));
        await database.transaction(async (sql) => {
          await sql.query(insert, [1, "one"]);
          // A caller's own statement next to its transaction.
          assert.deepEqual(await thingsIn(database), []);
        });
        assert.deepEqual(await thingsIn(database), [[1, "one"]]);
      },
      { statementTimeoutMs: 200 },
    ));

  test("a commit whose answer was lost isn't repeated", () =>
    withProxy(async ({ database, aside, proxy }) => {
      let runs = 0;
      proxy.swallowNextCommitAnswer();
      await assert.rejects(
        database.transaction((sql) => {
          runs++;
          return sql.query(insert, [runs, "a"]);
        }),
        isUnreachable,
      );
      assert.deepEqual([runs, await thingsIn(aside)], [1, [[1, "a"]]]);
      await database.query(insert, [2, "b"]);
      assert.equal((await thingsIn(aside)).length, 2);
    }));

  test("a write outside a transaction that may have succeeded isn't repeated", () =>
    withProxy(async ({ database, aside, proxy }) => {
      await aside.query("create table entries (id bigint generated by default as identity, text text)");
      const activity =
        "select 1 from pg_stat_activity where query like 'insert into entries%' and state = 'active'";
      const isActive = async (): Promise<boolean> => (await aside.query(activity)).length > 0;
      const write = database.query("insert into entries (text) select $1 from pg_sleep(0.5)", ["a"]);
      const refused = assert.rejects(write, isUnreachable);
      await eventually("the server runs it", isActive);
      proxy.cut();
      // A retry would succeed.
      proxy.heal();
      await refused;
      await eventually("the server is done", async () => !(await isActive()));
      assert.equal((await aside.query("select id from entries")).length, 1);
    }));

  test("statements that aren't awaited run in order, and the first failure undoes them and is the one reported", () =>
    withThings(async ({ database }) => {
      await database.transaction(async (sql) => {
        // Sent before the transaction has begun, and before the other's answer.
        const inserted = sql.query(insert, [1, "first"]);
        const [found] = await sql.query("select name from things where id = 1");
        assert.deepEqual(found, { name: "first" });
        await inserted;
      });
      await assert.rejects(
        database.transaction(async (sql) => {
          const duplicate = sql.query(insert, [1, "again"]);
          duplicate.catch(() => {});
          await sql.query(insert, [2, "second"]);
        }),
        /duplicate key/,
      );
      assert.deepEqual(await thingsIn(database), [[1, "first"]]);
    }));

  test("a deadlock between two transactions is resolved by retrying one of them", () =>
    withThings(async ({ database }) => {
      for (const id of [1, 2]) await database.query(insert, [id, ""]);
      const bothHaveOne = barrier(2);
      const runs = [0, 0];
      const update = (who: 0 | 1, ids: readonly number[]): Promise<void> =>
        database.transaction(async (sql) => {
          const run = (runs[who] = (runs[who] ?? 0) + 1);
          for (const id of ids) {
            await sql.query("update things set name = name || $2 where id = $1", [id, String(who)]);
            if (run === 1 && id === ids[0]) await bothHaveOne();
          }
        });
      await Promise.all([update(0, [1, 2]), update(1, [2, 1])]);
      assert.deepEqual([Math.min(...runs), Math.max(...runs)], [1, 2]);
      // Each transaction took effect once, in either order.
      for (const [, name] of await thingsIn(database)) assert.match(name ?? "", /^(?:01|10)$/);
    }));

  test("a permanent conflict is an error after several attempts", () =>
    withThings(async ({ database }) => {
      let runs = 0;
      await assert.rejects(
        database.transaction(async (sql) => {
          runs++;
          await sql.query("do $$ begin raise exception 'conflict' using errcode = '40001'; end $$");
        }),
        (error) =>
          error instanceof KodiaiError && error.retryable && /couldn't serialize/.test(error.message),
      );
      assert.equal(runs, 11);
    }));

  test("there are never more connections than allowed, plus one that listens", () =>
    withThings(async ({ database, aside }) => {
      let heard = 0;
      database.listen("things", () => heard++);
      await eventually("the listener is there", () => heard === 1);
      let most = 0;
      const ids = Array.from({ length: 30 }, (_, index) => index);
      await Promise.all(
        ids.flatMap((id) => [
          database.query("select pg_sleep(0.02), $1 as given", [id]),
          database.transaction(async (sql) => {
            await sql.query(insert, [id, "x"]);
            await sql.query("select pg_sleep(0.02), $1 as given", ["x"]);
            const [row] = await sql.query<{ total: number }>(
              "select count(*) as total from pg_stat_activity where datname = current_database()",
            );
            most = Math.max(most, row?.total ?? 0);
          }),
        ]),
      );
      // The connections of this database, the one that listens, and the one that created the table.
      assert.equal(most, 4 + 1 + 1);
      assert.equal((await thingsIn(aside)).length, ids.length);
    }));

  test("a transaction that waits too long for a connection is refused, and a single read doesn't wait", () =>
    withThings(
      async ({ database }) => {
        const [begun, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
        const holding = database.transaction(async () => {
          begun.resolve();
          await released.promise;
        });
        await begun.promise;
        const refused = assert.rejects(
          database.transaction((sql) => sql.query(insert, [1, "a"])),
          (error) => {
            assert.ok(error instanceof KodiaiError && error.retryable);
            assert.match(
              error.message,
              /^All connections of this process to .* have been in use for too long$/,
            );
            assert.match(error.hint, /KODIAI_DATABASE_CONNECTIONS/);
            return true;
          },
        );
        // Both happen while the only connection for transactions is in use.
        await database.query("select 1 as one");
        await refused;
        released.resolve();
        await holding;
        await database.transaction((sql) => sql.query(insert, [1, "b"]));
        assert.deepEqual(await thingsIn(database), [[1, "b"]]);
      },
      { connections: 2, acquireTimeoutMs: 200 },
    ));

  test("a process that freezes inside a transaction loses its locks after ten seconds and continues later", () =>
    withThings(async ({ database, url }) => {
      await database.query(insert, [1, ""]);
      const frozen = await startProcess(url, "hold");
      try {
        await frozen.hasPrinted("holding");
        frozen.child.kill("SIGSTOP");
        await database.transaction((sql) =>
          sql.query("update things set name = $1 where id = $2", ["free", 1]),
        );
        assert.deepEqual(await thingsIn(database), [[1, "free"]]);
        frozen.child.kill("SIGCONT");
        frozen.proceed();
        assert.deepEqual(await frozen.exited, [0, null]);
        assert.deepEqual(frozen.words, ["holding", "holding", "committed", "closed"]);
        assert.deepEqual(await thingsIn(database), [
          [1, "held in run 2"],
          [2, "added in run 2"],
        ]);
      } finally {
        frozen.child.kill("SIGKILL");
      }
    }));

  test("the listener detects a silent network and reconnects when it works again", () =>
    withProxy(async ({ database, aside, proxy }) => {
      let heard = 0;
      database.listen("things", () => heard++);
      await eventually("the listener is there", () => heard === 1);
      const connections = proxy.connectionCount();
      proxy.stall();
      await eventually("it tries another connection", () => proxy.connectionCount() > connections);
      proxy.heal();
      await eventually("the listener is back", () => heard > 1);
      const heardSoFar = heard;
      await aside.query("select pg_notify('things', '')");
      await eventually("the notification is heard", () => heard > heardSoFar);
    }));

  test("a transaction over a silent network fails after some seconds", () =>
    withProxy(async ({ database, aside, proxy }) => {
      await database.query("select 1 as one");
      proxy.stall();
      await assert.rejects(
        database.transaction((sql) => sql.query(insert, [1, "a"])),
        isUnreachable,
      );
      proxy.heal();
      await database.transaction((sql) => sql.query(insert, [1, "b"]));
      assert.deepEqual(await thingsIn(aside), [[1, "b"]]);
    }));

  for (const fault of ["stall", "cut", "none"] as const) {
    test(`a process that closes its database can exit (network: ${fault})`, () =>
      withProxy(async ({ url, proxy }) => {
        const used = await startProcess(url, "use");
        try {
          await used.hasPrinted("used");
          if (fault !== "none") proxy[fault]();
          used.proceed();
          assert.deepEqual(await used.exited, [0, null]);
          assert.deepEqual(used.words, ["used", "closed"]);
        } finally {
          used.child.kill("SIGKILL");
        }
      }));
  }

  test("prepared statements still work after another process changes a table", () =>
    withThings(async ({ database, aside }) => {
      const read = "select * from things where id = $1";
      const write = "insert into things (id, name) values ($1, $2) returning *";
      // Prepares the statement on all connections.
      await Promise.all(
        [1, 2, 3, 4].map(() => database.query("select pg_sleep(0.05), things.* from things")),
      );
      await Promise.all([1, 2, 3, 4].map(() => database.query(read, [1])));
      await database.query(write, [1, "a"]);
      await database.transaction((sql) => sql.query(write, [2, "b"]));
      await aside.query("alter table things add column colour text");
      const [row] = await database.query(read, [1]);
      assert.deepEqual({ ...row }, { id: 1, name: "a", colour: null });
      await aside.query("alter table things add column size bigint");
      await database.transaction((sql) => sql.query(write, [3, "c"]));
      await aside.query("alter table things add column weight bigint");
      await database.query(write, [4, "d"]);
      assert.deepEqual(
        (await thingsIn(database)).map(([id]) => id),
        [1, 2, 3, 4],
      );
    }));

  test("a failed script with its own transaction leaves no transaction open", () =>
    withThings(async ({ database }) => {
      const script = "begin; insert into things (id) values (1); select 1 / 0; commit";
      for (const _ of [1, 2, 3]) await assert.rejects(database.query(script), /division by zero/);
      await Promise.all([1, 2, 3, 4].map((id) => database.query(insert, [id, "a"])));
      assert.equal((await thingsIn(database)).length, 4);
    }));

  test("knowledge waits for the disk, and telemetry doesn't", () =>
    withThings(async ({ database }) => {
      const read = (of: Pick<PostgresDatabase, "transaction">) =>
        of.transaction(
          async (sql) => (await sql.query("show synchronous_commit"))[0]?.["synchronous_commit"],
        );
      assert.deepEqual([await read(database), await read(database.relaxed)], ["on", "off"]);
      await database.relaxed.query(insert, [1, "a"]);
      assert.deepEqual(await thingsIn(database), [[1, "a"]]);
      assert.equal(await read(database), "on");
    }));
});
