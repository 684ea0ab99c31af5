/**
 * Figures for an operator's report that aren't in the daily totals, since a time and for one repository or all. A query that fails throws:
 * a figure is never zero because it couldn't be read.
 */
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
