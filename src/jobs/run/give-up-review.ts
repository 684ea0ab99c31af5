/**
 * Tells people that a review will not come: the check on the head is concluded with the reason and what to do. A check
 * that nobody has seen is not created for a review that a newer one replaces.
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

/** Whoever asked like this looks at the check for the answer, also where an earlier review has concluded it. */
const ANSWERED_BY_CHECK: ReadonlySet<ReviewTrigger> = new Set(["check-rerequested", "review-requested"]);

export async function giveUpReview(job: Job, why: GivingUp, deps: GiveUpDeps): Promise<void> {
  const asked = parseReviewJob(job.payload);
  const requests = await gatherRequests(job, deps.queue);
  const left = await findUnfinishedRuns(requests, deps.database);
  for (const { id } of left.filter(({ isOpen }) => isOpen)) {
    const status = why.kind === "failed" ? "failed" : "superseded";
    await finishRun(
      id,
      { status, reason: why.reason, finishedAt: deps.now(), findingsTotal: 0, findingsTold: 0 },
      deps.database,
    );
  }
  const session = deps.forge.openSession(asked.repositoryRef);
  try {
    await concludeChecks(asked, why, { ...deps, session, heads: left.map(({ head }) => head) });
    if (why.kind !== "failed") return;
    for (const { reactTo } of requests) if (reactTo !== null) await session.react(reactTo, "confused");
  } finally {
    await session.close();
  }
}

async function concludeChecks(
  asked: ReviewJob,
  why: GivingUp,
  { session, database, now, heads }: GiveUpDeps & { session: ForgeSession; heads: readonly string[] },
): Promise<void> {
  const pullRequest = await session.readPullRequest(asked.number);
  for (const head of new Set([...heads, pullRequest.head])) {
    const key = { repositoryId: asked.repositoryRef.repositoryId, pullRequest: asked.number, head };
    const journal = createPublicationJournal(database, { ...key, request: asked.request, now });
    const check = await journal.read("check");
    const isBegun = check !== null && check.state !== "published";
    const isAwaited = check === null || ANSWERED_BY_CHECK.has(asked.trigger);
    const isNews = why.kind === "failed" && head === pullRequest.head && isAwaited;
    // What another job has begun at a head that is not ours is not ours to end.
    if (isBegun ? heads.includes(head) : isNews)
      await session.concludeCheck({ ...pullRequest, head }, noticeOf(why), journal);
  }
}

function noticeOf({ kind, message, reason }: GivingUp): CheckNotice {
  if (kind !== "failed") return { conclusion: "cancelled", title: message, summary: message };
  return {
    conclusion: "neutral",
    title: "The review failed",
    summary: [
      // GitHub's and git's words may carry names that somebody chose.
      neutralise(message),
      "",
      "Nothing new was published for this commit. To try again, re-run this check, or comment `/kodiai review`.",
      "",
      `Recorded as ${codeSpan(reason)}; whoever runs Kodiai finds more with \`kodiai jobs\`.`,
    ].join("\n"),
  };
}
