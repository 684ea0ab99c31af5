/** Findings of pull requests, kept so that none is reported twice. */
import type { Sql } from "../database.ts";

export type FindingRow = {
  /** Stays the same for the same finding in later heads. */
  readonly identity: string;
  readonly runId: number;
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
  readonly path: string;
  /** Null, like the lines, for a finding that isn't anchored in the change. */
  readonly side: "new" | "old" | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  readonly rule: string | null;
  readonly source: string;
  /** Where the finding was reported (inline, summary, details), or why it wasn't. */
  readonly placement: string;
  /** When the publication was written. Null if it wasn't. */
  readonly reportedAt: number | null;
};

export type ReportedQuery = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  /** The commit under review. */
  readonly head: string;
  /** The run that reads. After a restart it must not mistake its own findings for those of another run. */
  readonly exceptRunId: number;
};

/**
 * Inserts or updates findings. The time, placement and run of the first report on a line or in the summary stay. A finding
 * that was only listed in the details may be reported again by a later run, and in a better place.
 */
export async function rememberFindings(rows: readonly FindingRow[], sql: Sql): Promise<void> {
  const stays = "findings.told_at is not null and findings.placement <> 'details'";
  for (const row of rows) {
    await sql.query(
      `insert into findings
         (identity, run_id, repository_id, pull_request, head, path, side, start_line, end_line, severity, category, title,
          rule, source, placement, state, told_at, told_by_run)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, 'open', $16, $17)
       on conflict (repository_id, pull_request, identity) do update set
         run_id = excluded.run_id, head = excluded.head, path = excluded.path, side = excluded.side,
         start_line = excluded.start_line, end_line = excluded.end_line, severity = excluded.severity,
         category = excluded.category, title = excluded.title, rule = excluded.rule, source = excluded.source,
         placement = case when ${stays} then findings.placement else excluded.placement end,
         told_at = case when ${stays} then findings.told_at else excluded.told_at end,
         told_by_run = case when ${stays} then findings.told_by_run else excluded.told_by_run end`,
      [
        row.identity,
        row.runId,
        row.repositoryId,
        row.pullRequest,
        row.head,
        row.path,
        row.side,
        row.startLine,
        row.endLine,
        row.severity,
        row.category,
        row.title,
        row.rule,
        row.source,
        row.placement,
        row.reportedAt,
        row.reportedAt === null ? null : row.runId,
      ],
    );
  }
}

export type ReportedFinding = Pick<FindingRow, "identity" | "title" | "path" | "startLine" | "severity"> & {
  /** Only listed in the details of another head. After a push it can get the inline comment it had no room for. */
  readonly isOnlyListed: boolean;
};

/** Returns the findings that other runs reported, newest first. */
export async function readReportedFindings(
  { repositoryId, pullRequest, head, exceptRunId }: ReportedQuery,
  sql: Sql,
): Promise<readonly ReportedFinding[]> {
  const rows = await sql.query(
    `select identity, title, path, start_line, severity,
       case when placement <> 'details' or told_by_run in (
         select id from runs where repository_id = $1 and pull_request = $2 and head = $4
       ) then 0 else 1 end as is_only_listed
     from findings where repository_id = $1 and pull_request = $2
     and told_at is not null and told_by_run <> $3 order by told_at desc, identity`,
    [repositoryId, pullRequest, exceptRunId, head],
  );
  // Each `as` names the type its column has in the migration.
  return rows.map((row) => ({
    identity: row["identity"] as string,
    title: row["title"] as string,
    path: row["path"] as string,
    startLine: row["start_line"] as number | null,
    severity: row["severity"] as string,
    isOnlyListed: row["is_only_listed"] === 1,
  }));
}

/** Marks the inline findings of a run as reported, because its comments are visible although the run couldn't record it. */
export async function markReported(runId: number, atMs: number, sql: Sql): Promise<void> {
  await sql.query(
    `update findings set told_at = $2, told_by_run = $1
     where run_id = $1 and told_at is null and placement = 'inline'`,
    [runId, atMs],
  );
}
