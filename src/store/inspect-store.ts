/** Looks at the database that DATABASE_URL names. Unlike opening it, this creates and migrates nothing. */
import { existsSync } from "node:fs";
import { isPostgres, KNOWLEDGE_SCHEMA, sqlitePathOf } from "./store.ts";
import type { StoreFacts } from "./store-facts.ts";

/** Throws a KodiaiError if the database can't be reached or read. */
export async function inspectStore(url: string): Promise<StoreFacts> {
  if (isPostgres(url)) {
    const { inspectPostgres } = await import("./postgres/inspect-postgres.ts");
    return inspectPostgres(url, KNOWLEDGE_SCHEMA);
  }
  const path = sqlitePathOf(url);
  if (!existsSync(path)) return { kind: "absent", place: path };
  const { inspectSqlite } = await import("./sqlite/inspect-sqlite.ts");
  return inspectSqlite(path, KNOWLEDGE_SCHEMA);
}
