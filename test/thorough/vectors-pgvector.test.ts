/** Runs the contract tests of the Vectors port with pgvector, in a PostgreSQL that is compiled to WebAssembly. */
import assert from "node:assert/strict";
import { after, test } from "node:test";
import { migrateSchema } from "../../src/store/migrate.ts";
import { KNOWLEDGE_MIGRATIONS } from "../../src/store/migrations/all-migrations.ts";
import { openVectors } from "../../src/store/vectors/open-vectors.ts";
import { openPgliteDatabase } from "../support/postgres/pglite-database.ts";
import { testVectors, type VectorsPlace } from "../support/vectors-contract.ts";
import type { Database } from "../../src/store/database.ts";
import type { Vectors } from "../../src/store/vectors/vectors.ts";

let pglite: Promise<Database> | null = null;

after(async () => (await pglite)?.close());

/** Starting it takes seconds, so all tests share one. */
async function openPglite(): Promise<Database> {
  pglite ??= (async () => {
    const database = await openPgliteDatabase();
    await migrateSchema(
      database,
      { record: "schema_migrations", migrations: KNOWLEDGE_MIGRATIONS },
      Date.now,
    );
    return database;
  })();
  const database = await pglite;
  await database.query("truncate vectors, vector_places");
  return database;
}

const withExtension: VectorsPlace = {
  name: "pgvector",
  method: "pgvector",
  async withVectors(work, options) {
    const database = await openPglite();
    await work(await openVectors(database, options), database);
  },
};

testVectors(withExtension);

const SPACE = { name: "acme/plane", dimensions: 2 };

async function putAndFind(id: number, vectors: Vectors, database: Database): Promise<readonly number[]> {
  const entry = { id, scope: "s", space: SPACE, vector: Float32Array.of(1, id) };
  await database.transaction((sql) => vectors.put([entry], sql));
  const found = await vectors.nearest({ scope: "s", space: SPACE, vector: Float32Array.of(0, 1), limit: 10 });
  return found.map((neighbour) => neighbour.id);
}

test("pgvector can be added, removed, and in any schema, and stored vectors are still found", async () => {
  const database = await openPglite();
  await database.query("drop extension if exists vector");
  await database.query("create role limited");
  await database.query("grant all on vectors, vector_places, vector_places_id_seq to limited");
  const opened: Vectors["method"][] = [];
  const open = async (): Promise<Vectors> => {
    const vectors = await openVectors(database);
    opened.push(vectors.method);
    return vectors;
  };
  // A role that may not create the extension works without it.
  await database.query("set role limited");
  assert.deepEqual(await putAndFind(1, await open(), database), [1]);
  await database.query("reset role");
  assert.deepEqual(await putAndFind(2, await open(), database), [2, 1]);
  await database.query("drop extension vector");
  await database.query("create schema elsewhere");
  await database.query("create extension vector schema elsewhere");
  assert.deepEqual(await putAndFind(3, await open(), database), [3, 2, 1]);
  // The extension exists, but the role may not use it.
  await database.query("set role limited");
  assert.deepEqual(await putAndFind(4, await open(), database), [4, 3, 2, 1]);
  await database.query("reset role");
  assert.deepEqual(opened, ["postgres", "pgvector", "pgvector", "postgres"]);
});
