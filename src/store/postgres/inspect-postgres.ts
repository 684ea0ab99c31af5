/** Looks at a PostgreSQL database: its schema, whether it can be written, the log and the clock. Writes nothing. */
import { KodiaiError } from "../../base/errors.ts";
import { compareSchema, type Schema } from "../migrate.ts";
import type { StoreFacts } from "../store-facts.ts";
import { openPostgresDatabase, type PostgresDatabase } from "./postgres-database.ts";

/** One query at a time, and one connection that stays free. */
const CONNECTIONS = 2;

/** Twenty times PostgreSQL's default for `max_wal_size`. A replication slot that no one reads keeps all of the log. */
const USUAL_LOG_BYTES = 20_000_000_000;

export async function inspectPostgres(url: string, expected: Schema): Promise<StoreFacts> {
  const database = openPostgresDatabase({ url, connections: CONNECTIONS });
  try {
    const before = Date.now();
    const time = await database.readTime();
    // The server read its clock about halfway between request and answer.
    const aheadMs = Math.round(time - (before + Date.now()) / 2);
    const [row] = await database.query<{ is_used: number; place: string; is_read_only: number }>(
      `select to_regclass('${expected.record}') is not null as is_used,
         current_database() || coalesce(' on ' || host(inet_server_addr()), '') as place,
         current_setting('transaction_read_only') = 'on' as is_read_only`,
    );
    return {
      kind: "found",
      place: row?.place ?? "",
      schema: row?.is_used === 1 ? await compareSchema(database, expected) : null,
      writeFailure: row?.is_read_only === 1 ? readOnly() : null,
      // The server doesn't report its disk.
      freeBytes: null,
      log: await readLog(database),
      aheadMs,
    };
  } finally {
    await database.close();
  }
}

function readOnly(): KodiaiError {
  return new KodiaiError("database", "The database accepts no writes", {
    hint: "Set DATABASE_URL to the primary server, and check default_transaction_read_only.",
  });
}

/** Null if this user may not: by default, only members of pg_monitor may. */
async function readLog(database: PostgresDatabase): Promise<Extract<StoreFacts, { kind: "found" }>["log"]> {
  try {
    const [row] = await database.query<{ bytes: number }>(
      "select coalesce(sum(size), 0)::bigint as bytes from pg_ls_waldir()",
    );
    return row === undefined ? null : { bytes: row.bytes, usualBytes: USUAL_LOG_BYTES };
  } catch {
    return null;
  }
}
