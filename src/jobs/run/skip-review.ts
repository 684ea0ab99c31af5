/**
 * Ends a run that a gate stopped. Rules that always report still run, unless the base's configuration turned reviews off;
 * their findings go to the summary and the check. If the author used a tag, or reviews are paused, the check says so. A
 * check that an earlier attempt started is concluded.
 */
import { count } from "../../base/count.ts";
import type { CheckNotice } from "../../forge/forge.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import { composePullRequest } from "../../review/publication/compose/compose-pull-request.ts";
import type { Publication } from "../../review/publication/publication.ts";
import { codeSpan, neutraliseInline } from "../../review/publication/render/safe-markdown.ts";
import type { Pause } from "../../store/repositories/pauses.ts";
import type { SkipReason } from "../gate-review.ts";
import { MAX_REVIEWED_PUSHES } from "../is-paused.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { JobStore } from "../job-store.ts";
import type { JobOutcome } from "../recipe.ts";
import { screenChange } from "../screen-change.ts";
import { finishReview } from "./finish-review.ts";
import type { PreparedRun } from "./prepare-run.ts";
import { publishGuard } from "./publish-run.ts";
import { encodeState } from "../review-state.ts";
import { runsOfPullRequest } from "./run-record.ts";

/** Why a review is skipped, as the end of a sentence. */
export const SKIP_WORDS: Readonly<Record<SkipReason, string>> = {
  "skipped:review-disabled": "`review.enabled` is off",
  "skipped:trigger-off": "the configuration doesn't review this event",
  "skipped:draft": "the pull request is a draft",
  "skipped:no-review": "[no-review] in the title",
  "skipped:author": "the author is in `review.skipAuthors`",
  "skipped:bot-author": "a bot opened the pull request",
  "skipped:skip-paths": "every file is in `review.skipPaths`",
  "skipped:already-reviewed": "this commit has been reviewed",
  "skipped:paused": `reviews are paused after ${count(MAX_REVIEWED_PUSHES, "reviewed push", "reviewed pushes")} within an hour`,
  "skipped:request-limit": "the hourly limit on review requests (`limits`) is reached",
};

/** The base turned reviews off for everyone or for this author, or there is nothing new to review. */
const UNSCREENED: ReadonlySet<SkipReason> = new Set([
  "skipped:review-disabled",
  "skipped:author",
  "skipped:already-reviewed",
  "skipped:request-limit",
]);

/** Why a run is skipped, with the pause that a person set; null for none. */
export type Skip = { readonly reason: SkipReason; readonly pause: Pause | null };

export async function skipReview(skip: Skip, run: PreparedRun, store: JobStore): Promise<JobOutcome> {
  const { reason } = skip;
  const { prepared, pullRequest, session } = run;
  const { journal, finish } = run.run;
  const because = becauseOf(skip, prepared.analysis);
  if (!UNSCREENED.has(reason)) {
    const publication = await screenChange(run, because);
    const { repositoryRef, number } = pullRequest;
    const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
    // An earlier commit may have left findings in the summary that are gone now.
    if (
      publication.findings.length > 0 ||
      (await runsOfPullRequest(key, store.database).isSummaryOfSkipped())
    )
      return publishScreened(reason, publication, run, store);
  }
  const check = await journal.read("check");
  const isInProgress = check !== null && check.state !== "published";
  if (isInProgress || needsCheck(reason, prepared.analysis))
    await session.checks.conclude(
      pullRequest,
      noticeOf(reason, because, prepared, await session.mention()),
      journal,
    );
  await finish({ status: "skipped", reason });
  return { state: "skipped", reason };
}

/** Findings count as reported only once a review posts them on their lines, so the run stays skipped. */
async function publishScreened(
  reason: SkipReason,
  publication: Publication,
  screened: PreparedRun,
  store: JobStore,
): Promise<JobOutcome> {
  const { session, pullRequest, prepared, run, request, context } = screened;
  const { failOn, autoApprove, summary } = prepared.config.tree.root.values.review;
  const policy = {
    failOn,
    autoApprove,
    summary,
    url: pullRequest.url,
    // Nothing was reviewed, so the state of the last review stays.
    state: encodeState(run.prior),
    mention: await session.mention(),
  };
  const outcome = await session.reviews.publish({
    pullRequest,
    compose: (moved, threads) => composePullRequest(publication, policy, moved, threads),
    threadsToResolve: [],
    journal: run.journal,
    request,
    guard: publishGuard(context),
    mayBeDraft: true,
  });
  // `mayBeDraft` is set, so the outcome is never "draft".
  if (outcome.kind !== "published" && outcome.kind !== "draft")
    return finishReview(outcome, screened, { publication, leftBehind: null, retrieval: null }, store);
  const total = publication.findings.length;
  await run.finish({ status: "skipped", reason, findings: { total, reported: total } });
  return { state: "skipped", reason };
}

/**
 * Whether the author must learn of the skip: they turned the review off with a tag, or expect a review as after earlier
 * pushes. GitHub drafts need no check: they can't be merged. A pause is no reason for a comment: it would notify everyone
 * of something that only the person who pushes can end, and that person looks at the check of the newest commit.
 */
function needsCheck(reason: SkipReason, analysis: Analysis): boolean {
  return reason === "skipped:paused" || isTagged(reason, analysis);
}

/** Whether a tag in the title holds the review back. */
function isTagged(reason: SkipReason, { intent }: Analysis): boolean {
  return reason === "skipped:no-review" || (reason === "skipped:draft" && intent.isDraft);
}

function becauseOf({ reason, pause }: Skip, { intent }: Analysis): string {
  if (reason === "skipped:paused" && pause !== null)
    return `${neutraliseInline(pause.login)} paused reviews of this pull request`;
  return reason === "skipped:draft" && intent.isDraft
    ? "marked as work in progress with [wip] or [draft] in the title"
    : SKIP_WORDS[reason];
}

/** Neutral: a skipped commit neither passes nor fails. */
function noticeOf(
  reason: SkipReason,
  because: string,
  prepared: PreparedReview,
  mention: string,
): CheckNotice {
  const sentences = [
    `Kodiai didn't review this commit: ${because}.`,
    ...remedyOf(reason, prepared, mention),
    `To get a review of this commit, comment ${codeSpan(`${mention} review`)}, request a review or re-run this check.`,
  ];
  return { conclusion: "neutral", title: `Review skipped: ${because}`, summary: sentences.join(" ") };
}

/** Names the action that starts reviews again, if the configuration allows it. */
function remedyOf(
  reason: SkipReason,
  { analysis, config }: PreparedReview,
  mention: string,
): readonly string[] {
  if (reason === "skipped:paused")
    return [`To have new commits reviewed again, comment ${codeSpan(`${mention} resume`)}.`];
  const { onReadyForReview } = config.tree.root.values.review.triggers;
  return onReadyForReview && isTagged(reason, analysis)
    ? ["To start the review, remove the tag from the title."]
    : [];
}
