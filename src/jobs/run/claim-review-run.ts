/**
 * Records the start of a run, and reads the results of the pull request's earlier runs: the last reviewed head and the
 * reported findings. A job that restarts after a crash gets its own run back.
 */
import type { ForgeSession, PublicationJournal, PullRequest } from "../../forge/forge.ts";
import type { Repository } from "../../repository/repository.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { Change } from "../../review/change/change.ts";
import type { Database } from "../../store/database.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { saveSeenHeads } from "../../store/repositories/seen-heads.ts";
import { claimRun } from "../../store/repositories/runs.ts";
import { gatherFindings, withDiffs } from "../gathering/gather-prior-review.ts";
import type { StoredReview } from "../review-state.ts";
import { createWriteAccess } from "../gathering/gather-access.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewTrigger } from "../review-job.ts";
import { reconcilePublished } from "./reconcile-published.ts";

export type ReviewRun = {
  readonly id: number;
  /** The outcome of a run that finished before the job crashed; null for a run that still has work to do. */
  readonly finished: JobOutcome | null;
  readonly prior: PriorReview;
  readonly journal: PublicationJournal;
};

export type ClaimRunInput = {
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly repository: Repository;
  readonly change: Change;
  readonly earlier: StoredReview;
  readonly degradations: Degradations;
  readonly triggers: readonly ReviewTrigger[];
  /** The ID under which the review is published. */
  readonly request: string;
};

export type ClaimRunDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly context: Pick<JobContext, "job">;
};

export async function claimReviewRun(
  { session, pullRequest, repository, change, earlier, degradations, triggers, request }: ClaimRunInput,
  { database, now, context }: ClaimRunDeps,
): Promise<ReviewRun> {
  const { repositoryRef, number, head } = pullRequest;
  const { repositoryId } = repositoryRef;
  const key = { repositoryId, pullRequest: number };
  const run = await claimRun(
    {
      ...key,
      jobId: context.job.id,
      installationId: repositoryRef.installationId,
      repository: `${repositoryRef.owner}/${repositoryRef.name}`,
      base: change.base ?? "",
      head,
      triggers: triggers.join(","),
      startedAt: now(),
    },
    database,
  );
  await saveSeenHeads([{ ...key, head, seenAt: pullRequest.updatedAt }], database);
  await reconcilePublished({ pullRequest, session }, { database, now });
  return {
    id: run.id,
    finished: outcomeOf(run),
    prior: await withDiffs(
      {
        ...earlier,
        findings: await gatherFindings({ ...key, runId: run.id }, earlier, {
          database,
          session,
          degradations,
          hasWriteAccess: createWriteAccess(pullRequest, session, degradations),
        }),
      },
      repository,
      change,
    ),
    journal: createPublicationJournal(database, { ...key, head, request, now }),
  };
}

function outcomeOf({
  status,
  reason,
}: {
  readonly status: string;
  readonly reason: string | null;
}): JobOutcome | null {
  if (status !== "completed" && status !== "partial") return null;
  return { state: "done", reason: reason ?? "published" };
}
