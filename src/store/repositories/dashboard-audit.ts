/** The record of what people did on the dashboard. A row exists before its action begins, so that no action is without one. */
import type { Sql } from "../database.ts";

/** `started`: the process ended before the action did, so that its end is unknown. */
export type AuditResult = "started" | "done" | "refused" | "failed";

export type AuditEntry = {
  readonly id: number;
  readonly at: number;
  /** A login, or `local administrator`. */
  readonly person: string;
  /** The name of the action: `retry-job`. */
  readonly action: string;
  /** The thing it was about: `job 42`. */
  readonly target: string;
  readonly repositoryId: number | null;
  readonly result: AuditResult;
  /** The sentence that the person read. */
  readonly detail: string;
};

type AuditRow = {
  readonly id: number;
  readonly at: number;
  readonly person: string;
  readonly action: string;
  readonly target: string;
  readonly repository_id: number | null;
  readonly result: string;
  readonly detail: string;
};

/** Returns the id of the entry, which `finishAuditEntry` needs. */
export async function startAuditEntry(
  entry: Omit<AuditEntry, "id" | "result" | "detail">,
  sql: Sql,
): Promise<number> {
  const { at, person, action, target, repositoryId } = entry;
  const [row] = await sql.query<{ id: number }>(
    `insert into dashboard_audit (at, person, action, target, repository_id, result, detail)
     values ($1, $2, $3, $4, $5, 'started', '') returning id`,
    [at, person, action, target, repositoryId],
  );
  if (row === undefined) throw new Error("The audit entry has no id.");
  return row.id;
}

export async function finishAuditEntry(
  id: number,
  { result, detail }: { readonly result: Exclude<AuditResult, "started">; readonly detail: string },
  sql: Sql,
): Promise<void> {
  await sql.query("update dashboard_audit set result = $2, detail = $3 where id = $1", [id, result, detail]);
}

/** Newest first, those before an id if one is given. */
export async function listAuditEntries(
  { before, limit }: { readonly before: number | null; readonly limit: number },
  sql: Sql,
): Promise<readonly AuditEntry[]> {
  const rows = await sql.query<AuditRow>(
    "select * from dashboard_audit where id < $1 order by id desc limit $2",
    [before ?? Number.MAX_SAFE_INTEGER, limit],
  );
  return rows.map(({ repository_id: repositoryId, result, ...row }) => ({
    ...row,
    repositoryId,
    // Only results of the type are stored.
    result: result as AuditResult,
  }));
}

export async function deleteAuditEntriesBefore(timeMs: number, sql: Sql): Promise<void> {
  await sql.query("delete from dashboard_audit where at < $1", [timeMs]);
}
