/** Results of earlier reviews, for tests. Fields that aren't given have neutral values. */
import { UNREAD } from "../../src/review/change/readings.ts";
import type { PriorFinding, PriorRun } from "../../src/review/context/prior-review.ts";
import type { CheckProof } from "../../src/review/findings/carry-prior.ts";
import type { Finding, FindingSource } from "../../src/review/findings/finding.ts";
import type { Settled } from "../../src/review/findings/settle-prior.ts";
import type { OpenFinding } from "../../src/review/publication/publication.ts";
import { findingOf } from "./findings-fixtures.ts";

type Thread = NonNullable<PriorFinding["thread"]>;

/** A built-in rule's finding on line 13 of a file. */
export function priorFinding(more: Partial<PriorFinding> = {}): PriorFinding {
  return {
    identity: "id-prior",
    number: 1,
    path: "src/db/users.ts",
    side: "new",
    startLine: 13,
    endLine: 13,
    others: [],
    title: "Reported before",
    words: [],
    severity: "major",
    category: "correctness",
    rule: "sql-from-strings",
    source: "floor",
    state: "open",
    thread: null,
    ...more,
  };
}

/** Comments that wait for an answer. */
export function threadAt(url: string, more: Partial<Thread> = {}): Thread {
  return { id: "thread", url, isResolved: false, isResolvedByPerson: false, isReplied: false, ...more };
}

/** Still at the place where it was reported. */
export function openFinding(
  more: Partial<PriorFinding> = {},
  state: OpenFinding["state"] = "open",
): OpenFinding {
  return openAs(priorFinding(more), state);
}

/** This finding, still at the place where it was reported. */
export function openAs(prior: PriorFinding, state: OpenFinding["state"] = "open"): OpenFinding {
  const { path, side, startLine, endLine } = prior;
  const isPlaced = side !== null && startLine !== null && endLine !== null;
  const place = isPlaced ? { path, side, startLine, endLine } : null;
  return { prior, place, state, carriedAs: null, judged: judgedOf(prior) };
}

/** An earlier finding as this review shows it. */
function judgedOf(prior: PriorFinding): OpenFinding["judged"] {
  const { identity: id, number, path, side, startLine, endLine, title, severity, category, rule } = prior;
  const finding: Finding = findingOf({
    title,
    path,
    severity,
    category,
    rule,
    source: prior.source as FindingSource,
    quote: startLine === null ? "" : "the code",
  });
  const anchor =
    side === null || startLine === null || endLine === null
      ? null
      : { path, side, startLine, endLine, lines: ["the code"], method: "exact" as const, isChanged: true };
  const shown = { suggestion: { kind: "none" }, placement: "details", priority: 0.5, notes: [] } as const;
  const sources = prior.sources?.map((source) => ({ ...finding, ...source })) ?? [finding];
  return {
    id,
    number,
    finding,
    sources,
    anchor,
    severity,
    ...shown,
    frame: [],
    headLine: anchor?.startLine ?? null,
  };
}

export function settledOf(
  stillOpen: readonly OpenFinding[],
  resolved: Settled["resolved"] = [],
  hidden: Settled["hidden"] = [],
): Settled {
  return { stillOpen, hidden, resolved, places: new Map(), words: new Map() };
}

/** Nothing was looked at again. */
export const NO_PROOF: CheckProof = {
  couldFindAgain: () => false,
  isUnseen: () => false,
  answers: new Map(),
  ignoreReasonAt: () => null,
};

/** A run that read nothing, and whose diff can't be read any more. */
export function priorRun(more: Partial<PriorRun> = {}): PriorRun {
  return {
    base: "1".repeat(40),
    head: "0".repeat(40),
    config: "config",
    readings: { usual: UNREAD, others: [] },
    files: null,
    ...more,
  };
}
