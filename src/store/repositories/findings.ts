/** The ledger of a pull request: every finding with its current place and state, and the events of its life, which are only appended. */
import type { Row, Sql } from "../database.ts";

export type FindingRow = {
  /** Stays the same for the same finding in later heads. */
  readonly identity: string;
  /** Stays with the finding for the life of the pull request. */
  readonly number: number;
  readonly path: string;
  /** Null, like the lines, for a finding that isn't anchored in the change. */
  readonly side: "new" | "old" | null;
  readonly startLine: number | null;
  readonly endLine: number | null;
  /** Other places of the finding, as JSON. */
  readonly others: string;
  readonly severity: string;
  readonly category: string;
  readonly title: string;
  /** Words to recognize the finding by, as JSON. */
  readonly words: string;
  readonly rule: string | null;
  readonly source: string;
  /** The reports that it was made of, as JSON; missing or null when they aren't known. */
  readonly sources?: string | null;
  readonly state: string;
};

/** A person's word about a finding. */
export type FindingVerdict = {
  readonly state: "contested" | "waived";
  /** A login. */
  readonly by: string;
  /** "" without one. */
  readonly reason: string;
  /** Of its thread or pull request. */
  readonly url: string;
  readonly at: number;
};

/** A finding with what a person said about it, which is its state unless it is verified or expired. */
export type LedgerRow = FindingRow & { readonly verdict: FindingVerdict | null };

/** The run that writes. */
export type LedgerScope = {
  readonly runId: number;
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
};

/** A finding of this run. */
export type ReportedRow = FindingRow & {
  readonly placement: string;
  /** The verified replacement of its lines. Omitted: none. */
  readonly suggestion?: string | null;
};

/** Inserts findings that are about to be published. Those of earlier runs stay as they are. */
export async function insertPending(
  rows: readonly ReportedRow[],
  scope: LedgerScope,
  sql: Sql,
): Promise<void> {
  for (const row of rows) await writeRow(row, { ...scope, placement: row.placement, reportedAt: null }, sql);
}

/** Writes the findings after a publication. `placement` is null for those of earlier runs. */
export async function writeLedger(
  rows: readonly (Omit<ReportedRow, "placement"> & { readonly placement: string | null })[],
  scope: LedgerScope & { readonly at: number },
  sql: Sql,
): Promise<void> {
  for (const row of rows) {
    const { placement } = row;
    // Rows of earlier runs are missing if the database was lost, and the marker on the pull request had the findings.
    const writing = { ...scope, placement: placement ?? "details", reportedAt: scope.at };
    await writeRow(row, placement === null ? { ...writing, columns: LIFE_COLUMNS } : writing, sql);
  }
}

/** The columns that later runs update. */
const LIFE_COLUMNS = [
  "path",
  "side",
  "start_line",
  "end_line",
  "others",
  "words",
  "severity",
  "sources",
  "state",
] as const;

const REPORT_COLUMNS = [
  ...LIFE_COLUMNS,
  "number",
  "run_id",
  "head",
  "category",
  "title",
  "rule",
  "source",
  "placement",
  "suggestion",
  "told_at",
  "told_by_run",
] as const;

type Writing = LedgerScope & {
  readonly placement: string;
  readonly reportedAt: number | null;
  /** The columns of a row that exists. Omitted: all. */
  readonly columns?: readonly string[];
};

async function writeRow(
  row: FindingRow & Pick<ReportedRow, "suggestion">,
  writing: Writing,
  sql: Sql,
): Promise<void> {
  // A finding that is reported again after it was resolved keeps its row until the new report is published.
  const stays = writing.reportedAt === null ? "where findings.told_at is null" : "";
  const updates = (writing.columns ?? REPORT_COLUMNS).map((column) => `${column} = excluded.${column}`);
  await sql.query(
    `insert into findings
       (identity, number, run_id, repository_id, pull_request, head, path, side, start_line, end_line, others, severity, category,
        title, words, rule, source, placement, state, told_at, told_by_run, suggestion, sources)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22, $23)
     on conflict (repository_id, pull_request, identity) do update set ${updates.join(", ")} ${stays}`,
    [
      row.identity,
      row.number,
      writing.runId,
      writing.repositoryId,
      writing.pullRequest,
      writing.head,
      row.path,
      row.side,
      row.startLine,
      row.endLine,
      row.others,
      row.severity,
      row.category,
      row.title,
      row.words,
      row.rule,
      row.source,
      writing.placement,
      row.state,
      writing.reportedAt,
      writing.reportedAt === null ? null : writing.runId,
      row.suggestion ?? null,
      row.sources ?? null,
    ],
  );
}

