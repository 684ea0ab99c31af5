/**
 * Records the start of a run, and reads the results of the pull request's earlier runs: the last reviewed head and the
 * reported findings. A job that restarts after a crash gets its own run back.
 */
import type { ForgeSession, PublicationJournal } from "../../forge/forge.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { saveSeenHeads } from "../../store/repositories/seen-heads.ts";
import { gatherFindings, withDiffs } from "../gathering/gather-prior-review.ts";
import type { StoredReview } from "../review-state.ts";
import { createWriteAccess } from "../gathering/gather-access.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { OpenedPullRequest } from "../gathering/open-pull-request.ts";
import type { RowStore } from "../job-store.ts";
import type { JobOutcome } from "../recipe.ts";
import type { ReviewTrigger } from "../review-job.ts";
import { reconcilePublished } from "./reconcile-published.ts";
import { type RunRecord, startRun } from "./run-record.ts";

export type ReviewRun = Pick<RunRecord, "id" | "finish"> & {
  /** The outcome of a run that finished before the job crashed; null for a run that still has work to do. */
  readonly finished: JobOutcome | null;
  readonly prior: PriorReview;
  readonly journal: PublicationJournal;
};

export type RunToClaim = OpenedPullRequest & {
  readonly jobId: number;
  readonly earlier: StoredReview;
  readonly degradations: Degradations;
  readonly triggers: readonly ReviewTrigger[];
  /** The ID under which the review is published. */
  readonly request: string;
};

export async function claimReviewRun(
  { jobId, pullRequest, repository, change, earlier, degradations, triggers, request }: RunToClaim,
  { reviews, people }: Pick<ForgeSession, "reviews" | "people">,
  store: RowStore,
): Promise<ReviewRun> {
  const { database, now } = store;
  const { repositoryRef, number, head } = pullRequest;
  const { repositoryId } = repositoryRef;
  const key = { repositoryId, pullRequest: number };
  const base = change.base ?? "";
  const record = await startRun(
    { jobId, repositoryRef, pullRequest: number, base, head, triggers: triggers.join(",") },
    store,
  );
  const { id, finish } = record;
  await saveSeenHeads([{ repositoryId, pullRequest: number, head, seenAt: pullRequest.updatedAt }], database);
  await reconcilePublished(pullRequest, reviews, store);
  const hasWriteAccess = createWriteAccess(pullRequest, people, degradations);
  const findings = await gatherFindings({ ...key, runId: id }, earlier, {
    database,
    reviews,
    degradations,
    hasWriteAccess,
  });
  return {
    id,
    finish,
    finished: outcomeOf(record),
    prior: await withDiffs({ ...earlier, findings }, repository, change),
    journal: createPublicationJournal(database, { repositoryId, pullRequest: number, head, request, now }),
  };
}

function outcomeOf({ status, reason }: Pick<RunRecord, "status" | "reason">): JobOutcome | null {
  if (status !== "completed" && status !== "partial") return null;
  return { state: "done", reason: reason ?? "published" };
}
