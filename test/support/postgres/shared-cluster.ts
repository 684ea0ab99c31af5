/**
 * The PostgreSQL that all tests of a run share, each with its own databases. The test command starts it and passes its address; a test
 * file that runs alone starts its own.
 */
import { Client } from "pg";
import { openStore } from "../../../src/store/store.ts";
import { type Cluster, startCluster } from "./cluster.ts";

/** Address of a database in the cluster of this run, for processes that tests start. */
export const SHARED_CLUSTER = "KODIAI_TEST_POSTGRES";

const TEMPLATE = "kodiai_template";

let own: Promise<Cluster> | null = null;
let template: Promise<void> | null = null;
let made = 0;

export type PostgresPlace = { readonly url: string; readonly name: string; remove(): Promise<void> };

/** A new database: empty, or a copy with the schema, which is faster than creating it. */
export async function makeDatabase({ isMigrated }: { readonly isMigrated: boolean }): Promise<PostgresPlace> {
  if (isMigrated) await (template ??= makeTemplate());
  const name = `kodiai_${process.pid}_${++made}`;
  await administer(`create database ${name} ${isMigrated ? `template ${templateName()}` : ""}`);
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

function templateName(): string {
  return `${TEMPLATE}_${process.pid}`;
}

async function makeTemplate(): Promise<void> {
  await administer(`create database ${templateName()}`);
  const store = await openStore(await urlOf(templateName()));
  await store.close();
}
