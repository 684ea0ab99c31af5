/**
 * Records a delivery and its job in one transaction: once the delivery is on disk, so is the job. A delivery that was recorded before
 * changes nothing, and a delivery that reuses the id of another is refused.
 */
import { type ErrorCode, KodiaiError } from "../base/errors.ts";
import type { Forge, ParsedEvent, RawDelivery } from "../forge/forge.ts";
import type { Enqueued, Enqueuing, JobRequest, Queue } from "../queue/queue.ts";
import type { Sql } from "../store/database.ts";
import { type DeliveryFacts, findDeliveries, insertDeliveries } from "../store/repositories/deliveries.ts";
import type { RepositoryIds } from "../store/repositories/repository-ids.ts";
import { type SeenHead, saveSeenHeads } from "../store/repositories/seen-heads.ts";
import { setVisibility } from "../store/repositories/memory-repositories.ts";
import { type EventSkipReason, type Plan, planJob } from "./plan-job.ts";
import { MENTION_KIND } from "./mentions/mention-job.ts";
import { registerEvent } from "./register-event.ts";
import { LEARN_KIND } from "./review-job.ts";

/** A body that doesn't match its event. */
type FailedPlan = { readonly kind: "failed"; readonly code: ErrorCode; readonly message: string };

/** A parsed delivery and its plan. */
export type PlannedDelivery = {
  readonly id: string;
  readonly event: string;
  readonly bytes: number;
  readonly bodyHash: string;
  readonly receivedAt: number;
  readonly facts: DeliveryFacts & Pick<ParsedEvent, "seenHead">;
  readonly plan: Plan | FailedPlan;
  /** Stored until a job has parsed it; null when it is parsed already. */
  readonly body: string | null;
};

export type DeliveryResult =
  /** `same-job`: another event had queued the job before. */
  | { readonly state: "queued"; readonly reason: "same-job" | null; readonly jobId: number | null }
  | {
      readonly state: "skipped";
      readonly reason: EventSkipReason | "skipped:duplicate-delivery";
      readonly jobId: null;
    }
  | { readonly state: "failed"; readonly reason: `failed:${string}`; readonly jobId: null };

/** A delivery with this id and another body is recorded. GitHub never does that: a new delivery has a new id. */
export type ConflictingDelivery = { readonly state: "conflict" };

const UNKNOWN_FACTS: PlannedDelivery["facts"] = {
  action: null,
  installationId: null,
  repositoryId: null,
  repository: null,
  pullRequest: null,
  sender: null,
  seenHead: null,
};

export const TRANSLATE_KIND = "translate-delivery";

type ReceivedDelivery = RawDelivery & Pick<PlannedDelivery, "bytes" | "bodyHash" | "receivedAt">;

export type PlanDeps = {
  readonly forge: Pick<Forge, "parseEvent" | "slug">;
  readonly repositoryIds: RepositoryIds;
};

/** Parses a delivery and plans its job. */
export async function planDelivery(raw: ReceivedDelivery, deps: PlanDeps): Promise<PlannedDelivery> {
  const { body: _, ...delivery } = raw;
  return { ...delivery, ...(await planEvent(raw, deps)), body: null };
}

/** A body that doesn't match its event is recorded as failed, never lost. */
export async function planEvent(
  raw: RawDelivery,
  { forge, repositoryIds }: PlanDeps,
): Promise<Pick<PlannedDelivery, "facts" | "plan">> {
  const parsed = parseOrFail(raw, forge);
  if ("kind" in parsed) return { facts: UNKNOWN_FACTS, plan: parsed };
  const { event, repositoryKey, ...facts } = parsed;
  const repositoryId = repositoryKey === null ? null : await repositoryIds.idOf(repositoryKey);
  const registered = await registerEvent(event, repositoryIds);
  return { facts: { ...facts, repositoryId }, plan: planJob(registered, forge.slug()) };
}

function parseOrFail(raw: RawDelivery, forge: PlanDeps["forge"]): ParsedEvent | FailedPlan {
  try {
    return forge.parseEvent(raw);
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    const { code, message } = error;
    return { kind: "failed", code, message };
  }
}

/** Skips of events that may be meant for the app, as long as its name is unknown. */
const NAMELESS_SKIPS: ReadonlySet<EventSkipReason> = new Set([
  "skipped:no-command",
  "skipped:edited-without-effect",
  "skipped:review-requested-of-others",
]);

/** The jobs of comments. */
const NAMELESS_JOBS: ReadonlySet<string> = new Set([LEARN_KIND, MENTION_KIND]);

/**
 * True when the plan may change once the app's name is known. A comment that seems to be a reply may be a command, and a command may be
 * to another app with the name that is assumed until then.
 */
export function dependsOnName(plan: PlannedDelivery["plan"]): boolean {
  if (plan.kind === "enqueue") return jobsOf(plan).some(({ kind }) => NAMELESS_JOBS.has(kind));
  return plan.kind === "skip" && NAMELESS_SKIPS.has(plan.reason);
}

