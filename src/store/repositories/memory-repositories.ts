/**
 * Repositories with memories: whether they are private, and whether they share with others of their owner. The rows as they
 * are now decide which memories a review may see.
 */
import type { Row, Sql } from "../database.ts";
import { hostOfId } from "./repository-ids.ts";

export type MemoryRepository = {
  readonly repositoryId: number;
  /** In lower case. */
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  /** Whether it shares memories with repositories of the same owner on the same host that also do, and have the same visibility. */
  readonly isSharing: boolean;
  /** The configured provider of embeddings. */
  readonly embeddings: string;
};

export type StoredMemoryRepository = MemoryRepository & {
  readonly memories: number;
  /** The lengths of all its memories, in terms. */
  readonly terms: number;
};

/**
 * SQL that is true if the repository in the column may be seen by the viewer in the placeholder. A viewer without a row sees
 * nothing. Every statement whose rows can reach a prompt contains it.
 */
export function isVisible(repositoryId: string, viewer: string): string {
  return `exists (
    select 1 from memory_repositories as viewing, memory_repositories as seen
    where viewing.repository_id = ${viewer} and seen.repository_id = ${repositoryId} and (
      seen.repository_id = viewing.repository_id
      or (seen.owner = viewing.owner and seen.is_private = viewing.is_private
        and seen.is_sharing = 1 and viewing.is_sharing = 1
        and ${hostOfId("seen.repository_id")} = ${hostOfId("viewing.repository_id")})
    )
  )`;
}

/** Inserts or updates the row, and keeps its counters. */
export async function writeMemoryRepository(
  repository: MemoryRepository,
  at: number,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into memory_repositories
       (repository_id, owner, name, is_private, is_sharing, memories, terms, embeddings, updated_at)
     values ($1, $2, $3, $4, $5, 0, 0, $6, $7)
     on conflict (repository_id) do update set owner = excluded.owner, name = excluded.name,
       is_private = excluded.is_private, is_sharing = excluded.is_sharing, embeddings = excluded.embeddings,
       updated_at = excluded.updated_at`,
    [
      repository.repositoryId,
      repository.owner.toLowerCase(),
      repository.name,
      Number(repository.isPrivate),
      Number(repository.isSharing),
      repository.embeddings,
      at,
    ],
  );
}

/** Records that a repository became private or public, or moved. Does nothing for one without a row. */
export async function setVisibility(
  {
    repositoryId,
    owner,
    name,
    isPrivate,
  }: Pick<MemoryRepository, "repositoryId" | "owner" | "name" | "isPrivate">,
  at: number,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update memory_repositories set owner = $2, name = $3, is_private = $4, updated_at = $5
     where repository_id = $1`,
    [repositoryId, owner.toLowerCase(), name, Number(isPrivate), at],
  );
}

export async function readMemoryRepository(
  repositoryId: number,
  sql: Sql,
): Promise<StoredMemoryRepository | null> {
  const [row] = await sql.query("select * from memory_repositories where repository_id = $1", [repositoryId]);
  return row === undefined ? null : toRepository(row);
}

/**
 * Keeps other transactions from changing the memories of this repository until the caller's ends, so that its counters stay
 * exact. False without a row.
 */
export async function lockMemories(repositoryId: number, sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    "update memory_repositories set memories = memories where repository_id = $1 returning repository_id",
    [repositoryId],
  );
  return rows.length > 0;
}

/** Requires the lock. */
export async function addToCounters(
  repositoryId: number,
  { memories, terms }: { readonly memories: number; readonly terms: number },
  sql: Sql,
): Promise<void> {
  await sql.query(
    "update memory_repositories set memories = memories + $2, terms = terms + $3 where repository_id = $1",
    [repositoryId, memories, terms],
  );
}

/** Each `as` names the type its column has in the migrations. */
function toRepository(row: Row): StoredMemoryRepository {
  return {
    repositoryId: row["repository_id"] as number,
    owner: row["owner"] as string,
    name: row["name"] as string,
    isPrivate: row["is_private"] === 1,
    isSharing: row["is_sharing"] === 1,
    embeddings: row["embeddings"] as string,
    memories: row["memories"] as number,
    terms: row["terms"] as number,
  };
}
