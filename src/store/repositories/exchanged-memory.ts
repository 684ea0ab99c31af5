/**
 * Reads memory in pages for an export, and writes the rows of an import. Rows have no ids here, because those of another database mean
 * nothing: a row is recognized by what it is about, and of two the one that was updated last wins.
 */
import type { Feedback, Suppression } from "../../memory/feedback.ts";
import type { Row, Sql } from "../database.ts";
import { rowsOf } from "../many-rows.ts";
import { FEEDBACK_COLUMNS, INSERT_FEEDBACK, toFeedbackValues } from "./feedback.ts";
import { isForgotten, type NewLearning, toLearning } from "./learnings.ts";
import { memoryScope, type NewMemory, putMemories, toMemoryContent } from "./memories.ts";
import { toSuppression } from "./suppressions.ts";

type PageRequest = { readonly repositoryId: number; readonly after: number; readonly limit: number };

export type ExchangedRepository = {
  readonly owner: string;
  readonly name: string;
  readonly isPrivate: boolean;
  readonly isSharing: boolean;
  readonly embeddings: string;
  readonly updatedAt: number;
};

/** Null if no review has registered the repository. */
export async function readExchangedRepository(
  repositoryId: number,
  sql: Sql,
): Promise<ExchangedRepository | null> {
  const [row] = await sql.query("select * from memory_repositories where repository_id = $1", [repositoryId]);
  if (row === undefined) return null;
  return {
    owner: row["owner"] as string,
    name: row["name"] as string,
    isPrivate: row["is_private"] === 1,
    isSharing: row["is_sharing"] === 1,
    embeddings: row["embeddings"] as string,
    updatedAt: row["updated_at"] as number,
  };
}

/** All writing functions below return whether they changed anything, and run inside the caller's transaction. */
export async function restoreRepository(
  repositoryId: number,
  row: ExchangedRepository,
  sql: Sql,
): Promise<boolean> {
  const written = await sql.query(
    `insert into memory_repositories
       (repository_id, owner, name, is_private, is_sharing, memories, terms, embeddings, updated_at)
     values ($1, $2, $3, $4, $5, 0, 0, $6, $7)
     on conflict (repository_id) do update set owner = excluded.owner, name = excluded.name,
       is_private = excluded.is_private, is_sharing = excluded.is_sharing, embeddings = excluded.embeddings,
       updated_at = excluded.updated_at
     where memory_repositories.updated_at < excluded.updated_at returning repository_id`,
    [
      repositoryId,
      row.owner.toLowerCase(),
      row.name,
      Number(row.isPrivate),
      Number(row.isSharing),
      row.embeddings,
      row.updatedAt,
    ],
  );
  return written.length > 0;
}

export type ExchangedMemory = Omit<NewMemory, "terms" | "at"> & {
  readonly outcome: string;
  readonly createdAt: number;
  readonly updatedAt: number;
  /** Null if it has none in the space that it is marked with. */
  readonly vector: { readonly space: string; readonly bytes: Uint8Array } | null;
};

export async function pageMemories(
  { repositoryId, after, limit }: PageRequest,
  sql: Sql,
): Promise<readonly (ExchangedMemory & { readonly id: number })[]> {
  const rows = await sql.query(
    `select memories.*, vectors.vector from memories
     left join vector_places on vector_places.scope = $4 and vector_places.space = memories.space
     left join vectors on vectors.id = memories.id and vectors.place_id = vector_places.id
     where memories.repository_id = $1 and memories.id > $2 order by memories.id limit $3`,
    [repositoryId, after, limit, memoryScope(repositoryId)],
  );
  return rows.map(toExchangedMemory);
}

/** Each `as` names the type its column has in the migrations. */
function toExchangedMemory(row: Row): ExchangedMemory & { readonly id: number } {
  const space = row["space"] as string | null;
  const bytes = row["vector"] as Uint8Array | null;
  return {
    ...toMemoryContent(row),
    id: row["id"] as number,
    outcome: row["outcome"] as string,
    createdAt: row["created_at"] as number,
    updatedAt: row["updated_at"] as number,
    vector: space === null || bytes === null ? null : { space, bytes },
  };
}

/** Returns the id of the memory, or null if nothing was changed. The caller stores its vector in the same transaction. */
export async function restoreMemory(
  memory: Omit<ExchangedMemory, "vector"> & Pick<NewMemory, "terms"> & { readonly space: string | null },
  sql: Sql,
): Promise<number | null> {
  const key = [memory.repositoryId, memory.pullRequest, memory.identity] as const;
  const isIt = "where repository_id = $1 and pull_request = $2 and identity = $3";
  const [known] = await sql.query<{ updated_at: number }>(`select updated_at from memories ${isIt}`, key);
  if (known !== undefined && known.updated_at >= memory.updatedAt) return null;
  await putMemories([{ ...memory, at: memory.updatedAt }], sql);
  const [written] = await sql.query<{ id: number }>(
    `update memories set outcome = $4, created_at = $5, updated_at = $6, space = $7 ${isIt} returning id`,
    [...key, memory.outcome, memory.createdAt, memory.updatedAt, memory.space],
  );
  // None if a person made this installation forget it.
  return written?.id ?? null;
}