/** Stores a body that is too large, or arrives too early, to be parsed before the acknowledgement. A job parses it. */
export function deferDelivery(raw: ReceivedDelivery): PlannedDelivery {
  const request: JobRequest = {
    key: `${TRANSLATE_KIND}/${raw.id}`,
    kind: TRANSLATE_KIND,
    lane: "event",
    serialKey: null,
    supersedes: false,
    group: "events",
    priority: 0,
    delayMs: 0,
    payload: JSON.stringify({ id: raw.id }),
  };
  return { ...raw, facts: UNKNOWN_FACTS, plan: { kind: "enqueue", request } };
}

const CONFLICT: ConflictingDelivery = { state: "conflict" };
const DUPLICATE: DeliveryResult = { state: "skipped", reason: "skipped:duplicate-delivery", jobId: null };

/** Records all deliveries or none. Returns one result for each, in order. */
export async function recordDeliveries(
  deliveries: readonly PlannedDelivery[],
  queue: Pick<Queue, "startEnqueuing">,
  sql: Sql,
): Promise<readonly (DeliveryResult | ConflictingDelivery)[]> {
  const found = findDeliveries(
    deliveries.map(({ id, bodyHash }) => ({ guid: id, bodyHash })),
    sql,
  );
  // Statements that don't need each other's answers are sent together. Most deliveries are new.
  const started = queue.startEnqueuing(requestsOf(deliveries), sql);
  const [familiarity, enqueuing] = await Promise.all([found, started]);
  const added = deliveries.filter((_, index) => familiarity[index] === "new");
  const settled = await settlePlans(added, enqueuing.add, sql);
  const rows = added.map((delivery, index) => {
    const state = settled[index];
    if (state === undefined) throw new TypeError("every plan is settled");
    return { ...delivery, ...delivery.facts, ...state, guid: delivery.id };
  });
  // Every server writes in this order, so that two of them can't wait for each other.
  const [, , overtaken] = await Promise.all([
    enqueuing.finish(),
    saveHeads(added, sql),
    insertDeliveries(rows, sql),
  ]);
  if (overtaken.length > 0) await assertSameBodies(overtaken, sql);
  const lost = new Set(overtaken.map(({ guid }) => guid));
  const results = rows.map(({ guid }, index) => (lost.has(guid) ? DUPLICATE : settled[index]));
  let next = 0;
  return familiarity.map((each) => {
    if (each === "conflict") return CONFLICT;
    return each === "new" ? (results[next++] ?? DUPLICATE) : DUPLICATE;
  });
}

/**
 * Another server has recorded these deliveries since they were looked up. The same body has requested the same job, so nothing was
 * enqueued twice. Another body must request nothing, so the transaction is rolled back.
 */
async function assertSameBodies(overtaken: Parameters<typeof findDeliveries>[0], sql: Sql): Promise<void> {
  if (!(await findDeliveries(overtaken, sql)).includes("conflict")) return;
  throw new KodiaiError("database", "Another server has just recorded a delivery with the same id", {
    hint: "Kodiai refuses the delivery when it arrives again.",
  });
}

/** Enqueues the planned jobs, and records the visibility of repositories. Returns one result for each plan, in order. */
export async function settlePlans(
  planned: readonly Pick<PlannedDelivery, "plan" | "facts" | "receivedAt">[],
  enqueue: Enqueuing["add"],
  sql: Sql,
): Promise<readonly DeliveryResult[]> {
  const enqueued = await enqueue(requestsOf(planned));
  for (const { plan, receivedAt } of planned) {
    if (plan.kind !== "visibility") continue;
    await setVisibility({ ...plan.repositoryRef, isPrivate: plan.isPrivate }, receivedAt, sql);
  }
  let next = 0;
  return planned.map(({ plan }) => {
    if (plan.kind === "visibility")
      return { state: "skipped", reason: "skipped:visibility-recorded", jobId: null };
    if (plan.kind === "skip") return { state: "skipped", reason: plan.reason, jobId: null };
    if (plan.kind === "failed") return { state: "failed", reason: failureReason(plan), jobId: null };
    const job = enqueued[next];
    next += jobsOf(plan).length;
    return { state: "queued", reason: sameJob(job), jobId: job?.jobId ?? null };
  });
}

function requestsOf(planned: readonly Pick<PlannedDelivery, "plan">[]): readonly JobRequest[] {
  return planned.flatMap(({ plan }) => (plan.kind === "enqueue" ? jobsOf(plan) : []));
}

/** The record of a delivery names the first. */
function jobsOf({ request, also = [] }: Plan & { readonly kind: "enqueue" }): readonly JobRequest[] {
  return [request, ...also];
}

export async function saveHeads(planned: readonly Pick<PlannedDelivery, "facts">[], sql: Sql): Promise<void> {
  await saveSeenHeads(
    planned.flatMap(({ facts }) => headOf(facts)),
    sql,
  );
}

function headOf({ repositoryId, pullRequest, seenHead }: PlannedDelivery["facts"]): readonly SeenHead[] {
  if (repositoryId === null || pullRequest === null || seenHead === null) return [];
  return [{ repositoryId, pullRequest, head: seenHead.head, seenAt: seenHead.at }];
}

function failureReason({ code, message }: FailedPlan): `failed:${string}` {
  return code === "bad-json" ? "failed:bad-json" : `failed:${code}: ${message}`;
}

function sameJob(enqueued: Enqueued | undefined): "same-job" | null {
  return enqueued?.isNew === false ? "same-job" : null;
}
