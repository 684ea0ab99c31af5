/**
 * Tests the errors of a PostgreSQL that refuses Kodiai: they name the database, the host and a fix, and never the password.
 * The tests run the statements of the hints as an administrator would, until Kodiai starts.
 */
import assert from "node:assert/strict";
import { createServer } from "node:http";
import { once } from "node:events";
import { after, before, describe, test } from "node:test";
import { inspect } from "node:util";
import { Client } from "pg";
import { KodiaiError } from "../../src/base/errors.ts";
import { openPostgresQueue } from "../../src/queue/postgres/postgres-queue.ts";
import { QUEUE_DEFAULTS } from "../../src/queue/queue.ts";
import { openStore } from "../../src/store/store.ts";
import { eventually } from "../support/eventually.ts";
import { type Cluster, startCluster } from "../support/postgres/cluster.ts";

const PASSWORD = "s3cr3t";

let cluster: Cluster;
before(async () => {
  cluster = await startCluster({ isDurable: false });
  await setUpPasswords();
});
after(() => cluster.remove());

/** The cluster trusts all roles. This makes one role require a password and rejects another. */
async function setUpPasswords(): Promise<void> {
  const lines = [
    "host all guarded 127.0.0.1/32 scram-sha-256",
    "host all stranger 127.0.0.1/32 reject",
    "host all all 127.0.0.1/32 trust",
  ];
  await administer("create role stranger login");
  const [file] = await administer("show hba_file");
  const list = lines.map((line) => `('${line}')`).join(", ");
  await administer(`copy (values ${list}) to '${String(file?.["hba_file"])}'`);
  await administer("select pg_reload_conf()");
  await eventually("the server to load the new lines", async () => {
    const client = new Client({ connectionString: urlOf("stranger", "postgres") });
    return client.connect().then(
      () => client.end().then(() => false),
      () => true,
    );
  });
}

function urlOf(user: string, database: string, password = PASSWORD): string {
  const url = new URL(cluster.url(database));
  url.username = user;
  url.password = password;
  return url.href;
}

async function administer(statement: string, database = "postgres"): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: cluster.url(database) });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(statement)).rows;
  } finally {
    await client.end();
  }
}

/** Creates a database and a role without special privileges. */
async function createDatabase(name: string): Promise<string> {
  await administer(`create role ${name} login`);
  await administer(`create database ${name}`);
  return urlOf(name, name);
}

/** Opens the store and then the queue, as `kodiai serve` does. */
async function start(url: string): Promise<void> {
  const store = await openStore(url, { connections: 2 });
  try {
    const queue = await openPostgresQueue({
      database: store.database,
      options: QUEUE_DEFAULTS,
      now: store.now,
      listen: store.listen,
      onError(error) {
        throw error;
      },
    });
    await queue.close();
  } finally {
    await store.close();
  }
}

async function refusalOf(url: string): Promise<KodiaiError> {
  try {
    await start(url);
  } catch (error) {
    assert.ok(error instanceof KodiaiError, inspect(error));
    assert.ok(!inspect(error, { depth: 9 }).includes(PASSWORD), "the error contains the password");
    return error;
  }
  throw new Error("it was not refused");
}

async function assertRefused(
  url: string,
  expected: { readonly message: RegExp; readonly hint: RegExp; readonly isRetryable?: boolean },
): Promise<KodiaiError> {
  const error = await refusalOf(url);
  assert.equal(error.code, "database");
  assert.match(error.message, expected.message);
  const { host, pathname } = new URL(url);
  assert.ok(error.message.startsWith(`The PostgreSQL database "${pathname.slice(1)}" on ${host} `));
  assert.match(error.hint, expected.hint);
  assert.equal(error.retryable, expected.isRetryable ?? false);
  return error;
}

/** Returns the statements of a hint, without those that have a placeholder. */
function statementsIn(hint: string): readonly string[] {
  return [...hint.matchAll(/(?:grant|alter|create|reassign)\b[^;…]*;/g)].map(([statement]) => statement);
}

/** Runs the statements of the hints until Kodiai starts. Returns the number of rounds. */
async function followHints(
  url: string,
  fill: (hint: string) => string | Promise<string> = (hint) => hint,
): Promise<number> {
  const database = new URL(url).pathname.slice(1);
  for (let steps = 0; steps < 9; steps++) {
    try {
      await start(url);
      return steps;
    } catch (error) {
      assert.ok(error instanceof KodiaiError, inspect(error));
      const statements = statementsIn(await fill(error.hint));
      assert.ok(statements.length > 0, `${error.message}: nothing to do in "${error.hint}"`);
      const isThere =
        (await administer(`select 1 from pg_database where datname = '${database}'`)).length > 0;
      for (const statement of statements) await administer(statement, isThere ? database : "postgres");
    }
  }
  throw new Error("following the hints doesn't help");
}

