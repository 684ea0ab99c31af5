/**
 * Figures for an operator's report, since a time and for one repository or all. Knowledge and telemetry are two databases, so each function
 * reads one of them, and the caller puts them together by the repository's name. A query that fails throws: a figure is never zero because
 * it couldn't be read.
 */
import type { Severity } from "../../base/severity.ts";
import type { Row, Sql, SqlValue } from "../database.ts";
import { createConditions } from "./readable.ts";

export type ReportRange = {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** In any case: acme/shop. Null for all. */
  readonly repository: string | null;
  /** Only these repositories. Statistics know names only, so their names are needed too. Omitted: all. */
  readonly readable?: { readonly ids: readonly number[]; readonly names: readonly string[] };
};

/** The condition on the column of the time and those on the repository. */
function within(
  { sinceMs, repository, readable }: ReportRange,
  columns: { readonly time: string; readonly id: string | null; readonly name?: string },
): { readonly where: string; readonly params: readonly SqlValue[] } {
  const { params, value, add, where, readable: addReadable } = createConditions();
  const { time, id, name = "repository" } = columns;
  add(`${time} >= ${value(sinceMs)}`);
  if (repository !== null) add(`lower(${name}) = ${value(repository.toLowerCase())}`);
  if (readable !== undefined && id !== null) addReadable(id, readable.ids);
  if (readable !== undefined && id === null) {
    const names = readable.names.map(value);
    add(names.length === 0 ? "1 = 0" : `${name} in (${names.join(", ")})`);
  }
  return { where: where(), params };
}

export type ReviewFigures = {
  readonly repository: string;
  readonly status: string;
  readonly reviews: number;
  readonly findings: number;
  readonly reported: number;
};

/** Reviews that have ended, by repository and status. */
export function countReviews(range: ReportRange, sql: Sql): Promise<readonly (ReviewFigures & Row)[]> {
  const { where, params } = within(range, { time: "started_at", id: "repository_id" });
  return sql.query(
    `select repository, status, count(*) as reviews, cast(coalesce(sum(findings_total), 0) as bigint) as findings,
       cast(coalesce(sum(findings_told), 0) as bigint) as reported
     from runs where ${where} and finished_at is not null and head <> '' group by repository, status order by repository, status`,
    params,
  );
}

/** Answers to mentions that took more than a look at the comment. */
export function countAnswers(
  range: ReportRange,
  sql: Sql,
): Promise<readonly { readonly repository: string; readonly answers: number }[]> {
  const { where, params } = within(range, { time: "started_at", id: "repository_id" });
  return sql.query(
    `select repository, count(*) as answers from runs
     where ${where} and status = 'answered' group by repository order by repository`,
    params,
  );
}

/** How long each published review took, in milliseconds. */
export function readDurations(
  range: ReportRange,
  sql: Sql,
): Promise<readonly { readonly repository: string; readonly ms: number }[]> {
  const { where, params } = within(range, { time: "started_at", id: "repository_id" });
  return sql.query(
    `select repository, finished_at - started_at as ms from runs
     where ${where} and status in ('completed', 'partial') order by repository, ms`,
    params,
  );
}

/** The last name of a repository with reviews. */
const nameOf = (id: string): string =>
  `(select named.repository from runs as named where named.repository_id = ${id} order by named.started_at desc limit 1)`;

/** Reported findings by severity. */
export function countBySeverity(
  range: ReportRange,
  sql: Sql,
): Promise<readonly { readonly repository: string; readonly severity: string; readonly findings: number }[]> {
  const columns = { time: "told_at", id: "repository_id", name: nameOf("findings.repository_id") };
  const { where, params } = within(range, columns);
  // The sum keeps SQLite from grouping by an index of repositories, for which it would read all findings there are.
  return sql.query(
    `select coalesce(${nameOf("counted.repository_id")}, '') as repository, severity, findings
     from (
       select 0 + repository_id as repository_id, severity, count(*) as findings from findings where ${where} group by 1, 2
     ) as counted order by 1, 2`,
    params,
  );
}

/** Counts remembered findings by their outcome. */
export function countOutcomes(
  range: ReportRange,
  sql: Sql,
): Promise<readonly { readonly repository: string; readonly outcome: string; readonly findings: number }[]> {
  const name = "(kept.owner || '/' || kept.name)";
  const columns = { time: "memories.created_at", id: "memories.repository_id", name };
  const { where, params } = within(range, columns);
  return sql.query(
    `select ${name} as repository, memories.outcome, count(*) as findings
     from memories join memory_repositories as kept on kept.repository_id = memories.repository_id
     where ${where} group by 1, 2 order by 1, 2`,
    params,
  );
}

