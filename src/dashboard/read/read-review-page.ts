/** Everything that is stored about one review: its run, what it published, its findings over all pushes, and its figures. */
import type { ReviewView } from "../../review/publication/review-view.ts";
import {
  type LifeEvent,
  listLifeEvents,
  listPushes,
  readReview,
  sumCosts,
} from "../../store/repositories/listed-reviews.ts";
import { readPassEnds } from "../../store/repositories/notebooks.ts";
import type { ReadableRepositories } from "../../store/repositories/readable.ts";
import { recordedRuns } from "../../store/repositories/recordings.ts";
import { readReviewViewText } from "../../store/repositories/review-views.ts";
import type { Run } from "../../store/repositories/to-run.ts";
import { type LedgerEntry, readStoredFindings } from "../../store/repositories/stored-findings.ts";
import { type JobFigures, readJobFigures } from "../../store/repositories/telemetry.ts";
import type { PageDeps } from "../page.ts";

export type OpenedReview = {
  readonly run: Run;
  /** Null for a review that wasn't published, of an older version, or older than views are kept. */
  readonly view: ReviewView | null;
  /** All findings of the pull request, by number. */
  readonly findings: readonly LedgerEntry[];
  readonly events: readonly LifeEvent[];
  /** The published reviews of the pull request, oldest first. */
  readonly pushes: readonly Run[];
  readonly figures: JobFigures;
  /** When each run of a model began, in milliseconds after the first one; null if that isn't known of all of them. */
  readonly passStarts: readonly number[] | null;
  /** Null without a model. */
  readonly costMicroUsd: number | null;
  readonly isRecorded: boolean;
};

/** The columns of the timeline. */
const MAX_PUSHES = 12;

/** A pull request with more is shown without its first events' successors; no one reads that many. */
const MAX_EVENTS = 5_000;

/** Null if there is none that this viewer may read. */
export async function readReviewPage(
  id: number,
  readable: ReadableRepositories,
  { database, telemetry }: Pick<PageDeps, "database" | "telemetry">,
): Promise<OpenedReview | null> {
  const run = await readReview(id, readable, database);
  if (run === null) return null;
  const [cost] = await sumCosts([id], database);
  const text = await readReviewViewText(id, database);
  const figures = await readJobFigures(run.jobId, telemetry);
  return {
    run,
    // Only this program writes it.
    view: text === null ? null : (JSON.parse(text) as ReviewView),
    findings: await readStoredFindings(run, database),
    events: await listLifeEvents(run, MAX_EVENTS, database),
    pushes: await listPushes(run, MAX_PUSHES, database),
    figures,
    passStarts: startsOf(figures, await readPassEnds(id, database)),
    costMicroUsd: cost?.micro_usd ?? null,
    isRecorded: (await recordedRuns([id], database)).has(id),
  };
}

/** Statistics have how long each attempt took, and the notebook when it ended. Both have the attempts of a pass in order. */
function startsOf(
  { modelRuns }: JobFigures,
  ends: Awaited<ReturnType<typeof readPassEnds>>,
): readonly number[] | null {
  const left = Map.groupBy(ends, ({ pass }) => pass);
  const starts = modelRuns.flatMap(({ pass, ms }) => {
    const end = left.get(pass)?.shift();
    return end === undefined ? [] : [end.at - ms];
  });
  if (starts.length < modelRuns.length || starts.length < ends.length) return null;
  const first = Math.min(...starts);
  return starts.map((start) => start - first);
}
