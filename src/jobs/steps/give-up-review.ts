/**
 * Tells people that a review will not come: the check on the head is concluded with the reason and what to do. A check
 * that nobody has seen is not created for a review that a newer one replaces.
 */
import type { CheckNotice, Forge, ForgeSession } from "../../forge/forge.ts";
import type { Job } from "../../queue/queue.ts";
import type { Database } from "../../store/database.ts";
import { createLedger } from "../../store/repositories/publications.ts";
import { finishRun, readRunsOfJob } from "../../store/repositories/runs.ts";
import type { GivingUp } from "../recipe.ts";
import { parseReviewJob, type ReviewJob } from "../review-job.ts";

export type GiveUpDeps = {
  readonly forge: Forge;
  readonly database: Database;
  readonly now: () => number;
};

export async function giveUpReview(job: Job, why: GivingUp, deps: GiveUpDeps): Promise<void> {
  const asked = parseReviewJob(job.payload);
  const runs = await readRunsOfJob(job.id, deps.database);
  for (const { id } of runs.filter(({ status }) => status === "running" || status === "pending")) {
    const status = why.kind === "failed" ? "failed" : "superseded";
    await finishRun(
      id,
      { status, reason: why.reason, finishedAt: deps.now(), findingsTotal: 0, findingsTold: 0 },
      deps.database,
    );
  }
  const session = deps.forge.openSession(asked.place);
  try {
    await notify(asked, why, { ...deps, session, heads: runs.map(({ head }) => head) });
  } finally {
    await session.close();
  }
}

async function notify(
  asked: ReviewJob,
  why: GivingUp,
  { session, database, now, heads }: GiveUpDeps & { session: ForgeSession; heads: readonly string[] },
): Promise<void> {
  const pullRequest = await session.readPullRequest(asked.number);
  const isFailed = why.kind === "failed";
  const wanted = isFailed && heads.length === 0 ? [pullRequest.head] : heads;
  for (const head of new Set(wanted)) {
    const ledger = createLedger(database, {
      repositoryId: asked.place.repositoryId,
      pullRequest: asked.number,
      head,
      request: asked.request,
      now,
    });
    const check = await ledger.read("check");
    if (check?.state === "published" || (check === null && !isFailed)) continue;
    await session.concludeCheck({ ...pullRequest, head }, noticeOf(why), ledger);
  }
  if (isFailed && asked.reactTo !== null) await session.react(asked.reactTo, "confused");
}

function noticeOf({ kind, message, reason }: GivingUp): CheckNotice {
  if (kind !== "failed") return { conclusion: "cancelled", title: message, summary: message };
  return {
    conclusion: "neutral",
    title: "The review failed",
    summary: [
      message,
      "",
      "Nothing was published for this commit. To try again, re-run this check, or comment `/kodiai review`.",
      "",
      `Recorded as \`${reason}\`; whoever runs Kodiai finds more with \`kodiai jobs\`.`,
    ].join("\n"),
  };
}
