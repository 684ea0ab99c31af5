/**
 * Concludes the check on the head when a review won't happen, with the reason and what to do. A replaced review gets no
 * new check.
 */
import type { CheckNotice, Forge, ForgeSession } from "../../forge/forge.ts";
import type { Job, Queue } from "../../queue/queue.ts";
import { codeSpan, neutralise } from "../../review/publication/render/safe-markdown.ts";
import type { Database } from "../../store/database.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import { finishRun } from "../../store/repositories/runs.ts";
import type { GivingUp } from "../recipe.ts";
import { parseReviewJob, type ReviewJob, type ReviewTrigger } from "../review-job.ts";
import { findUnfinishedRuns } from "./find-unfinished-runs.ts";
import { gatherRequests } from "../gathering/gather-requests.ts";

export type GiveUpDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly queue: Pick<Queue, "supersededBy">;
  readonly database: Database;
  readonly now: () => number;
};

/** These requesters look for the answer in the check, even if an earlier review has already concluded it. */
const ANSWERED_BY_CHECK: ReadonlySet<ReviewTrigger> = new Set(["check-rerequested", "review-requested"]);

export async function giveUpReview(job: Job, why: GivingUp, deps: GiveUpDeps): Promise<void> {
  const reviewJob = parseReviewJob(job.payload);
  const requests = await gatherRequests(job, deps.queue);
  const unfinished = await findUnfinishedRuns(requests, deps.database);
  for (const { id } of unfinished.filter(({ isOpen }) => isOpen)) {
    const status = why.kind === "failed" ? "failed" : "superseded";
    await finishRun(
      id,
      { status, reason: why.reason, finishedAt: deps.now(), findingsTotal: 0, findingsReported: 0 },
      deps.database,
    );
  }
  const session = deps.forge.openSession(reviewJob.repositoryRef);
  try {
    await concludeChecks(reviewJob, why, { ...deps, session, heads: unfinished.map(({ head }) => head) });
    if (why.kind !== "failed") return;
    for (const { reactTo } of requests) if (reactTo !== null) await session.react(reactTo, "confused");
  } finally {
    await session.close();
  }
}

async function concludeChecks(
  reviewJob: ReviewJob,
  why: GivingUp,
  { session, database, now, heads }: GiveUpDeps & { session: ForgeSession; heads: readonly string[] },
): Promise<void> {
  const pullRequest = await session.readPullRequest(reviewJob.number);
  for (const head of new Set([...heads, pullRequest.head])) {
    const key = { repositoryId: reviewJob.repositoryRef.repositoryId, pullRequest: reviewJob.number, head };
    const journal = createPublicationJournal(database, { ...key, request: reviewJob.request, now });
    const check = await journal.read("check");
    const isInProgress = check !== null && check.state !== "published";
    const isAwaited = check === null || ANSWERED_BY_CHECK.has(reviewJob.trigger);
    const isNews = why.kind === "failed" && head === pullRequest.head && isAwaited;
    // A check in progress on any other head belongs to another job.
    if (isInProgress ? heads.includes(head) : isNews)
      await session.concludeCheck({ ...pullRequest, head }, noticeOf(why), journal);
  }
}

function noticeOf({ kind, message, reason }: GivingUp): CheckNotice {
  if (kind !== "failed") return { conclusion: "cancelled", title: message, summary: message };
  return {
    conclusion: "neutral",
    title: "The review failed",
    summary: [
      // Messages from GitHub and git may contain names that a contributor chose.
      neutralise(message),
      "",
      "Kodiai published nothing new for this commit. To try again, re-run this check or comment `/kodiai review`.",
      "",
      `If it fails again, ask a maintainer to look into it. Error: ${codeSpan(reason)}`,
    ].join("\n"),
  };
}
