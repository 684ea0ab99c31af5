/**
 * Figures for an operator's report that aren't in the daily totals, since a time and for one repository or all. A query that fails throws:
 * a figure is never zero because it couldn't be read.
 */
import type { Severity } from "../../base/severity.ts";
import type { Row, Sql } from "../database.ts";
import { addRepositoryName, type StatisticsRange } from "./daily-statistics.ts";
import { createConditions } from "./readable.ts";

export type ReportRange = {
  /** Milliseconds since 1970. */
  readonly sinceMs: number;
  /** In any case: acme/shop. Null for all. */
  readonly repository: string | null;
  /** Only these repositories. Omitted: all. */
  readonly ids?: readonly number[];
  /** The names of these repositories, which statistics know. Omitted: all. */
  readonly names?: readonly string[];
};

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

const SELECT_REPORTED = `select findings.id, runs.repository, findings.severity, findings.category, findings.source, findings.sources,
    findings.state, findings.merged_at, runs.mode, memories.outcome
  from findings join runs on runs.id = findings.run_id
  left join memories on memories.repository_id = findings.repository_id
    and memories.pull_request = findings.pull_request and memories.identity = findings.identity`;

/** Reported findings, page by page. */
export async function* readReportedFindings(
  { sinceMs, repository, ids }: ReportRange,
  sql: Sql,
): AsyncGenerator<readonly ReportedFindingRow[]> {
  const { params, value, add, where, readable } = createConditions();
  add(`findings.told_at >= ${value(sinceMs)}`);
  if (repository !== null) add(`lower(runs.repository) = ${value(repository.toLowerCase())}`);
  readable("findings.repository_id", ids ?? "all");
  for (let after = 0; ;) {
    const next = `$${params.length + 1}`;
    const rows = await sql.query<ReportedFindingRow & Row>(
      `${SELECT_REPORTED} where ${where()} and findings.id > ${next} order by findings.id limit ${PAGE_ROWS}`,
      [...params, after],
    );
    yield rows;
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return;
    after = last.id;
  }
}

/** The findings of one repository that were reported last. */
export function readLatestReported(
  {
    repositoryId,
    sinceMs,
    limit,
  }: { readonly repositoryId: number; readonly sinceMs: number; readonly limit: number },
  sql: Sql,
): Promise<readonly (ReportedFindingRow & Row)[]> {
  return sql.query(
    `${SELECT_REPORTED} where findings.repository_id = $1 and findings.told_at >= $2
     order by findings.told_at desc, findings.id desc limit $3`,
    [repositoryId, sinceMs, limit],
  );
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
  range: StatisticsRange,
  telemetry: Sql,
): Promise<readonly (RetrievalFigures & Row)[]> {
  const conditions = createConditions();
  conditions.add(`at >= ${conditions.value(range.sinceMs)}`);
  addRepositoryName(conditions, range);
  return telemetry.query(
    `select repository, outcome, candidates, shown, same_language, recurred, distances, ms
     from retrievals where ${conditions.where()} order by at`,
    conditions.params,
  );
}
