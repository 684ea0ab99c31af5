/**
 * Recovers missed events: requests redelivery of failed deliveries, and finds open heads that were neither reviewed nor
 * skipped. Takes up reviews that an outage left without the model, and deletes expired data. Jobs that it starts go through the same plan and queue as events.
 */
import { count } from "../base/count.ts";
import { DAY_MS } from "../base/day-ms.ts";
import { messageOf } from "../base/errors.ts";
import type { Forge, OpenPullRequest, RepositoryRef } from "../forge/forge.ts";
import { type JobRequest, type Queue, RESERVED_LANE_PREFIX } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { refreshDailyFindings } from "../store/repositories/daily-findings.ts";
import { refreshDailyStatistics } from "../store/repositories/daily-statistics.ts";
import { refreshDailyTotals } from "../store/repositories/daily-totals.ts";
import { deleteDeliveriesBefore } from "../store/repositories/deliveries.ts";
import { deleteModelRequestsBefore } from "../store/repositories/model-requests.ts";
import { deleteNotebookRowsBefore } from "../store/repositories/notebooks.ts";
import { deleteRecordingsBefore } from "../store/repositories/recordings.ts";
import { deleteKeptPublicationsBefore } from "../store/repositories/kept-publications.ts";
import { deleteReviewViewsBefore } from "../store/repositories/review-views.ts";
import { deleteRejectionsBefore } from "../store/repositories/rejections.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";
import { deleteSeenHeadsBefore } from "../store/repositories/seen-heads.ts";
import { deleteSpendingsOfQuietSince } from "../store/repositories/spendings.ts";
import { deleteExpiredTelemetry } from "../store/repositories/telemetry.ts";
import { deleteTimeoutsBefore } from "../store/repositories/timeouts.ts";
import type { MemorySource } from "./memory/memory-source.ts";
import { planDueEmbeds } from "./memory/plan-due-embeds.ts";
import { planDuePolls } from "./memory/plan-due-polls.ts";
import { planReview } from "./plan-job.ts";
import type { JobContext, JobOutcome, Recipe } from "./recipe.ts";
import { toRepositoryRef } from "./register-event.ts";
import { giveUpReview } from "./run/give-up-review.ts";
import { runsOfPullRequest } from "./run/run-record.ts";
import { createTakeUp } from "./take-up-reviews.ts";

export const RECONCILE_KIND = "reconcile";

/** How often the reconciler runs. Missed deliveries are recovered well within 15 minutes. */
export const RECONCILE_EVERY_MS = 5 * 60 * 1_000;

/**
 * Listing every open pull request and three days of deliveries costs API requests. Without a sign of missed events, once
 * per hour is enough. Runs in between check only recent deliveries.
 */
const FULL_EVERY_MS = 60 * 60 * 1_000;
const RECENT_MS = 30 * 60 * 1_000;

/** After a longer gap, unchecked deliveries may no longer be recent, so a full run follows. The margin allows for clock skew. */
const MAX_GAP_MS = RECENT_MS - RECONCILE_EVERY_MS;

/** GitHub keeps its log of deliveries for three days. */
const DELIVERY_LOG_MS = 3 * DAY_MS;

/** Long enough for questions about a delivery. GitHub redelivers nothing after three days. */
const KEEP_DELIVERIES_MS = 30 * DAY_MS;
const KEEP_JOBS_MS = 90 * DAY_MS;
/** Recordings contain code and are large, so they are kept only while questions about a review are likely. */
const KEEP_RECORDINGS_MS = 30 * DAY_MS;
/**
 * The spending limit of a pull request has no time window, and the store doesn't know whether it is still open. After a
 * year without activity, the limit starts over. The longest window of the other limits is 30 days.
 */
const KEEP_SPENDINGS_MS = 365 * DAY_MS;

/** Longer than any review takes. */
const ABANDONED_MS = 30 * 60 * 1_000;

/** The newest jobs. Earlier runs have already found older abandoned jobs. */
const MAX_LISTED_JOBS = 1_000;

export type ReconcileDeps = {
  readonly memory: MemorySource;
  readonly forge: Forge;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  readonly repositoryIds: RepositoryIds;
  readonly now: () => number;
};

/** One job per period, however many servers there are. */
export function planReconcile(now: number): JobRequest {
  return {
    key: `${RECONCILE_KIND}/${Math.floor(now / RECONCILE_EVERY_MS)}`,
    kind: RECONCILE_KIND,
    lane: "upkeep",
    serialKey: RECONCILE_KIND,
    supersedes: true,
    group: "upkeep",
    priority: 0,
    delayMs: 0,
    payload: "{}",
  };
}

