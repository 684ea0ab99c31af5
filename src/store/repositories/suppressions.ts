/** Patterns that people's feedback has suppressed for a time. A row stays after its end, because later decisions depend on it. */
import type { Suppression } from "../../memory/feedback.ts";
import type { Row, Sql } from "../database.ts";

/** Newest first, so that what is dropped has long expired. */
const MAX_READ = 1_000;

/** All of a repository, with those that have expired or were undone, newest first. */
export async function readSuppressions(repositoryId: number, sql: Sql): Promise<readonly Suppression[]> {
  const rows = await sql.query(
    "select * from suppressions where repository_id = $1 order by created_at desc, id desc limit $2",
    [repositoryId, MAX_READ],
  );
  return rows.map(toSuppression);
}

/** How many findings a suppression has hidden. A finding counts once for each review that found it again. */
export type SuppressionEffect = { readonly hidden: number; readonly lastHiddenAt: number | null };

export async function countHidden(
  suppressions: readonly { readonly id: number; readonly hidden: number }[],
  at: number,
  sql: Sql,
): Promise<void> {
  for (const { id, hidden } of suppressions)
    await sql.query(
      "update suppressions set hidden = coalesce(hidden, 0) + $2, last_hidden_at = $3 where id = $1",
      [id, hidden, at],
    );
}

/** By the suppression's id. */
export async function readSuppressionEffects(
  repositoryId: number,
  sql: Sql,
): Promise<ReadonlyMap<number, SuppressionEffect>> {
  const rows = await sql.query<{ id: number; hidden: number; last_hidden_at: number | null }>(
    "select id, hidden, last_hidden_at from suppressions where repository_id = $1 and hidden is not null",
    [repositoryId],
  );
  return new Map(rows.map(({ id, hidden, last_hidden_at: lastHiddenAt }) => [id, { hidden, lastHiddenAt }]));
}

export async function insertSuppression(
  { repositoryId, pattern, title, at, expiresAt }: NewSuppression,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `insert into suppressions (repository_id, pattern, title, created_at, expires_at)
     select $1, $2, $3, $4, $5
     where not exists (
       select 1 from suppressions
       where repository_id = $1 and pattern = $2 and undone_at is null and expires_at > $4
     )`,
    [repositoryId, pattern, title, at, expiresAt],
  );
}

export type NewSuppression = Pick<Suppression, "pattern" | "title" | "expiresAt"> & {
  readonly repositoryId: number;
  readonly at: number;
};

/** Feedback from before then no longer counts. False if there is none, or it was undone before. */
export async function undoSuppression(id: number, by: string, at: number, sql: Sql): Promise<boolean> {
  const rows = await sql.query(
    "update suppressions set undone_at = $3, undone_by = $2 where id = $1 and undone_at is null returning id",
    [id, by, at],
  );
  return rows.length > 0;
}

/** Each `as` names the type its column has in the migrations. */
export function toSuppression(row: Row): Suppression {
  return {
    id: row["id"] as number,
    pattern: row["pattern"] as string,
    title: row["title"] as string,
    createdAt: row["created_at"] as number,
    expiresAt: row["expires_at"] as number,
    undoneAt: row["undone_at"] as number | null,
    undoneBy: row["undone_by"] as string | null,
  };
}
