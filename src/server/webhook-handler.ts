/**
 * The webhook door: size, signature, JSON, and then onto the disk. Nothing slow happens here, and nothing is answered with
 * a 2xx before it is durable.
 */
import { hash } from "node:crypto";
import type { IncomingMessage } from "node:http";
import { KodiaiError } from "../base/errors.ts";
import { reachFaultPoint } from "../base/fault-point.ts";
import type { Log } from "../base/log.ts";
import type { Forge } from "../forge/forge.ts";
import {
  type ConflictingDelivery,
  deferDelivery,
  type DeliveryResult,
  dependsOnName,
  NOT_JSON,
  planDelivery,
  type PlannedDelivery,
  recordDeliveries,
} from "../jobs/record-delivery.ts";
import type { Queue } from "../queue/queue.ts";
import type { Database } from "../store/database.ts";
import { createGroupCommit, type GroupCommit } from "../store/group-commit.ts";
import { type BodyShare, createBodyMemory } from "./body-memory.ts";
import { readBody } from "./read-body.ts";
import type { Rejections } from "./rejections.ts";
import { verifySignature } from "./verify-signature.ts";

/** GitHub caps payloads at 25 MB. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/** Parsing more than this would hold up the other acknowledgements; it is done by a job. */
const MAX_PARSED_BYTES = 512 * 1024;

/**
 * Memory for all bodies that are being received or recorded: five of the largest, or thousands of the usual ones, which have
 * less than 100 KB. Received bytes count, not announced ones.
 */
const MAX_BYTES_IN_FLIGHT = 128 * 1024 * 1024;

export type WebhookAnswer = {
  readonly status: 202 | 400 | 401 | 409 | 413 | 503;
  readonly body: Readonly<Record<string, string | number | null>>;
};

export type WebhookDeps = {
  readonly database: Database;
  readonly queue: Queue;
  readonly forge: Pick<Forge, "parseEvent" | "slug">;
  /** The current one first; the previous one while it is being replaced. */
  readonly webhookSecrets: readonly string[];
  /** Whether GitHub has told yet what the app is called. */
  readonly isNameKnown: () => boolean;
  readonly rejections: Rejections;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

type Recorded = DeliveryResult | ConflictingDelivery;

type IntakeDeps = WebhookDeps & { readonly intake: GroupCommit<PlannedDelivery, Recorded> };

export type WebhookHandler = (incoming: IncomingMessage) => Promise<WebhookAnswer>;

export function createWebhookHandler(given: WebhookDeps): WebhookHandler {
  const room = createBodyMemory(MAX_BYTES_IN_FLIGHT);
  const { database, queue } = given;
  // A commit waits for the disk, so all that came within one turn of the event loop share one.
  const intake = createGroupCommit<PlannedDelivery, Recorded>(database, (deliveries, sql) =>
    recordDeliveries(deliveries, queue, sql),
  );
  const deps: IntakeDeps = { ...given, intake };
  return async (incoming) => {
    const place = room.enter();
    try {
      return await take(incoming, place, deps);
    } finally {
      place.leave();
    }
  };
}

async function take(incoming: IncomingMessage, place: BodyShare, deps: IntakeDeps): Promise<WebhookAnswer> {
  const receivedAt = deps.now();
  const body = await readBody(incoming, { maxBytes: MAX_BODY_BYTES, place });
  if (body.kind !== "read") return reject(body.kind, deps);
  const { bytes } = body;
  const { headers } = incoming;
  if (!verifySignature(bytes, header(headers["x-hub-signature-256"]), ...deps.webhookSecrets))
    return reject("bad-signature", deps);
  const id = header(headers["x-github-delivery"]);
  const event = header(headers["x-github-event"]);
  if (id === undefined || event === undefined || !/^[\w-]{1,100}$/.test(id) || !/^\w{1,100}$/.test(event))
    return reject("bad-headers", deps);
  const bodyHash = hash("sha256", bytes);
  const raw = { id, event, body: bytes.toString("utf8"), bytes: bytes.length, bodyHash, receivedAt };
  if (raw.bytes > MAX_PARSED_BYTES) return record(deferDelivery(raw), deps);
  const delivery = planDelivery(raw, deps.forge);
  // Whether people speak to us is decided by somebody who knows our name.
  if (!deps.isNameKnown() && dependsOnName(delivery.plan)) return record(deferDelivery(raw), deps);
  const isJson = delivery.plan.kind !== "failed" || delivery.plan.reason !== NOT_JSON;
  return isJson ? record(delivery, deps) : reject("bad-json", deps);
}

async function record(delivery: PlannedDelivery, deps: IntakeDeps): Promise<WebhookAnswer> {
  const { intake, queue, log } = deps;
  try {
    const recorded = await intake.add(delivery);
    if (recorded.state === "conflict") {
      log.warn("a delivery id came again with another body", { delivery: delivery.id });
      return reject("conflicting-delivery", deps);
    }
    const { state, reason, jobId } = recorded;
    reachFaultPoint("after-insert");
    if (jobId !== null) queue.wake();
    log.debug("delivery recorded", {
      delivery: delivery.id,
      event: delivery.event,
      state,
      reason,
      job: jobId,
    });
    return { status: 202, body: { delivery: delivery.id, state, reason, job: jobId } };
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    log.error("delivery could not be recorded", { delivery: delivery.id, error: error.message });
    return reject("database", deps);
  }
}

const REFUSALS = {
  "too-large": { status: 413, message: "The body is larger than 25 MB." },
  overloaded: { status: 503, message: "Too many deliveries at once. Kodiai requests this one again later." },
  incomplete: { status: 400, message: "The connection was closed before the whole body had come." },
  "bad-signature": {
    status: 401,
    message:
      "The signature does not fit. Check that GITHUB_WEBHOOK_SECRET is the webhook secret in the settings of the GitHub App.",
  },
  "bad-headers": { status: 400, message: "X-GitHub-Event or X-GitHub-Delivery is missing or malformed." },
  "bad-json": {
    status: 400,
    message: "The body is not JSON. The content type of the webhook must be application/json.",
  },
  "conflicting-delivery": {
    status: 409,
    message: "Another delivery with this X-GitHub-Delivery was recorded before. Nothing of this one was.",
  },
  database: {
    status: 503,
    message: "The delivery could not be written to the database. Kodiai requests it again later.",
  },
} as const;

function reject(reason: keyof typeof REFUSALS, { rejections }: WebhookDeps): WebhookAnswer {
  rejections.add(reason);
  const { status, message } = REFUSALS[reason];
  return { status, body: { error: reason, message } };
}

function header(value: string | readonly string[] | undefined): string | undefined {
  return typeof value === "string" ? value : undefined;
}
