/** Renders the figures of bench/judged-repairs.json: how many real repairs, read backwards, a review without a model names. */
import { count, grouped } from "../src/base/count.ts";
import type { Severity } from "../src/base/severity.ts";

/** "named": the finding is about the defect that the repair removed. "other": it's true, but about something else. */
type RepairJudgement = "named" | "other" | "false";

type RepairFinding = {
  /** `owner/name` */
  readonly repository: string;
  /** The repair. */
  readonly commit: string;
  readonly path: string;
  /** Null for a finding about a whole file. */
  readonly line: number | null;
  readonly rule: string;
  /** Null when the last reading didn't make the finding; its verdict is kept. */
  readonly severity: Severity | null;
  /** Null until a person has read it. */
  readonly verdict: RepairJudgement | null;
  readonly because: string | null;
};

export type Repairs = {
  /** Rules were tuned on this repository, so it says nothing about unseen code. */
  readonly isTuning: boolean;
  readonly commits: readonly string[];
};

export type JudgedRepairs = {
  /** By name. */
  readonly repositories: Readonly<Record<string, Repairs>>;
  readonly findings: readonly RepairFinding[];
};

export const EMPTY_REPAIRS: JudgedRepairs = { repositories: {}, findings: [] };

/** A table with a row for each half. */
export function renderJudgedRepairs(repairs: JudgedRepairs): string {
  return [
    "| repositories | repairs | defect named | findings | another true problem | wrong | not judged |",
    "|---|---|---|---|---|---|---|",
    ...[false, true].flatMap((isTuning) => renderHalf(repairs, isTuning)),
  ].join("\n");
}

function renderHalf({ repositories, findings }: JudgedRepairs, isTuning: boolean): readonly string[] {
  const own = Object.entries(repositories).filter(([, each]) => each.isTuning === isTuning);
  if (own.length === 0) return [];
  const names = new Set(own.map(([name]) => name));
  const made = findings.filter(({ repository, severity }) => names.has(repository) && severity !== null);
  const of = (verdict: RepairJudgement | null) => made.filter((each) => each.verdict === verdict);
  const total = own.reduce((sum, [, { commits }]) => sum + commits.length, 0);
  const named = new Set(of("named").map(({ commit }) => commit)).size;
  const share = total === 0 ? "" : ` (${((100 * named) / total).toFixed(1)} %)`;
  const counts = [made, of("other"), of("false"), of(null)].map((some) => grouped(some.length));
  const half = `${count(own.length, "repository", "repositories")}, ${isTuning ? "for tuning" : "unseen"}`;
  return [`| ${half} | ${grouped(total)} | ${grouped(named)}${share} | ${counts.join(" | ")} |`];
}
