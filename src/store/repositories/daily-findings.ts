/**
 * Totals of reported findings per repository and day: what people did with them, by what was known when they were reported. They are what
 * a count of all findings gives, at every moment: see changed-days.ts.
 */
import * as z from "zod";
import { DAY_MS } from "../../base/day-ms.ts";
import { parseJson } from "../../base/parse-json.ts";
import { isAtLeast, type Severity } from "../../base/severity.ts";
import type { Database, Row, Sql } from "../database.ts";
import { inBatches, rowsOf } from "../many-rows.ts";
import { addValidDays, refreshChangedDays, type Span, splitTime } from "./changed-days.ts";
import { createConditions, type ReadableRepositories } from "./readable.ts";

/** The properties by which findings are grouped. "state" has only findings whose pull request is known to be merged. */
export type FindingGrouping = "confidence" | "source" | "category" | "verdict" | "mode" | "state";

/**
 * "accepted-grave" are the accepted ones that are critical or must be fixed, which are among "accepted" too. No memory is kept of
 * "unknown" ones. Findings by state have no outcome and count as "merged".
 */
export type CountedOutcome =
  | "accepted"
  | "dismissed"
  | "ignored"
  | "open"
  | "unknown"
  | "accepted-grave"
  | "merged";

/** A value of older versions, or of a repository whose memory is off. */
export const UNKNOWN_VALUE = "unknown";

/** How many findings there are, by names such as "source/model/accepted". */
export type FindingCounts = ReadonlyMap<string, number>;

export type CountedFindings = {
  readonly grouping: FindingGrouping;
  readonly value: string;
  readonly outcome: CountedOutcome;
  readonly findings: number;
};

/** Only this file makes the names. */
export function listCounts(counts: FindingCounts): readonly CountedFindings[] {
  return [...counts].map(([name, findings]) => {
    const [grouping, value = "", outcome] = name.split("/");
    return { grouping, value, outcome, findings } as CountedFindings;
  });
}

/** Lowest confidence of each group, highest first: the thresholds that people set, and 0. */
const LOWEST = [0.9, 0.8, 0.7, 0.6, 0.5, 0.4, 0.3, 0] as const;

const StoredSources = z.array(
  z.object({ confidence: z.number(), verification: z.object({ verdict: z.string() }).optional() }),
);

/** A reported finding and what became of it. */
export type ReportedFindingRow = {
  readonly id: number;
  readonly repository_id: number;
  readonly told_at: number;
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
  readonly outcome: Exclude<CountedOutcome, "unknown" | "accepted-grave" | "merged"> | null;
};

function namesOf(row: ReportedFindingRow): readonly string[] {
  const parsed = StoredSources.safeParse(row.sources === null ? null : parseJson(row.sources));
  const sources = parsed.success ? parsed.data : [];
  const verdicts = sources.flatMap(({ verification }) => verification?.verdict ?? []);
  // As judging merges them: the most confident report counts.
  const confidence = Math.max(...sources.map((source) => source.confidence));
  const isKnown = sources.length > 0;
  const groups: readonly (readonly [FindingGrouping, string])[] = [
    ["confidence", isKnown ? String(LOWEST.find((lowest) => confidence >= lowest) ?? 0) : UNKNOWN_VALUE],
    ["source", row.source],
    ["category", row.category],
    ["verdict", isKnown ? (verdicts[0] ?? "not checked") : UNKNOWN_VALUE],
    ["mode", row.mode ?? UNKNOWN_VALUE],
  ];
  const isGrave = row.outcome === "accepted" && isAtLeast(row.severity, "must-fix");
  const outcomes: readonly CountedOutcome[] = [
    row.outcome ?? "unknown",
    ...(isGrave ? (["accepted-grave"] as const) : []),
  ];
  return [
    ...groups.flatMap(([grouping, value]) => outcomes.map((outcome) => nameOf(grouping, value, outcome))),
    ...(row.merged_at === null ? [] : [nameOf("state", row.state, "merged")]),
  ];
}

function nameOf(grouping: FindingGrouping, value: string, outcome: CountedOutcome): string {
  return `${grouping}/${value.replaceAll("/", "-")}/${outcome}`;
}

