/**
 * Handles webhooks: checks size, signature and JSON, then writes the delivery to disk. Nothing slow happens here, and no 2xx is sent
 * before the delivery is durable.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { Readable } from "node:stream";
import { KodiaiError } from "../base/errors.ts";
import { reachFaultPoint } from "../base/fault-point.ts";
import type { Log } from "../base/log.ts";
import type { Webhooks } from "../forge/forge.ts";
import type { Queue } from "../queue/queue.ts";
import { type Backlog, createBacklog } from "./backlog.ts";
import { type BodyReservation, createBodyMemory } from "./body-memory.ts";
import type { Intake, ReceivedWebhook } from "./intake.ts";
import { readBody } from "./read-body.ts";
import type { Rejections } from "./rejections.ts";

/** GitHub caps payloads at 25 MB. */
const MAX_BODY_BYTES = 25 * 1024 * 1024;

/**
 * Memory for all bodies that are being received or recorded: five of the largest, or thousands of typical ones, which are smaller than
 * 100 KB. Received bytes count, not announced ones.
 */
const MAX_BYTES_IN_FLIGHT = 128 * 1024 * 1024;

export type WebhookAnswer = {
  readonly status: 202 | (typeof REFUSALS)[WebhookRefusal];
  readonly body: Readonly<Record<string, string | number | null>>;
  readonly headers?: Readonly<Record<string, string>>;
};

export type WebhookDeps = {
  readonly intake: Pick<Intake, "record">;
  readonly queue: Pick<Queue, "wake">;
  readonly webhooks: Webhooks;
  /** The app's name, null until GitHub has returned it. */
  readonly slug: () => string | null;
  readonly rejections: Rejections;
  readonly log: Log;
  /** Milliseconds since 1970. */
  readonly now: () => number;
};

/** A request to the server, or a delivery that a relay passed on. */
export type IncomingWebhook = Readable & { readonly headers: IncomingHttpHeaders };

export type WebhookHandler = (incoming: IncomingWebhook) => Promise<WebhookAnswer>;

export function createWebhookHandler(deps: WebhookDeps): WebhookHandler {
  const bodyMemory = createBodyMemory(MAX_BYTES_IN_FLIGHT);
  const backlog = createBacklog(() => performance.now());
  return async (incoming) => {
    const memory = bodyMemory.open();
    try {
      return await handle(incoming, memory, { ...deps, backlog });
    } finally {
      memory.release();
    }
  };
}

type HandlerDeps = WebhookDeps & { readonly backlog: Backlog };

async function handle(
  incoming: IncomingWebhook,
  memory: BodyReservation,
  deps: HandlerDeps,
): Promise<WebhookAnswer> {
  const receivedAt = deps.now();
  const body = await readBody(incoming, { maxBytes: MAX_BODY_BYTES, memory });
  if (body.kind !== "read") return reject(body.kind, deps);
  const { bytes } = body;
  const delivery = deps.webhooks.read(incoming.headers, bytes);
  if (delivery.kind !== "signed") return reject(delivery.kind, deps);
  const { id, event, bodyHash } = delivery;
  return record({ id, event, bytes, bodyHash, receivedAt, slug: deps.slug() }, deps);
}

async function record(received: ReceivedWebhook, deps: HandlerDeps): Promise<WebhookAnswer> {
  const { intake, backlog, queue, log } = deps;
  const { id: delivery, event } = received;
  try {
    const recorded = await backlog.run(() => intake.record(received));
    if (recorded === null) return reject("overloaded", deps);
    if (recorded.state === "bad-json") return reject("bad-json", deps);
    if (recorded.state === "conflict") {
      log.warn("delivery id reused with another body", { delivery });
      return reject("conflicting-delivery", deps);
    }
    const { state, reason, jobId } = recorded;
    reachFaultPoint("after-insert");
    if (jobId !== null) queue.wake();
    log.debug("delivery recorded", { delivery, event, state, reason, job: jobId });
    return { status: 202, body: { delivery, state, reason, job: jobId } };
  } catch (error) {
    if (!(error instanceof KodiaiError)) throw error;
    log.error("delivery could not be recorded", { delivery, error: error.message });
    return reject("database", deps);
  }
}

const REFUSALS = {
  "too-large": 413,
  overloaded: 503,
  incomplete: 400,
  "bad-signature": 401,
  "bad-headers": 400,
  "bad-json": 400,
  "conflicting-delivery": 409,
  database: 503,
} as const;

/** The forge has the other messages, which name its headers and settings. */
const MESSAGES: Readonly<Record<Exclude<WebhookRefusal, keyof Webhooks["messages"]>, string>> = {
  "too-large": "The body is larger than 25 MB.",
  overloaded: "Too many deliveries at once. Kodiai requests this delivery again later.",
  incomplete: "The connection was closed before the body was complete.",
  "bad-json": "The body is not JSON. The content type of the webhook must be application/json.",
  database: "Writing the delivery to the database failed. Kodiai requests the delivery again later.",
};

/** For other senders than GitHub, which doesn't retry by itself. */
const RETRY_AFTER_S = "30";

type WebhookRefusal = keyof typeof REFUSALS;

function reject(reason: WebhookRefusal, { rejections, webhooks }: WebhookDeps): WebhookAnswer {
  rejections.add(reason);
  const status = REFUSALS[reason];
  const messages: Readonly<Record<WebhookRefusal, string>> = { ...MESSAGES, ...webhooks.messages };
  const message = messages[reason];
  const answer = { status, body: { error: reason, message } };
  return status === 503 ? { ...answer, headers: { "retry-after": RETRY_AFTER_S } } : answer;
}
