import type { Database } from "../../src/store/database.ts";

/** After a database was filled, PostgreSQL works on it for minutes: on its statistics, its dead rows and the disk. A search is measured after that. */
export async function settleDatabase(database: Database): Promise<void> {
  const statements = database.dialect.name === "postgres" ? ["vacuum analyze", "checkpoint"] : ["analyze"];
  for (const statement of statements) await database.query(statement);
}