/** A change of a finding's state: who did it, and why. */
export type FindingEvent = {
  readonly identity: string;
  readonly state: string;
  readonly reason: string;
  readonly actor: string;
};

export async function appendEvents(
  events: readonly FindingEvent[],
  { runId, repositoryId, pullRequest, head, at }: LedgerScope & { readonly at: number },
  sql: Sql,
): Promise<void> {
  for (const { identity, state, reason, actor } of events)
    await sql.query(
      `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
      [repositoryId, pullRequest, identity, runId, head, state, reason, actor, at],
    );
}

/** Returns the findings that other runs reported, by number. */
export async function readLedger(
  { repositoryId, pullRequest, runId }: Omit<LedgerScope, "head">,
  sql: Sql,
): Promise<readonly LedgerRow[]> {
  const rows = await sql.query(
    `select * from findings where repository_id = $1 and pull_request = $2 and told_at is not null and told_by_run <> $3
     order by number, identity`,
    [repositoryId, pullRequest, runId],
  );
  return rows.map(toLedgerRow);
}

/** Returns the identities of all findings of a pull request, also of those that were not reported yet. */
export async function readIdentities(
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<ReadonlySet<string>> {
  const rows = await sql.query<{ identity: string }>(
    "select identity from findings where repository_id = $1 and pull_request = $2",
    [repositoryId, pullRequest],
  );
  return new Set(rows.map(({ identity }) => identity));
}

/** Each `as` names the type its column has in the migrations. */
export function toLedgerRow(row: Row): LedgerRow {
  const state = row["state"] as string;
  const isSettled = state === "verified" || state === "expired";
  const verdict = verdictOf(row);
  return {
    identity: row["identity"] as string,
    number: row["number"] as number,
    path: row["path"] as string,
    side: row["side"] as FindingRow["side"],
    startLine: row["start_line"] as number | null,
    endLine: row["end_line"] as number | null,
    others: row["others"] as string,
    severity: row["severity"] as string,
    category: row["category"] as string,
    title: row["title"] as string,
    words: row["words"] as string,
    rule: row["rule"] as string | null,
    source: row["source"] as string,
    sources: row["sources"] as string | null,
    state: isSettled ? state : (verdict?.state ?? state),
    verdict,
  };
}

/** All of its columns are written together. */
function verdictOf(row: Row): FindingVerdict | null {
  if (row["verdict"] === null) return null;
  return {
    state: row["verdict"] as FindingVerdict["state"],
    by: row["verdict_by"] as string,
    reason: row["verdict_reason"] as string,
    url: row["verdict_url"] as string,
    at: row["verdict_at"] as number,
  };
}

/** Records what a person says about a finding, in place of what people said before, and appends it to the finding's life. */
export async function writeVerdict(
  { identity, state, by, reason, url, at }: FindingVerdict & { readonly identity: string },
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update findings set verdict = $4, verdict_by = $5, verdict_reason = $6, verdict_url = $7, verdict_at = $8
     where repository_id = $1 and pull_request = $2 and identity = $3`,
    [repositoryId, pullRequest, identity, state, by, reason, url, at],
  );
  // The event names the head and the run that reported the finding.
  await sql.query(
    `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
     select repository_id, pull_request, identity, run_id, head, $4, $5, $6, $7
     from findings where repository_id = $1 and pull_request = $2 and identity = $3`,
    [repositoryId, pullRequest, identity, state, reason, by, at],
  );
}

