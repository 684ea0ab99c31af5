/** Finds the tables that name a repository or a run in the schema itself, fills them, and counts their rows per repository. */
import type { Database, SqlValue } from "../../src/store/database.ts";

type SchemaColumn = { readonly table_name: string; readonly name: string; readonly type: string };

async function readColumns(database: Database): Promise<ReadonlyMap<string, readonly SchemaColumn[]>> {
  const rows = await database.query<SchemaColumn>(
    database.dialect.name === "sqlite"
      ? `select made.name as table_name, col.name, lower(col.type) as type
         from sqlite_schema as made join pragma_table_info(made.name) as col where made.type = 'table'`
      : `select table_name, column_name as name, data_type as type from information_schema.columns
         where table_schema = current_schema()`,
  );
  const tables = Map.groupBy(rows, ({ table_name: name }) => name);
  const named = [...tables].filter(([, columns]) =>
    columns.some(({ name }) => name === "repository_id" || name === "run_id"),
  );
  return new Map(named);
}

/** The run of each repository has this id. */
const runOf = (repositoryId: number): number => 1_000 + repositoryId;

function valueFor({ table_name: table, name, type }: SchemaColumn, repositoryId: number): SqlValue {
  if (name === "repository_id") return repositoryId;
  if (name === "run_id" || (table === "runs" && name === "id")) return runOf(repositoryId);
  if (name === "reason") return `feedback:of ${repositoryId}`;
  if (type === "text") return `of ${repositoryId}`;
  return type === "blob" || type === "bytea" ? Uint8Array.of(repositoryId) : repositoryId;
}

/** Inserts a row for the repository into every table that names one, or a run. Returns their names. */
export async function fillTablesOf(repositoryId: number, database: Database): Promise<readonly string[]> {
  const tables = await readColumns(database);
  for (const [table, columns] of tables) {
    await database.query(
      `insert into ${table} (${columns.map(({ name }) => name).join(", ")})
       values (${columns.map((_, index) => `$${index + 1}`).join(", ")})`,
      columns.map((column) => valueFor(column, repositoryId)),
    );
  }
  return [...tables.keys()].toSorted();
}

/** Returns the tables that have rows of the repository. */
export async function findTablesWith(repositoryId: number, database: Database): Promise<readonly string[]> {
  const found: string[] = [];
  for (const [table, columns] of await readColumns(database)) {
    const hasRepository = columns.some(({ name }) => name === "repository_id");
    const rows = await database.query(
      `select 1 as one from ${table} where ${hasRepository ? "repository_id" : "run_id"} = $1 limit 1`,
      [hasRepository ? repositoryId : runOf(repositoryId)],
    );
    if (rows.length > 0) found.push(table);
  }
  return found.toSorted();
}
