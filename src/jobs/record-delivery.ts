/**
 * Records a delivery together with what it asks for, in one transaction: once it is on disk, so is its job. A delivery
 * that came before changes nothing, and one with the id of another is refused.
 */
import { KodiaiError } from "../base/errors.ts";
import type { Forge, ParsedEvent, RawDelivery } from "../forge/forge.ts";
import type { Enqueued, JobRequest, Queue } from "../queue/queue.ts";
import type { Sql } from "../store/database.ts";
import { insertDeliveries, settleDeliveries } from "../store/repositories/deliveries.ts";
import { type Plan, planJob } from "./plan-job.ts";

/** A delivery that was read, and what it asks for. */
export type PlannedDelivery = {
  readonly id: string;
  readonly event: string;
  readonly bytes: number;
  /** SHA-256 of the bytes as they came, in hexadecimal. */
  readonly bodyHash: string;
  readonly receivedAt: number;
  readonly facts: Omit<ParsedEvent, "event">;
  readonly plan: Plan | { readonly kind: "failed"; readonly reason: string };
  /** Kept until it has been read; null when it was. */
  readonly body: string | null;
};

export type DeliveryResult = {
  readonly state: "queued" | "skipped" | "failed";
  readonly reason: string | null;
  readonly jobId: number | null;
};

/** There is a delivery with this id and another body: GitHub sends the same one again, or a new one with an id of its own. */
export type ConflictingDelivery = { readonly state: "conflict" };

const UNKNOWN_FACTS: PlannedDelivery["facts"] = {
  action: null,
  installationId: null,
  repositoryId: null,
  repository: null,
  pullRequest: null,
  sender: null,
};

export const TRANSLATE_KIND = "translate-delivery";

/** Why a delivery failed that is not JSON at all. */
export const NOT_JSON = "failed:bad-json";

/** A delivery as it came. */
type ReceivedDelivery = RawDelivery & Pick<PlannedDelivery, "bytes" | "bodyHash" | "receivedAt">;

/** Reads a delivery and plans it. */
export function planDelivery(
  raw: ReceivedDelivery,
  forge: Pick<Forge, "parseEvent" | "slug">,
): PlannedDelivery {
  const { body: _, ...delivery } = raw;
  return { ...delivery, ...planEvent(raw, forge), body: null };
}

/** A body that is not what its event promises is recorded as failed, never lost. */
export function planEvent(
  raw: RawDelivery,
  forge: Pick<Forge, "parseEvent" | "slug">,
): Pick<PlannedDelivery, "facts" | "plan"> {
  try {
    const { event, ...facts } = forge.parseEvent(raw);
    return { facts, plan: planJob(event, forge.slug()) };
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    const reason = error.code === "bad-json" ? NOT_JSON : `failed:${error.code}: ${error.message}`;
    return { facts: UNKNOWN_FACTS, plan: { kind: "failed", reason } };
  }
}

/** What an event about us looks like to somebody who does not know our name. */
const NOT_FOR_US: ReadonlySet<string> = new Set(["skipped:no-command", "skipped:review-requested-of-others"]);

/** Whether the plan may be another one once the app's name is known. */
export function dependsOnName(plan: PlannedDelivery["plan"]): boolean {
  return plan.kind === "skip" && NOT_FOR_US.has(plan.reason);
}

/** A body that cannot be read before the acknowledgement, being too large or too early, is kept and read by a job. */
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

/** All of them or none; one state for each, in their order. */
export async function recordDeliveries(
  deliveries: readonly PlannedDelivery[],
  queue: Queue,
  sql: Sql,
): Promise<readonly (DeliveryResult | ConflictingDelivery)[]> {
  const insertions = await insertDeliveries(
    deliveries.map((delivery) => ({ ...delivery, ...delivery.facts, guid: delivery.id })),
    sql,
  );
  const added = deliveries.filter((_, index) => insertions[index] === "inserted");
  const settled = await settlePlans(
    added.map(({ plan }) => plan),
    queue,
    sql,
  );
  const states = new Map<PlannedDelivery, DeliveryResult>();
  for (const [index, delivery] of added.entries()) {
    const state = settled[index];
    if (state === undefined) throw new TypeError("every plan is settled");
    states.set(delivery, state);
  }
  await settleDeliveries(
    [...states].map(([{ id: guid, event, bytes, receivedAt, body }, state]) => ({
      guid,
      event,
      bytes,
      receivedAt,
      keepBody: body !== null,
      ...state,
    })),
    sql,
  );
  return deliveries.map((delivery, index) =>
    insertions[index] === "conflict" ? CONFLICT : (states.get(delivery) ?? DUPLICATE),
  );
}

/** Enqueues what is to be done; one state for each plan, in their order. */
export async function settlePlans(
  plans: readonly PlannedDelivery["plan"][],
  queue: Queue,
  sql: Sql,
): Promise<readonly DeliveryResult[]> {
  const requests = plans.flatMap((plan) => (plan.kind === "enqueue" ? [plan.request] : []));
  const enqueued = requests.length === 0 ? [] : await queue.enqueue(requests, sql);
  let next = 0;
  return plans.map((plan) => {
    if (plan.kind === "skip") return { state: "skipped", reason: plan.reason, jobId: null };
    if (plan.kind === "failed") return { state: "failed", reason: plan.reason, jobId: null };
    const job = enqueued[next++];
    return { state: "queued", reason: sameJob(job), jobId: job?.jobId ?? null };
  });
}

function sameJob(enqueued: Enqueued | undefined): string | null {
  return enqueued?.isNew === false ? "same-job" : null;
}
