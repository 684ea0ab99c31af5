/** Results of earlier reviews, for tests. Fields that aren't given have neutral values. */
import { UNREAD } from "../../src/review/change/readings.ts";
import type { PriorFinding, PriorRun } from "../../src/review/context/prior-review.ts";
import type { OpenFinding, Settled } from "../../src/review/findings/settle-prior.ts";

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
  const prior = priorFinding(more);
  const { path, side, startLine, endLine } = prior;
  const isPlaced = side !== null && startLine !== null && endLine !== null;
  return { prior, place: isPlaced ? { path, side, startLine, endLine } : null, state };
}

export function settledOf(stillOpen: readonly OpenFinding[], resolved: Settled["resolved"] = []): Settled {
  return { stillOpen, resolved, places: new Map(), words: new Map() };
}

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
