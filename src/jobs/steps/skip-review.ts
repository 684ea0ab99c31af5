/**
 * Ends a run that a gate has stopped. A person who wrote [no-review] is told once, by the check, that it was seen; and a
 * check that an earlier attempt began does not seem to run for ever.
 */
import type { CheckNotice, ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { finishRun } from "../../store/repositories/runs.ts";
import type { SkipReason } from "../gate-review.ts";
import type { JobOutcome } from "../recipe.ts";
import type { ReviewRun } from "./claim-review-run.ts";

export type SkipInput = {
  readonly session: ForgeSession;
  readonly pullRequest: PullRequest;
  readonly run: ReviewRun;
};

export type SkipDeps = {
  readonly database: Database;
  readonly now: () => number;
};

export async function skipReview(
  reason: SkipReason,
  { session, pullRequest, run }: SkipInput,
  { database, now }: SkipDeps,
): Promise<JobOutcome> {
  const check = await run.ledger.read("check");
  const isBegun = check !== null && check.state !== "published";
  if (reason === "skipped:no-review" || isBegun)
    await session.concludeCheck(pullRequest, noticeOf(reason), run.ledger);
  await finishRun(
    run.id,
    { status: "skipped", reason, finishedAt: now(), findingsTotal: 0, findingsTold: 0 },
    database,
  );
  return { state: "skipped", reason };
}

function noticeOf(reason: SkipReason): CheckNotice {
  const again = "To get a review all the same, comment `/kodiai review` or re-run this check.";
  if (reason === "skipped:no-review") {
    const summary = `The title or a commit says \`[no-review]\`. ${again}`;
    return { conclusion: "skipped", title: "Review skipped: [no-review]", summary };
  }
  const summary = `The review is not wanted any more: \`${reason}\`. ${again}`;
  return { conclusion: "skipped", title: "Review skipped", summary };
}
