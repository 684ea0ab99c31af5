/**
 * Concludes the check on the head when a review won't happen, with the reason and what to do. A replaced review gets no
 * new check.
 */
import type { CheckNotice, Forge, ForgeSession } from "../../forge/forge.ts";
import type { Job } from "../../queue/queue.ts";
import { codeSpan, neutralise } from "../../review/publication/render/safe-markdown.ts";
import { createPublicationJournal } from "../../store/repositories/publications.ts";
import type { JobStore, RowStore } from "../job-store.ts";
import type { GivingUp } from "../recipe.ts";
import { parseReviewJob, type ReviewJob, type ReviewTrigger } from "../review-job.ts";
import { findUnfinishedRuns } from "./find-unfinished-runs.ts";
import { gatherRequests } from "../gathering/gather-requests.ts";

export type GiveUpDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly store: Pick<JobStore, "database" | "queue" | "now">;
};

/** These requesters look for the answer in the check, even if an earlier review has already concluded it. */
const ANSWERED_BY_CHECK: ReadonlySet<ReviewTrigger> = new Set(["check-rerequested", "review-requested"]);

export async function giveUpReview(job: Job, why: GivingUp, { forge, store }: GiveUpDeps): Promise<void> {
  const reviewJob = parseReviewJob(job.payload);
  const requests = await gatherRequests(job, store.queue);
  const unfinished = await findUnfinishedRuns(requests, store);
  const status = why.kind === "failed" ? "failed" : "superseded";
  for (const { isOpen, finish } of unfinished) if (isOpen) await finish({ status, reason: why.reason });
  const session = forge.openSession(reviewJob.repositoryRef);
  try {
    const heads = unfinished.map(({ head }) => head);
    await concludeChecks({ reviewJob, heads, why }, session, store);
    if (why.kind !== "failed") return;
    for (const { reactTo } of requests)
      if (reactTo !== null) await session.comments.react(reactTo, "confused");
  } finally {
    await session.close();
  }
}

type AbandonedReview = {
  readonly reviewJob: ReviewJob;
  /** Of its unfinished runs. */
  readonly heads: readonly string[];
  readonly why: GivingUp;
};

async function concludeChecks(
  { reviewJob, heads, why }: AbandonedReview,
  { pullRequests, checks, mention }: Pick<ForgeSession, "pullRequests" | "checks" | "mention">,
  { database, now }: RowStore,
): Promise<void> {
  const { repositoryRef, number, request, trigger } = reviewJob;
  const { repositoryId } = repositoryRef;
  const pullRequest = await pullRequests.read(number);
  for (const head of new Set([...heads, pullRequest.head])) {
    const scope = { repositoryId, pullRequest: number, head, request, now };
    const journal = createPublicationJournal(database, scope);
    const check = await journal.read("check");
    const isInProgress = check !== null && check.state !== "published";
    const isAwaited = check === null || ANSWERED_BY_CHECK.has(trigger);
    const isNews = why.kind === "failed" && head === pullRequest.head && isAwaited;
    // A check in progress on any other head belongs to another job.
    if (isInProgress ? heads.includes(head) : isNews)
      await checks.conclude({ ...pullRequest, head }, noticeOf(why, await mention()), journal);
  }
}

function noticeOf({ kind, message, reason }: GivingUp, mention: string): CheckNotice {
  if (kind !== "failed") return { conclusion: "cancelled", title: message, summary: message };
  return {
    conclusion: "neutral",
    title: "The review failed",
    summary: [
      // Messages from GitHub and git may contain names that a contributor chose.
      neutralise(message),
      "",
      `Kodiai published nothing new for this commit. To try again, re-run this check or comment ${codeSpan(`${mention} review`)}.`,
      "",
      `If it fails again, ask a maintainer to look into it. Error: ${codeSpan(reason)}`,
    ].join("\n"),
  };
}
