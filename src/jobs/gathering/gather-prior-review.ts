/**
 * Reads what earlier runs on a pull request have left: what they read, and where their findings stand. It comes from the database, or if
 * that has nothing, from the signed marker on the pull request.
 */
import type { Reviews, ReviewThread } from "../../forge/forge.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import { createSharing } from "../../review/change/share-files.ts";
import { MAX_PRIOR_RUNS } from "../../review/context/prior-findings.ts";
import type { PriorFinding, PriorReview, PriorRun, PriorSource } from "../../review/context/prior-review.ts";
import type { Database } from "../../store/database.ts";
import { type LedgerRow, readIdentities, readLedger } from "../../store/repositories/findings.ts";
import { hasSent } from "../../store/repositories/publications.ts";
import { readReviewedRuns } from "../../store/repositories/run-readings.ts";
import { KodiaiError } from "../../base/errors.ts";
import { decodeState, type StoredReview, type StoredRun } from "../review-state.ts";
import type { WriteAccess } from "./gather-access.ts";
import type { Degradations } from "./optional.ts";

export type PriorReviewRequest = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  /** The current run, which is left out. */
  readonly runId: number;
};

/** The runs of the database; without any, what the marker on the pull request holds. */
export async function readEarlier(
  key: Omit<PriorReviewRequest, "runId">,
  { database, reviews }: { readonly database: Database; readonly reviews: Pick<Reviews, "readState"> },
): Promise<StoredReview> {
  const runs = await readStoredRuns(key, database);
  if (runs.length > 0) return { runs, findings: [] };
  const text = await reviews.readState(key.pullRequest);
  const state = text === null ? null : decodeState(text);
  const [last] = state?.runs ?? [];
  // A run of this database may have written this state and crashed then. It starts again from where it started.
  const isLost = last !== undefined && !(await hasSent({ ...key, head: last.head }, database));
  return state !== null && isLost ? state : { runs: [], findings: [] };
}

async function readStoredRuns(
  key: Omit<PriorReviewRequest, "runId">,
  database: Database,
): Promise<readonly StoredRun[]> {
  const rows = await readReviewedRuns(key, MAX_PRIOR_RUNS, database);
  // Only this program writes these readings.
  return rows.map(({ readings, ...run }) => ({
    ...run,
    readings: JSON.parse(readings) as PriorRun["readings"],
  }));
}

/**
 * The findings of the database, or those that the marker holds, each with its thread. If neither has them, the markers of Kodiai's own
 * comments still name them, so that nothing is said twice after a loss.
 */
export async function gatherFindings(
  request: PriorReviewRequest,
  earlier: StoredReview,
  { database, reviews, degradations, hasWriteAccess }: FindingsDeps,
): Promise<readonly PriorFinding[]> {
  const stored = (await readLedger(request, database)).map(toPriorFinding);
  const recorded = stored.length > 0 ? stored : earlier.findings;
  const threads = await degradations.optional("threads", () => reviews.readThreads(request.pullRequest));
  // A finding that came back has several; the last one counts.
  const byFinding = new Map((threads ?? []).map((thread) => [thread.findingId, thread]));
  const findings = [
    ...recorded,
    ...onlyCommented(byFinding, recorded, await readIdentities(request, database)),
  ];
  return Promise.all(
    findings.map(async (finding) => {
      const thread = byFinding.get(finding.identity);
      if (thread === undefined) return finding;
      // The author of a pull request from a fork can resolve threads too, and decides nothing.
      const { resolvedBy } = thread;
      const isTrusted = resolvedBy !== null && (await hasWriteAccess(resolvedBy));
      return { ...finding, thread: toPriorThread(thread, isTrusted) };
    }),
  );
}

/** Findings of which only the comment is left. Those that the database has are left out: this run may have published them itself. */
function onlyCommented(
  threads: ReadonlyMap<string, ReviewThread>,
  recorded: readonly PriorFinding[],
  ofDatabase: ReadonlySet<string>,
): readonly PriorFinding[] {
  const known = new Set(
    recorded.flatMap(({ identity, others }) => [identity, ...others.map((other) => other.identity)]),
  );
  const last = Math.max(0, ...recorded.map(({ number }) => number));
  return [...threads.values()]
    .filter(({ findingId }) => !known.has(findingId) && !ofDatabase.has(findingId))
    .map(({ findingId, otherIds, isResolved, resolvedBy }, index) => ({
      ...UNKNOWN_FINDING,
      identity: findingId,
      others: otherIds.map((identity) => ({ identity, ...UNKNOWN_PLACE })),
      number: last + index + 1,
      isOnlyComment: true,
      // Kodiai resolves a thread on proof. A finding that it resolved and finds again has come back.
      state: isResolved && resolvedBy === null ? "verified" : "open",
    }));
}

const UNKNOWN_PLACE = { side: null, startLine: null, endLine: null } as const;

const UNKNOWN_FINDING = {
  path: "",
  ...UNKNOWN_PLACE,
  title: "",
  words: [],
  severity: "minor",
  category: "correctness",
  rule: null,
  source: "comment",
  thread: null,
} as const satisfies Partial<PriorFinding>;

export type FindingsDeps = {
  readonly database: Database;
  readonly reviews: Pick<Reviews, "readThreads">;
  readonly degradations: Degradations;
  readonly hasWriteAccess: WriteAccess;
};

function toPriorThread(
  { id, url, isResolved, hasReply }: ReviewThread,
  isResolvedByPerson: boolean,
): PriorFinding["thread"] {
  return { id, url, isResolved, isResolvedByPerson, isReplied: hasReply };
}

/** Rows are written from a publication, which has these values. */
function toPriorFinding(
  { others, words, sources, number, verdict, ...row }: LedgerRow,
  index: number,
): PriorFinding {
  return {
    ...(row as Pick<PriorFinding, "severity" | "category" | "state"> & typeof row),
    ...(verdict === null ? {} : { verdict: { by: verdict.by, reason: verdict.reason } }),
    // Findings from before the ledger have no number.
    number: number === 0 ? index + 1 : number,
    others: JSON.parse(others) as PriorFinding["others"],
    words: JSON.parse(words) as PriorFinding["words"],
    ...(sources === null || sources === undefined
      ? {}
      : { sources: JSON.parse(sources) as readonly PriorSource[] }),
    thread: null,
  };
}

/**
 * Reads the diffs of earlier runs from git, one after the other, because each may be as large as the change. Several runs of the same
 * commits have one diff. A diff whose commits are gone is null.
 */
export async function withDiffs(
  { runs, findings }: StoredReview,
  repository: Pick<Repository, "readChange">,
  change: Pick<Change, "title" | "body" | "base" | "head" | "files">,
): Promise<PriorReview> {
  const { title, body } = change;
  const share = createSharing(change.files);
  const known = new Map<string, PriorRun["files"]>([[`${change.base} ${change.head}`, change.files]]);
  const read: PriorRun[] = [];
  for (const run of runs) {
    const { base: mergeBase, head } = run;
    const key = `${mergeBase} ${head}`;
    const request = { kind: "pull-request", title, body, description: "", mergeBase, head, share } as const;
    try {
      if (!known.has(key)) known.set(key, (await repository.readChange(request)).files);
    } catch (error) {
      if (!(error instanceof KodiaiError)) throw error;
      known.set(key, null);
    }
    read.push({ ...run, files: known.get(key) ?? null });
  }
  return { runs: read, findings };
}
