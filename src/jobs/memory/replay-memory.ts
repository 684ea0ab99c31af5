/** Applies a suppression or a learning to the findings of the past: which of them it would have hidden, and what became of those. */
import { compileGlobs } from "../../base/glob.ts";
import type { Category, Severity } from "../../base/severity.ts";
import { findingOutcome } from "../../memory/finding-outcome.ts";
import { patternOf } from "../../memory/pattern-of.ts";
import type { Memory } from "../../review/context/memory.ts";
import { isBeyondFeedback } from "../../review/findings/rules/feedback-suppressions.ts";
import type { Sql } from "../../store/database.ts";
import {
  listFeedback,
  listReportedFindings,
  type ReportedFinding,
} from "../../store/repositories/memory-records.ts";

/** Findings per query. */
const PAGE = 500;

/** Bounds the result; more don't help anyone to decide. */
const MAX_REPLAYED = 10_000;

export type ReplaySubject = { readonly repositoryId: number } & (
  | { readonly pattern: string }
  | { readonly paths: readonly string[] }
);

export type ReplayedFinding = Omit<ReportedFinding, "severity" | "category"> & {
  readonly severity: Severity;
  readonly category: Category;
  readonly outcome: Memory["outcome"];
  /** Critical, must-fix and security findings, and attempts to blind a review, are never hidden. */
  readonly isProtected: boolean;
};

export type MemoryReplay = {
  /** How many findings of the repository were compared. */
  readonly examined: number;
  /** Those of the pattern, or in the paths: accepted ones first, then the newest. */
  readonly findings: readonly ReplayedFinding[];
};

export async function replayMemory(subject: ReplaySubject, sql: Sql): Promise<MemoryReplay> {
  const isMeant = matcherOf(subject);
  const { repositoryId } = subject;
  const matched: ReplayedFinding[] = [];
  let examined = 0;
  for (let after = 0; matched.length < MAX_REPLAYED;) {
    const page = await listReportedFindings({ repositoryId, after, limit: PAGE }, sql);
    examined += page.length;
    for (const row of page) {
      // The ledger's severities and categories are those of findings.
      const finding = {
        ...row,
        severity: row.severity as Severity,
        category: row.category as Category,
      };
      if (!isMeant(finding)) continue;
      const outcome = findingOutcome(await listFeedback(repositoryId, finding, sql));
      const { severity } = finding;
      matched.push({ ...finding, outcome, isProtected: isBeyondFeedback({ finding, severity }) });
    }
    const last = page.at(-1);
    if (last === undefined) break;
    after = last.id;
  }
  return { examined, findings: matched.toSorted(byImportance) };
}

type Candidate = Pick<ReplayedFinding, "rule" | "category" | "title" | "path">;

function matcherOf(subject: ReplaySubject): (finding: Candidate) => boolean {
  if ("pattern" in subject) return (finding) => patternOf(finding) === subject.pattern;
  if (subject.paths.length === 0) return () => true;
  const matches = compileGlobs(subject.paths);
  return ({ path }) => matches(path);
}

function byImportance(a: ReplayedFinding, b: ReplayedFinding): number {
  const accepted = Number(b.outcome === "accepted") - Number(a.outcome === "accepted");
  return accepted || b.reportedAt - a.reportedAt || b.id - a.id;
}