export function countReportedRows(rows: readonly ReportedFindingRow[]): FindingCounts {
  const sums = new Map<string, number>();
  for (const row of rows) for (const name of namesOf(row)) sums.set(name, (sums.get(name) ?? 0) + 1);
  return sums;
}

export function addUpFindings(
  all: Iterable<Iterable<readonly [name: string, findings: number]>>,
): FindingCounts {
  const sums = new Map<string, number>();
  for (const counts of all)
    for (const [name, findings] of counts) sums.set(name, (sums.get(name) ?? 0) + findings);
  return sums;
}

/** By repository. */
export async function readFindingCounts(
  { sinceMs, readable }: { readonly sinceMs: number; readonly readable: ReadableRepositories },
  sql: Sql,
): Promise<ReadonlyMap<number, FindingCounts>> {
  const split = await splitTime(sinceMs, "changed_finding_days", sql);
  const conditions = createConditions();
  addValidDays(conditions, split);
  conditions.readable("repository_id", readable);
  const totals = await sql.query<{ repository_id: number; counts: string }>(
    `select repository_id, counts from daily_findings where ${conditions.where()}`,
    conditions.params,
  );
  const found: (readonly [repositoryId: number, FindingCounts])[] = totals.map((row) => [
    row.repository_id,
    // Only this file writes these numbers.
    new Map(Object.entries(JSON.parse(row.counts) as Readonly<Record<string, number>>)),
  ]);
  for (const span of split.spans) found.push(...(await countFindings(span, readable, sql)));
  return new Map(
    [...Map.groupBy(found, ([repositoryId]) => repositoryId)].map(([repositoryId, rows]) => [
      repositoryId,
      addUpFindings(rows.map(([, counts]) => counts)),
    ]),
  );
}

/** Each row has the texts of a finding's reports, so that all rows of a year aren't in memory at the same time. */
const PAGE_ROWS = 2_000;

/** Counts the findings themselves. */
async function countFindings(
  span: Span,
  readable: ReadableRepositories,
  sql: Sql,
): Promise<ReadonlyMap<number, FindingCounts>> {
  const counts = new Map<number, FindingCounts>();
  let after = { at: span.fromMs, id: 0 };
  for (;;) {
    const { params, value, add, where, readable: addReadable } = createConditions();
    const at = value(after.at);
    // An index can start at the time.
    add(`findings.told_at >= ${at} and (findings.told_at > ${at} or findings.id > ${value(after.id)})`);
    add(`findings.told_at < ${value(span.toMs)}`);
    addReadable("findings.repository_id", readable);
    const rows = await sql.query<ReportedFindingRow & Row>(
      `select findings.id, findings.repository_id, findings.told_at, findings.severity, findings.category, findings.source,
         findings.sources, findings.state, findings.merged_at, runs.mode, memories.outcome
       from findings left join runs on runs.id = findings.run_id
       left join memories on memories.repository_id = findings.repository_id
         and memories.pull_request = findings.pull_request and memories.identity = findings.identity
       where ${where()} order by findings.told_at, findings.id limit ${PAGE_ROWS}`,
      params,
    );
    for (const [repositoryId, own] of Map.groupBy(rows, (row) => row.repository_id))
      counts.set(repositoryId, addUpFindings([counts.get(repositoryId) ?? [], countReportedRows(own)]));
    const last = rows.at(-1);
    if (last === undefined || rows.length < PAGE_ROWS) return counts;
    after = { at: last.told_at, id: last.id };
  }
}

/** Makes the totals of changed days again. */
export function refreshDailyFindings(database: Database): Promise<void> {
  return refreshChangedDays("changed_finding_days", refreshDay, database);
}

async function refreshDay(day: number, sql: Sql): Promise<void> {
  const span = { fromMs: day * DAY_MS, toMs: (day + 1) * DAY_MS };
  await sql.query("delete from daily_findings where day = $1", [day]);
  await inBatches([...(await countFindings(span, "all", sql))], (batch) =>
    sql.query(
      `insert into daily_findings (repository_id, day, counts) values ${rowsOf(batch.length, 3)}`,
      batch.flatMap(([repositoryId, counts]) => [
        repositoryId,
        day,
        JSON.stringify(Object.fromEntries(counts)),
      ]),
    ),
  );
}