void describe("refusals", { concurrency: true }, () => {
  test("a wrong or missing password", async () => {
    await administer("create role guarded login password 'another'");
    await administer("create database guarded owner guarded");
    const url = urlOf("guarded", "guarded");
    await assertRefused(url, {
      message: /rejected the login: password authentication failed for user "guarded"$/,
      hint: /^Check the password in DATABASE_URL .*alter role "guarded" password '…';$/,
    });
    await assertRefused(urlOf("guarded", "guarded", ""), {
      message: /rejected the login: .*password must be a string$/,
      hint: /^The server requires a password\. Add it to DATABASE_URL: postgres:\/\/guarded:PASSWORD@HOST\/guarded\.$/,
    });
    assert.equal(await followHints(url, (hint) => hint.replace("…", PASSWORD)), 1);
  });

  test("an unknown role", async () => {
    await administer("create database unknown_role");
    const url = urlOf("unknown_role", "unknown_role");
    await assertRefused(url, {
      message: /rejected the login: role "unknown_role" does not exist$/,
      hint: /^Create the role: create role "unknown_role" login password '…'; or correct the user name in DATABASE_URL\.$/,
    });
    // After that, the role still can't create tables or a schema.
    assert.equal(await followHints(url, (hint) => hint.replace("'…'", `'${PASSWORD}'`)), 3);
  });

  test("a role that may not log in, or not from this host", async () => {
    const url = await createDatabase("no_login");
    await administer("alter role no_login nologin; alter database no_login owner to no_login");
    await assertRefused(url, {
      message: /rejected the login: role "no_login" is not permitted to log in$/,
      hint: /^Allow the role to log in: alter role "no_login" login;$/,
    });
    assert.equal(await followHints(url), 1);
    await assertRefused(urlOf("stranger", "postgres"), {
      message: /rejected the login: pg_hba\.conf rejects connection/,
      hint: /^Add a line to the server's pg_hba\.conf that allows "stranger" to connect to "postgres" from this machine, and reload it: select pg_reload_conf\(\);$/,
    });
  });

  test("an unknown database", async () => {
    await administer("create role unknown_database login");
    const url = urlOf("unknown_database", "unknown_database");
    await assertRefused(url, {
      message: /does not exist: database "unknown_database" does not exist$/,
      hint: /^Create it: create database "unknown_database" owner "unknown_database";$/,
    });
    assert.equal(await followHints(url), 1);
  });

  test("a role that may not connect", async () => {
    const url = await createDatabase("no_connect");
    await administer("revoke connect on database no_connect from public");
    await assertRefused(url, {
      message: /denied a permission that Kodiai needs: permission denied for database "no_connect"$/,
      hint: /^Allow the role to connect: grant connect on database "no_connect" to "no_connect";$/,
    });
    assert.equal(await followHints(url), 3);
  });

  test("a role that may create neither tables nor a schema", async () => {
    const url = await createDatabase("no_create");
    await assertRefused(url, {
      message: /denied a permission that Kodiai needs: permission denied for schema public$/,
      hint: /^Run: grant usage, create on schema "public" to "no_create"; or give Kodiai a separate database: create database … owner "no_create";$/,
    });
    await administer('grant usage, create on schema "public" to "no_create";', "no_create");
    await assertRefused(url, {
      message: /denied a permission that Kodiai needs: permission denied for database no_create$/,
      hint: /^Let the role add the job queue's schema: grant create on database "no_create" to "no_create";$/,
    });
    assert.equal(await followHints(url), 1);
  });

  test("tables that belong to another role", async () => {
    await administer("create role first_owner login; create role second_owner login");
    await administer("create database two_owners owner first_owner");
    const find = async (hint: string): Promise<string> => {
      const look = /select relowner[^;]*;/.exec(hint)?.[0];
      if (look === undefined) return hint;
      const [row] = await administer(look, "two_owners");
      return hint.replace("OWNER", String(row?.["relowner"]));
    };
    await start(urlOf("first_owner", "two_owners"));
    const url = urlOf("second_owner", "two_owners");
    await administer("grant create on schema public to second_owner", "two_owners");
    await assertRefused(url, {
      message: /denied a permission that Kodiai needs: permission denied for table schema_migrations$/,
      hint: /^The table "schema_migrations" belongs to another role\. Run Kodiai as that role, or transfer its objects: reassign owned by OWNER to "second_owner"; To find OWNER, run: select relowner::regrole from pg_class where relname = 'schema_migrations';$/,
    });
    await administer("grant all on all tables in schema public to second_owner", "two_owners");
    const store = await openStore(url);
    await assert.rejects(store.database.query("alter table jobs add column colour text"), (error) => {
      assert.ok(error instanceof KodiaiError);
      assert.match(error.message, /denied a permission that Kodiai needs: must be owner of table jobs$/);
      assert.match(error.hint, /^The table "jobs" belongs to another role\. .*where relname = 'jobs';$/);
      return true;
    });
    await store.close();
    // First the schema of the queue, then its tables.
    assert.equal(await followHints(url, find), 2);
  });

  test("a read-only database", async () => {
    const url = await createDatabase("read_only");
    await administer("alter database read_only owner to read_only");
    await administer("alter role read_only set default_transaction_read_only = on");
    await assertRefused(url, {
      message: /is read-only: cannot execute CREATE TABLE in a read-only transaction$/,
      hint: /^If 127\.0\.0\.1:\d+ is a standby, set DATABASE_URL to the primary server\. Otherwise allow the role to write: alter role "read_only" in database "read_only" set default_transaction_read_only = off;$/,
      isRetryable: true,
    });
    assert.equal(await followHints(url), 1);
  });

  test("no free connection for a moment", async () => {
    const url = await createDatabase("crowded");
    await administer("alter database crowded owner to crowded; alter role crowded connection limit 0");
    const waiting = start(url);
    await administer("alter role crowded connection limit 5");
    await waiting;
  });

  for (const [kind, name] of [
    ["role", "limited_role"],
    ["database", "limited_database"],
  ] as const) {
    test(`no free connection: the limit of the ${kind}`, async () => {
      const url = await createDatabase(name);
      await administer(`alter database ${name} owner to ${name}; alter ${kind} ${name} connection limit 0`);
      const { hint } = await assertRefused(url, {
        message: new RegExp(`has no free connection: too many connections for ${kind} "${name}"$`),
        hint: new RegExp(
          `^Raise or remove the ${kind}'s limit: alter ${kind} "${name}" connection limit -1;$`,
        ),
        isRetryable: true,
      });
      for (const statement of statementsIn(hint)) await administer(statement);
      await start(url);
    });
  }

  test("encryption that the server doesn't offer", async () => {
    const url = `${await createDatabase("no_tls")}?sslmode=verify-full`;
    await assertRefused(url, {
      message:
        /can't be reached with the TLS settings in DATABASE_URL: The server does not support SSL connections$/,
      hint: /^Check sslmode and sslrootcert in DATABASE_URL/,
    });
  });

  test("no server at the address, or a server that isn't PostgreSQL", async () => {
    const server = createServer((_, response) => response.end("hello")).listen(0, "127.0.0.1");
    await once(server, "listening");
    const address = server.address();
    assert.ok(address !== null && typeof address !== "string");
    const urls = [
      `postgres://kodiai:${PASSWORD}@127.0.0.1:1/kodiai`,
      `postgres://kodiai:${PASSWORD}@nowhere.invalid:5432/kodiai`,
      `postgres://kodiai:${PASSWORD}@127.0.0.1:${address.port}/kodiai`,
    ];
    await Promise.all(
      urls.map((url) =>
        assertRefused(url, {
          message: /is unreachable/,
          hint: /^Check that PostgreSQL is running on [\w.]+:\d+ and is reachable from this machine\.$/,
          isRetryable: true,
        }),
      ),
    );
    server.close();
    server.closeAllConnections();
  });

  test("an invalid address", async () => {
    const bad = [
      `postgres://user:${PASSWORD}@host:port/db`,
      `postgres://user:${PASSWORD}@host/db?sslrootcert=no-such-file.pem`,
    ];
    for (const url of bad) {
      const error = await refusalOf(url);
      assert.equal(error.code, "config");
      assert.match(error.message, /DATABASE_URL is not a valid PostgreSQL address/);
      assert.match(error.hint, /^Set it to postgres:\/\/USER:PASSWORD@HOST:5432\/DATABASE\. /);
    }
  });
});
