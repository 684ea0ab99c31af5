/** Reported findings of a pull request with everything the ledger knows about them, for answers to people. */
import type { Sql } from "../database.ts";
import { type LedgerRow, toLedgerRow } from "./findings.ts";

type LedgerKey = { readonly repositoryId: number; readonly pullRequest: number };

export type LedgerEntry = LedgerRow & {
  /** The head whose lines its place counts. */
  readonly head: string;
  /** The verified replacement of its lines. */
  readonly suggestion: string | null;
  /** Of its comment. */
  readonly url: string | null;
};

/** By number. Later reviews move the places of findings to their own head, so that head counts. */
export async function readStoredFindings(
  { repositoryId, pullRequest }: LedgerKey,
  sql: Sql,
): Promise<readonly LedgerEntry[]> {
  const rows = await sql.query(
    `select findings.*, (
       select runs.head from runs
       where runs.repository_id = findings.repository_id and runs.pull_request = findings.pull_request
       and runs.status in ('completed', 'partial') and runs.id >= findings.told_by_run
       order by runs.id desc limit 1
     ) as place_head
     from findings where repository_id = $1 and pull_request = $2 and told_at is not null
     order by number, identity`,
    [repositoryId, pullRequest],
  );
  return rows.map((row) => ({
    ...toLedgerRow(row),
    head: (row["place_head"] ?? row["head"]) as string,
    suggestion: row["suggestion"] as string | null,
    url: row["url"] as string | null,
  }));
}

export type StoredFindingEvent = {
  readonly state: string;
  readonly reason: string;
  readonly actor: string;
  readonly head: string;
  readonly at: number;
};

/** The events of one finding's life, oldest first. */
export function readFindingEvents(
  { repositoryId, pullRequest, identity }: LedgerKey & { readonly identity: string },
  sql: Sql,
): Promise<readonly StoredFindingEvent[]> {
  return sql.query(
    `select state, reason, actor, head, at from finding_events
     where repository_id = $1 and pull_request = $2 and identity = $3 order by id`,
    [repositoryId, pullRequest, identity],
  );
}
