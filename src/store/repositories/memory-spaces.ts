/** The spaces in which the memories of a repository have vectors. */
import type { Row, Sql } from "../database.ts";

export type MemorySpaces = {
  readonly repositoryId: number;
  /** The configured provider of embeddings; "" if the repository has none. */
  readonly embeddings: string;
  /** Whether some memories have no vector yet. */
  readonly hasUnembedded: boolean;
  /** The first and the last by name, so two if there are several, one if there is only one, or none. */
  readonly spaces: readonly string[];
};

// Three look-ups in an index, however many memories there are.
const SELECT = `select repository_id, embeddings,
    (select count(*) from (select 1 from memories
      where memories.repository_id = there.repository_id and space is null limit 1) as one) as unembedded,
    (select min(space) from memories where memories.repository_id = there.repository_id) as first_space,
    (select max(space) from memories where memories.repository_id = there.repository_id) as last_space
  from memory_repositories as there`;

/** Null for a repository without memories. */
export async function readMemorySpaces(repositoryId: number, sql: Sql): Promise<MemorySpaces | null> {
  const [row] = await sql.query(`${SELECT} where repository_id = $1 and memories > 0`, [repositoryId]);
  return row === undefined ? null : toSpaces(row);
}

/** Repositories with memories, by id. `after` is the last id of the previous page. */
export async function listMemorySpaces(
  { after, limit }: { readonly after: number; readonly limit: number },
  sql: Sql,
): Promise<readonly MemorySpaces[]> {
  const rows = await sql.query(
    `${SELECT} where repository_id > $1 and memories > 0 order by repository_id limit $2`,
    [after, limit],
  );
  return rows.map(toSpaces);
}

/** Each `as` names the type its column has in the migrations. */
function toSpaces(row: Row): MemorySpaces {
  const named = [row["first_space"], row["last_space"]].filter((space) => space !== null);
  return {
    repositoryId: row["repository_id"] as number,
    embeddings: row["embeddings"] as string,
    hasUnembedded: row["unembedded"] !== 0,
    spaces: [...new Set(named as readonly string[])],
  };
}