/** A reported finding and what became of it. */
export type ReportedFindingRow = {
  readonly id: number;
  readonly repository: string;
  readonly severity: Severity;
  readonly category: string;
  readonly source: string;
  /** JSON; null when the finding's reports aren't known. */
  readonly sources: string | null;
  readonly state: string;
  readonly merged_at: number | null;
  /** Null when its review is of an older version. */
  readonly mode: string | null;
  /** Null when the repository has no memory of it. */
  readonly outcome: "accepted" | "dismissed" | "ignored" | "open" | null;
};

/** Each row has the texts of a finding's reports, so that all rows of a year aren't in memory at the same time. */
const PAGE_ROWS = 2_000;

/** Reported findings, page by page. */
export async function* readReportedFindings(
  range: ReportRange,
  sql: Sql,
): AsyncGenerator<readonly ReportedFindingRow[]> {
  const { where, params } = within(range, {
    time: "findings.told_at",
    id: "findings.repository_id",
    name: "runs.repository",
  });
  for (let after = 0; ;) {
    const next = `$${params.length + 1}`;
    const rows = await sql.query<ReportedFindingRow & Row>(
      `select findings.id, runs.repository, findings.severity, findings.category, findings.source, findings.sources, findings.state,
         findings.merged_at, runs.mode, memories.outcome
       from findings join runs on runs.id = findings.run_id
       left join memories on memories.repository_id = findings.repository_id
         and memories.pull_request = findings.pull_request and memories.identity = findings.identity
       where ${where} and findings.id > ${next} order by findings.id limit ${PAGE_ROWS}`,
      [...params, after],
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

export type RuleOutcome = { readonly rule: string; readonly outcome: string; readonly findings: number };

/** Remembered findings of one repository by rule and outcome. Those of models have the rule "model". */
export function countRuleOutcomes(
  { repositoryId, sinceMs }: { readonly repositoryId: number; readonly sinceMs: number },
  sql: Sql,
): Promise<readonly (RuleOutcome & Row)[]> {
  return sql.query(
    `select coalesce(rule, 'model') as rule, outcome, count(*) as findings from memories
     where repository_id = $1 and created_at >= $2 group by 1, 2 order by 1, 2`,
    [repositoryId, sinceMs],
  );
}

export type ModelFigures = {
  readonly repository: string | null;
  readonly model: string;
  readonly attempts: number;
  readonly input_tokens: number;
  readonly cached_input_tokens: number;
  readonly output_tokens: number;
  /** Of the attempts with a known price. */
  readonly cost_micro_usd: number;
  readonly unpriced: number;
};

export function sumModelRuns(range: ReportRange, telemetry: Sql): Promise<readonly (ModelFigures & Row)[]> {
  const { where, params } = within(range, { time: "at", id: null });
  return telemetry.query(
    `select repository, model, count(*) as attempts,
       cast(sum(input_tokens) as bigint) as input_tokens,
       cast(sum(cached_input_tokens) as bigint) as cached_input_tokens,
       cast(sum(output_tokens) as bigint) as output_tokens,
       cast(coalesce(sum(cost_micro_usd), 0) as bigint) as cost_micro_usd,
       cast(sum(case when cost_micro_usd is null then 1 else 0 end) as bigint) as unpriced
     from model_runs where ${where} group by repository, model order by repository, model`,
    params,
  );
}

export function sumDegradations(
  range: ReportRange,
  telemetry: Sql,
): Promise<readonly { readonly repository: string | null; readonly what: string; readonly times: number }[]> {
  const { where, params } = within(range, { time: "at", id: null });
  return telemetry.query(
    `select repository, what, cast(sum(count) as bigint) as times from degradations
     where ${where} group by repository, what order by 3 desc, 2, 1`,
    params,
  );
}

export type RetrievalFigures = {
  readonly repository: string | null;
  readonly outcome: string;
  readonly candidates: number;
  readonly shown: number;
  readonly same_language: number;
  readonly recurred: number;
  /** JSON. */
  readonly distances: string;
  readonly ms: number;
};

export function readRetrievals(
  range: ReportRange,
  telemetry: Sql,
): Promise<readonly (RetrievalFigures & Row)[]> {
  const { where, params } = within(range, { time: "at", id: null });
  return telemetry.query(
    `select repository, outcome, candidates, shown, same_language, recurred, distances, ms
     from retrievals where ${where} order by at`,
    params,
  );
}
