/**
 * Begins a run in the records, and reads what earlier runs of the pull request left: which head was last reviewed, what
 * was told. A job that starts again after a crash gets its own run back.
 */
import type { ForgeSession, PublicationJournal, PullRequest } from "../../forge/forge.ts";
import type { Severity } from "../../base/severity.ts";
import type { OpenFinding } from "../../review/prompt/prompt.ts";
import type { Change } from "../../review/change/change.ts";
import type { Database } from "../../store/database.ts";
import { readReportedFindings } from "../../store/repositories/findings.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { claimRun, lastCompletedRun } from "../../store/repositories/runs.ts";
import type { JobContext, JobOutcome } from "../recipe.ts";
import type { ReviewTrigger } from "../review-job.ts";
import { reconcilePublished } from "./reconcile-published.ts";

export type ReviewRun = {
  readonly id: number;
  /** How it ended, when the job died after that and before it could say so. */
  readonly finished: JobOutcome | null;
  readonly lastReviewed: { readonly head: string; readonly base: string } | null;
  /** Identities that other runs of this pull request have told. */
  readonly alreadyTold: ReadonlySet<string>;
  /** Identities that were only listed in the details, at other heads. */
  readonly listedBefore: ReadonlySet<string>;
  /** What was told, the newest first, as a model is told of it. */
  readonly openFindings: readonly OpenFinding[];
  readonly journal: PublicationJournal;
};

export type ClaimRunInput = {
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly change: Change;
  readonly triggers: readonly ReviewTrigger[];
  /** Under which the review is published. */
  readonly request: string;
};

export type ClaimRunDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly context: Pick<JobContext, "job">;
};

export async function claimReviewRun(
  { session, pullRequest, change, triggers, request }: ClaimRunInput,
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
  await reconcilePublished({ pullRequest, session }, { database, now });
  const [last, reported] = await Promise.all([
    lastCompletedRun(repositoryId, number, database),
    readReportedFindings({ ...key, head, exceptRunId: run.id }, database),
  ]);
  const told = reported.filter(({ isOnlyListed }) => !isOnlyListed);
  const listed = reported.filter(({ isOnlyListed }) => isOnlyListed);
  return {
    id: run.id,
    finished: outcomeOf(run),
    lastReviewed: last === null ? null : { head: last.head, base: last.base },
    alreadyTold: new Set(told.map(({ identity }) => identity)),
    listedBefore: new Set(listed.map(({ identity }) => identity)),
    openFindings: told.map(({ title, path, startLine, severity }) => ({
      title,
      path,
      line: startLine,
      // Written from a publication, whose severities these are.
      severity: severity as Severity,
    })),
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