export function createReconcileRecipe(deps: ReconcileDeps): Recipe {
  // A process that has just started doesn't know which events were missed before.
  let checkedAt = Number.NEGATIVE_INFINITY;
  let fullAt = Number.NEGATIVE_INFINITY;
  const takeUp = createTakeUp(deps);
  return {
    async run(context) {
      const startedAt = deps.now();
      const isFull = startedAt - fullAt >= FULL_EVERY_MS || startedAt - checkedAt > MAX_GAP_MS;
      // First, so that a long GitHub outage doesn't delay the deletion of expired data.
      await context.step("deleting expired data");
      await cancelAbandoned(context, deps);
      await prune(deps);
      await planDueEmbeds(deps);
      await planDuePolls(deps);
      await context.step("requesting redelivery of failed deliveries");
      const redelivered = await deps.forge.redeliverFailed(isFull ? DELIVERY_LOG_MS : RECENT_MS);
      const swept = isFull || redelivered > 0 ? await sweep(context, deps) : 0;
      checkedAt = startedAt;
      if (isFull) fullAt = startedAt;
      const found = { redelivered, swept };
      if (redelivered + swept > 0) context.log.info("missed events found", found);
      await context.step("taking up reviews after an outage");
      const takenUp = await takeUp(context.signal);
      if (takenUp > 0) context.log.info("reviews taken up after an outage", { reviews: takenUp });
      return reconciled({ ...found, takenUp });
    },
    giveUp: async () => {},
  };
}

function reconciled({
  redelivered,
  swept,
  takenUp,
}: Readonly<Record<"redelivered" | "swept" | "takenUp", number>>): JobOutcome {
  const again = takenUp === 0 ? "" : `, ${count(takenUp, "review")} taken up`;
  return {
    state: "done",
    reason: `reconciled:${redelivered} asked again, ${count(swept, "head")} found${again}`,
  };
}

async function sweep(context: JobContext, deps: ReconcileDeps): Promise<number> {
  const { forge, queue, database } = deps;
  await context.step("looking for unreviewed heads");
  let found = 0;
  for await (const open of forge.listOpenPullRequests()) {
    context.signal.throwIfAborted();
    const repositoryRef = await toRepositoryRef(open.repositoryRef, deps.repositoryIds);
    if (!(await isMissed(repositoryRef, open, database))) continue;
    const { pullRequest } = open;
    const { request } = planReview({
      repositoryRef,
      number: pullRequest.number,
      head: pullRequest.head,
      isBot: pullRequest.author.isBot,
      trigger: "sweep",
      requestId: "",
      isFull: false,
      reactTo: null,
      requester: null,
    });
    const [enqueued] = await database.transaction((sql) => queue.enqueue([request], sql));
    if (enqueued?.isNew !== true) continue;
    found++;
    queue.wake();
  }
  return found;
}

/** A pull request from before the app was installed counts as missed only if it has been reviewed since. */
async function isMissed(
  { repositoryId }: RepositoryRef,
  { pullRequest, createdAt, installedAt }: OpenPullRequest,
  database: Database,
) {
  const runs = runsOfPullRequest({ repositoryId, pullRequest: pullRequest.number }, database);
  if (await runs.hasOutcome(pullRequest.head)) return false;
  return createdAt >= installedAt || (await runs.isReviewed());
}

/** Cancels jobs of command-line reviews whose process is gone. No other worker claims from their lane. */
async function cancelAbandoned(
  { log }: JobContext,
  { queue, forge, database, now }: ReconcileDeps,
): Promise<void> {
  const queued = await queue.list({ states: ["queued"], limit: MAX_LISTED_JOBS });
  for (const job of queued) {
    if (!job.lane.startsWith(RESERVED_LANE_PREFIX) || now() - job.createdAt <= ABANDONED_MS) continue;
    const reason = "cancelled:abandoned";
    if (!(await queue.cancel(job.id, reason))) continue;
    try {
      const message = "The review was started on the command line and interrupted.";
      await giveUpReview(
        job,
        { kind: "cancelled", reason, message },
        { forge, store: { queue, database, now } },
      );
    } catch (error) {
      log.warn("reporting the cancelled review failed", { reason, error: messageOf(error) });
    }
  }
}

async function prune({ queue, database, telemetry, now }: ReconcileDeps): Promise<void> {
  await deleteDeliveriesBefore(now() - KEEP_DELIVERIES_MS, database);
  await deleteRejectionsBefore(now() - KEEP_DELIVERIES_MS, database);
  await queue.prune(now() - KEEP_JOBS_MS);
  await deleteRecordingsBefore(now() - KEEP_RECORDINGS_MS, database);
  await deleteReviewViewsBefore(now() - KEEP_JOBS_MS, database);
  await deleteKeptPublicationsBefore(now() - KEEP_JOBS_MS, database);
  await deleteNotebookRowsBefore(now() - KEEP_JOBS_MS, database);
  await deleteModelRequestsBefore(now() - KEEP_DELIVERIES_MS, database);
  // A later command that edits files is then asked for twice, once.
  await deleteSeenHeadsBefore(now() - KEEP_JOBS_MS, database);
  await deleteTimeoutsBefore(now() - KEEP_JOBS_MS, database);
  await deleteSpendingsOfQuietSince(now() - KEEP_SPENDINGS_MS, database);
  await deleteExpiredTelemetry(now(), telemetry);
  await refreshDailyTotals(database);
  await refreshDailyFindings(database);
  await refreshDailyStatistics(telemetry);
}