export type ExchangedLearning = Omit<NewLearning, "at"> & {
  readonly uses: number;
  readonly lastUsedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
};

/** Expired ones too. */
export async function pageLearnings(
  { repositoryId, after, limit }: PageRequest,
  sql: Sql,
): Promise<readonly (ExchangedLearning & { readonly id: number })[]> {
  const rows = await sql.query(
    "select * from learnings where repository_id = $1 and id > $2 order by id limit $3",
    [repositoryId, after, limit],
  );
  return rows.map(toLearning);
}

export async function restoreLearning(learning: ExchangedLearning, sql: Sql): Promise<boolean> {
  if (await isForgotten(learning, sql)) return false;
  const columns = [
    "kind",
    "text",
    "paths",
    "confidence_permille",
    "confirmations",
    "uses",
    "last_used_at",
    "provenance",
    "owner",
    "created_by",
    "created_at",
    "updated_at",
    "expires_at",
  ];
  const rows = await sql.query(
    `insert into learnings (repository_id, source, name, ${columns.join(", ")})
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16)
     on conflict (repository_id, source, name) do update set
       ${columns.map((column) => `${column} = excluded.${column}`).join(", ")}
     where learnings.updated_at < excluded.updated_at returning id`,
    [
      learning.repositoryId,
      learning.source,
      learning.name,
      learning.kind,
      learning.text,
      JSON.stringify(learning.paths),
      Math.round(learning.confidence * 1_000),
      learning.confirmations,
      learning.uses,
      learning.lastUsedAt,
      learning.provenance,
      learning.owner,
      learning.createdBy,
      learning.createdAt,
      learning.updatedAt,
      learning.expiresAt,
    ],
  );
  return rows.length > 0;
}

export async function pageSuppressions(
  { repositoryId, after, limit }: PageRequest,
  sql: Sql,
): Promise<readonly Suppression[]> {
  const rows = await sql.query(
    "select * from suppressions where repository_id = $1 and id > $2 order by id limit $3",
    [repositoryId, after, limit],
  );
  return rows.map(toSuppression);
}

/** One that was undone anywhere stays undone. */
export async function restoreSuppression(
  { repositoryId, ...row }: Omit<Suppression, "id"> & { readonly repositoryId: number },
  sql: Sql,
): Promise<boolean> {
  const key = [repositoryId, row.pattern, row.createdAt] as const;
  const isIt = "repository_id = $1 and pattern = $2 and created_at = $3";
  const inserted = await sql.query(
    `insert into suppressions (repository_id, pattern, created_at, title, expires_at, undone_at, undone_by)
     select $1, $2, $3, $4, $5, $6, $7 where not exists (select 1 from suppressions where ${isIt}) returning id`,
    [...key, row.title, row.expiresAt, row.undoneAt, row.undoneBy],
  );
  if (inserted.length > 0 || row.undoneAt === null) return inserted.length > 0;
  const undone = await sql.query(
    `update suppressions set undone_at = $4, undone_by = $5 where ${isIt} and undone_at is null returning id`,
    [...key, row.undoneAt, row.undoneBy],
  );
  return undone.length > 0;
}

/** The pull requests of a repository with feedback, in order. */
export async function listFeedbackPullRequests(repositoryId: number, sql: Sql): Promise<readonly number[]> {
  const rows = await sql.query<{ pull_request: number }>(
    "select distinct pull_request from feedback where repository_id = $1 order by pull_request",
    [repositoryId],
  );
  return rows.map(({ pull_request: number }) => number);
}

export async function restoreFeedback(repositoryId: number, row: Feedback, sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    `${INSERT_FEEDBACK} values ${rowsOf(1, FEEDBACK_COLUMNS)}
     on conflict (repository_id, pull_request, identity, signal, person) do update set pattern = excluded.pattern,
       title = excluded.title, teaches = excluded.teaches, reason = excluded.reason, words = excluded.words,
       url = excluded.url, at = excluded.at
     where feedback.at < excluded.at returning pull_request`,
    toFeedbackValues(row, repositoryId),
  );
  return rows.length > 0;
}

export type ExchangedForgotten = { readonly item: string; readonly at: number };

export async function listForgotten(repositoryId: number, sql: Sql): Promise<readonly ExchangedForgotten[]> {
  return sql.query<ExchangedForgotten>(
    "select item, at from forgotten where repository_id = $1 order by at, item",
    [repositoryId],
  );
}

export async function restoreForgotten(
  repositoryId: number,
  { item, at }: ExchangedForgotten,
  sql: Sql,
): Promise<boolean> {
  const rows = await sql.query(
    `insert into forgotten (repository_id, item, at) values ($1, $2, $3)
     on conflict (repository_id, item) do nothing returning item`,
    [repositoryId, item, at],
  );
  return rows.length > 0;
}
