/**
 * Heals what was missed: asks for deliveries again that failed, finds open heads that nobody reviewed or skipped, and
 * forgets what is too old to be of use. Everything it starts goes through the same plan and queue as an event.
 */
import { messageOf } from "../base/errors.ts";
import type { Forge, OpenPullRequest } from "../forge/forge.ts";
import { type JobRequest, type Queue, RESERVED_LANE_PREFIX } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { deleteDeliveriesBefore } from "../store/repositories/deliveries.ts";
import { deleteModelRequestsBefore } from "../store/repositories/model-requests.ts";
import { deleteNotebookRowsBefore } from "../store/repositories/notebooks.ts";
import { deleteRecordingsBefore } from "../store/repositories/recordings.ts";
import { deleteRejectionsBefore } from "../store/repositories/rejections.ts";
import { hasOutcome, lastCompletedRun } from "../store/repositories/runs.ts";
import { deleteSpendingsOfQuietSince } from "../store/repositories/spendings.ts";
import { deleteTelemetryBefore } from "../store/repositories/telemetry.ts";
import { deleteTimeoutsBefore } from "../store/repositories/timeouts.ts";
import { planReview } from "./plan-job.ts";
import type { JobContext, JobOutcome, Recipe } from "./recipe.ts";
import { giveUpReview } from "./run/give-up-review.ts";

export const RECONCILE_KIND = "reconcile";

/** How often the reconciler runs: missed deliveries heal well within a quarter of an hour. */
export const RECONCILE_EVERY_MS = 5 * 60 * 1_000;

/**
 * Listing every open pull request and three days of deliveries costs requests; without a sign that something was missed,
 * this is often enough. In between, only young deliveries are looked at.
 */
const FULL_EVERY_MS = 60 * 60 * 1_000;
const YOUNG_MS = 30 * 60 * 1_000;

/** Who has not looked for longer may have missed some that are no longer young; the rest is for clocks that differ. */
const MAX_GAP_MS = YOUNG_MS - RECONCILE_EVERY_MS;

const DAY_MS = 24 * 60 * 60 * 1_000;

/** GitHub keeps its log of deliveries for three days. */
const DELIVERY_LOG_MS = 3 * DAY_MS;

/** What people ask about is younger; GitHub delivers nothing again after three days. */
const KEEP_DELIVERIES_MS = 30 * DAY_MS;
const KEEP_JOBS_MS = 90 * DAY_MS;
/** They hold code, and are large: only as long as somebody wonders about a review. */
const KEEP_RECORDINGS_MS = 30 * DAY_MS;
const KEEP_TELEMETRY_MS = 90 * DAY_MS;
/**
 * The ceiling of a pull request knows no time, and whether it is open is not known here. One that nobody has worked on for a year
 * begins anew. The widest window of the other ceilings is 30 days.
 */
const KEEP_SPENDINGS_MS = 365 * DAY_MS;

/** Longer than a review may take. */
const ABANDONED_MS = 30 * 60 * 1_000;

/** The newest jobs; an older one that is abandoned was found before. */
const MAX_LOOKED_THROUGH = 1_000;

export type ReconcileDeps = {
  readonly forge: Forge;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
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
  // A process that has just started does not know what was missed before.
  let lookedAt = Number.NEGATIVE_INFINITY;
  let fullAt = Number.NEGATIVE_INFINITY;
  return {
    async run(context) {
      const startedAt = deps.now();
      const isFull = startedAt - fullAt >= FULL_EVERY_MS || startedAt - lookedAt > MAX_GAP_MS;
      // First, so that a part of GitHub which cannot be read for long does not keep old things here.
      await context.step("forgetting what is old");
      await cancelAbandoned(context, deps);
      await prune(deps);
      await context.step("asking for failed deliveries");
      const redelivered = await deps.forge.redeliverFailed(isFull ? DELIVERY_LOG_MS : YOUNG_MS);
      const swept = isFull || redelivered > 0 ? await sweep(context, deps) : 0;
      lookedAt = startedAt;
      if (isFull) fullAt = startedAt;
      const found = { redelivered, swept };
      if (redelivered + swept > 0) context.log.info("missed events found", found);
      return reconciled(found);
    },
    giveUp: async () => {},
  };
}

function reconciled({ redelivered, swept }: { redelivered: number; swept: number }): JobOutcome {
  const heads = swept === 1 ? "1 head" : `${swept} heads`;
  return { state: "done", reason: `reconciled:${redelivered} asked again, ${heads} found` };
}

async function sweep(context: JobContext, { forge, queue, database }: ReconcileDeps): Promise<number> {
  await context.step("looking for heads without an outcome");
  let found = 0;
  for await (const open of forge.listOpenPullRequests()) {
    context.signal.throwIfAborted();
    if (!(await isMissed(open, database))) continue;
    const { repositoryRef, pullRequest } = open;
    const { request } = planReview({
      repositoryRef,
      number: pullRequest.number,
      head: pullRequest.head,
      isBot: pullRequest.author.isBot,
      trigger: "sweep",
      requestId: "",
      reactTo: null,
      asker: null,
    });
    const [enqueued] = await database.transaction((sql) => queue.enqueue([request], sql));
    if (enqueued?.isNew !== true) continue;
    found++;
    queue.wake();
  }
  return found;
}

/** Pull requests from before the app was installed are nobody's omission, unless they were reviewed since. */
async function isMissed(
  { repositoryRef, pullRequest, createdAt, installedAt }: OpenPullRequest,
  database: Database,
) {
  const { repositoryId } = repositoryRef;
  const { number, head } = pullRequest;
  if (await hasOutcome({ repositoryId, pullRequest: number, head }, database)) return false;
  return createdAt >= installedAt || (await lastCompletedRun(repositoryId, number, database)) !== null;
}

/** A job whose worker was somebody at a keyboard, and who has gone: no other worker looks into its lane. */
async function cancelAbandoned(
  { log }: JobContext,
  { queue, forge, database, now }: ReconcileDeps,
): Promise<void> {
  const queued = await queue.list({ states: ["queued"], limit: MAX_LOOKED_THROUGH });
  for (const job of queued) {
    if (!job.lane.startsWith(RESERVED_LANE_PREFIX) || now() - job.createdAt <= ABANDONED_MS) continue;
    const reason = "cancelled:abandoned";
    if (!(await queue.cancel(job.id, reason))) continue;
    try {
      const message = "Whoever asked for the review on the command line has gone.";
      await giveUpReview(job, { kind: "cancelled", reason, message }, { forge, queue, database, now });
    } catch (error) {
      log.warn("notice could not be given", {
        reason,
        error: messageOf(error),
      });
    }
  }
}

async function prune({ queue, database, telemetry, now }: ReconcileDeps): Promise<void> {
  await deleteDeliveriesBefore(now() - KEEP_DELIVERIES_MS, database);
  await deleteRejectionsBefore(now() - KEEP_DELIVERIES_MS, database);
  await queue.prune(now() - KEEP_JOBS_MS);
  await deleteRecordingsBefore(now() - KEEP_RECORDINGS_MS, database);
  await deleteNotebookRowsBefore(now() - KEEP_JOBS_MS, database);
  await deleteModelRequestsBefore(now() - KEEP_DELIVERIES_MS, database);
  await deleteTimeoutsBefore(now() - KEEP_JOBS_MS, database);
  await deleteSpendingsOfQuietSince(now() - KEEP_SPENDINGS_MS, database);
  await deleteTelemetryBefore(now() - KEEP_TELEMETRY_MS, telemetry);
}
