/**
 * The PostgreSQL server that all tests of a run share, each with its own databases. The test command starts it and passes
 * its address on. A test file that runs alone starts its own server.
 */
import { Client } from "pg";
import { openStore } from "../../../src/store/store.ts";
import { type Cluster, startCluster } from "./cluster.ts";

/** Names the address of a database in the cluster of this run. */
const SHARED_CLUSTER = "KODIAI_TEST_POSTGRES";

const TEMPLATE = "kodiai_template";

let own: Promise<Cluster> | null = null;
let template: Promise<void> | null = null;
let made = 0;

export type PostgresTestDatabase = { readonly url: string; readonly name: string; remove(): Promise<void> };

/** Starts the server for this process and all that it starts. The template is made once, before any of them needs it. */
export async function startSharedCluster(): Promise<Cluster> {
  const cluster = await startCluster({ isDurable: false });
  process.env[SHARED_CLUSTER] = cluster.url("postgres");
  await makeTemplate();
  return cluster;
}

/** A new database: empty, or a copy of one with the schema, which is faster than running all migrations. */
export async function makeDatabase({
  isMigrated,
}: {
  readonly isMigrated: boolean;
}): Promise<PostgresTestDatabase> {
  if (isMigrated && process.env[SHARED_CLUSTER] === undefined) await (template ??= makeTemplate());
  const name = `kodiai_${process.pid}_${++made}`;
  await administer(`create database ${name} ${isMigrated ? `template ${TEMPLATE}` : ""}`);
  return {
    url: await urlOf(name),
    name,
    remove: () => administer(`drop database ${name} with (force)`),
  };
}

/** Runs a statement as the owner of the cluster, outside the databases of tests. */
export async function administer(statement: string): Promise<void> {
  const client = new Client({ connectionString: await urlOf("postgres") });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}

async function urlOf(database: string): Promise<string> {
  const given = process.env[SHARED_CLUSTER];
  if (given !== undefined) return given.replace(/[^/]*$/, database);
  own ??= startCluster({ isDurable: false });
  return (await own).url(database);
}

async function makeTemplate(): Promise<void> {
  await administer(`create database ${TEMPLATE}`);
  const store = await openStore(await urlOf(TEMPLATE));
  await store.close();
}