/** Takes back what people said about a finding, and appends that to its life. It counts as open until a review looks again. */
export async function clearVerdict(
  { identity, by, at }: Pick<FindingVerdict, "by" | "at"> & { readonly identity: string },
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<void> {
  const key = [repositoryId, pullRequest, identity];
  await sql.query(
    `update findings set verdict = null, verdict_by = null, verdict_reason = null, verdict_url = null, verdict_at = null,
       state = case when state in ('contested', 'waived') then 'open' else state end
     where repository_id = $1 and pull_request = $2 and identity = $3`,
    key,
  );
  await sql.query(
    `insert into finding_events (repository_id, pull_request, identity, run_id, head, state, reason, actor, at)
     select repository_id, pull_request, identity, run_id, head, state, 'reopened', $4, $5
     from findings where repository_id = $1 and pull_request = $2 and identity = $3`,
    [...key, by, at],
  );
}

/** Marks the inline findings of a run as reported, because its comments are visible although the run couldn't record it. */
export async function markReported(runId: number, atMs: number, sql: Sql): Promise<void> {
  await sql.query(
    `update findings set told_at = $2, told_by_run = $1
     where run_id = $1 and told_at is null and placement = 'inline'`,
    [runId, atMs],
  );
}

/** The verified suggestions of reported findings, by identity. */
export async function readSuggestions(
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<ReadonlyMap<string, string>> {
  const rows = await sql.query<{ identity: string; suggestion: string }>(
    `select identity, suggestion from findings
     where repository_id = $1 and pull_request = $2 and told_at is not null and suggestion is not null`,
    [repositoryId, pullRequest],
  );
  return new Map(rows.map(({ identity, suggestion }) => [identity, suggestion]));
}

/** Records that a head has exactly the suggested lines. */
export async function markCommitted(
  identities: readonly string[],
  { repositoryId, pullRequest, head }: Pick<LedgerScope, "repositoryId" | "pullRequest" | "head">,
  sql: Sql,
): Promise<void> {
  for (const identity of identities)
    await sql.query(
      `update findings set suggestion_committed_in = $4
       where repository_id = $1 and pull_request = $2 and identity = $3`,
      [repositoryId, pullRequest, identity, head],
    );
}

/** Records that the pull request of reported findings was merged. */
export async function markMerged(
  {
    repositoryId,
    pullRequest,
    at,
  }: Pick<LedgerScope, "repositoryId" | "pullRequest"> & { readonly at: number },
  sql: Sql,
): Promise<void> {
  await sql.query(
    `update findings set merged_at = $3
     where repository_id = $1 and pull_request = $2 and told_at is not null and merged_at is null`,
    [repositoryId, pullRequest, at],
  );
}

/** Records where the comments of findings are, by identity; also for the memories of these findings. */
export async function writeUrls(
  urls: ReadonlyMap<string, string>,
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<void> {
  for (const [identity, url] of urls)
    for (const table of ["findings", "memories"])
      await sql.query(
        `update ${table} set url = $4
         where repository_id = $1 and pull_request = $2 and identity = $3 and (url is null or url <> $4)`,
        [repositoryId, pullRequest, identity, url],
      );
}

/** A reported finding, as feedback needs it. */
export type LedgerFinding = Pick<
  LedgerRow,
  "identity" | "path" | "title" | "category" | "rule" | "state" | "verdict"
> & {
  readonly isSuggestionCommitted: boolean;
};

export async function readReported(
  { repositoryId, pullRequest }: Pick<LedgerScope, "repositoryId" | "pullRequest">,
  sql: Sql,
): Promise<readonly LedgerFinding[]> {
  const rows = await sql.query(
    `select * from findings where repository_id = $1 and pull_request = $2 and told_at is not null
     order by number, identity`,
    [repositoryId, pullRequest],
  );
  return rows.map((row) => ({
    ...toLedgerRow(row),
    isSuggestionCommitted: row["suggestion_committed_in"] !== null,
  }));
}
