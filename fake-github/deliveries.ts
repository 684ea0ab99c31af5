/** The app's webhook: signed deliveries over real HTTP, a delivery log like GitHub's, and redelivery. */
import { createHmac, randomUUID } from "node:crypto";
import type { DeliveryLog } from "./call.ts";
import { isoTime } from "./clock.ts";
import { isObject, type JsonObject } from "./json.ts";
import type { World } from "./world.ts";

// GitHub waits this long for a response, and keeps its log for three days.
const ANSWER_TIMEOUT_MS = 10_000;
const LOG_LIFETIME_MS = 3 * 24 * 60 * 60_000;

export type DeliverOptions = {
  readonly guid?: string;
  /** Signs with this instead of the app's secret. */
  readonly secret?: string;
  /** Sends and signs these bytes. */
  readonly body?: string;
  /** Replace GitHub's headers, or remove them (null). */
  readonly headers?: Readonly<Record<string, string | null>>;
  readonly url?: string;
  readonly timeoutMs?: number;
};

export type Delivery = {
  readonly id: number;
  readonly guid: string;
  readonly event: string;
  readonly action: string | null;
  readonly installationId: number | null;
  readonly repositoryId: number | null;
  readonly isRedelivery: boolean;
  readonly deliveredAtMs: number;
  /** The sent body. */
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly durationMs: number;
  /** 502 if there was no response, 504 if it took too long. */
  readonly statusCode: number;
  readonly status: string;
  readonly answer: string;
};

export type Deliveries = DeliveryLog & {
  readonly log: Delivery[];
  setUrl(url: string): void;
  deliver(event: string, payload: JsonObject, options?: DeliverOptions): Promise<Delivery>;
  sendAgain(delivery: Delivery): Promise<Delivery>;
  /** Sends without waiting; `settled` waits. */
  deliverInBackground(event: string, payload: JsonObject): void;
  settled(): Promise<void>;
};

function idIn(payload: JsonObject, name: string): number | null {
  const part = payload[name];
  return isObject(part) && typeof part["id"] === "number" ? part["id"] : null;
}

export function signatureOf(secret: string, body: string): string {
  return `sha256=${createHmac("sha256", secret).update(body).digest("hex")}`;
}

type Outcome = Pick<Delivery, "statusCode" | "status" | "answer">;

async function post(
  url: string,
  request: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string;
    readonly timeoutMs: number;
  },
): Promise<Outcome> {
  try {
    const answer = await fetch(url, {
      method: "POST",
      headers: request.headers,
      body: request.body,
      signal: AbortSignal.timeout(request.timeoutMs),
    });
    const text = await answer.text();
    return { statusCode: answer.status, status: answer.ok ? "OK" : answer.statusText, answer: text };
  } catch (error) {
    const isLate = error instanceof Error && error.name === "TimeoutError";
    return isLate
      ? { statusCode: 504, status: "timed out", answer: "" }
      : { statusCode: 502, status: "failed to connect to host", answer: "" };
  }
}

export function createDeliveries(
  world: World,
  firstSecret: string,
  answerTimeoutMs: number = ANSWER_TIMEOUT_MS,
): Deliveries {
  const log: Delivery[] = [];
  const underWay = new Set<Promise<unknown>>();
  let secret = firstSecret;
  let hookUrl = "http://127.0.0.1:3000/webhooks/github";

  function headersOf(
    event: string,
    guid: string,
    signed: { readonly body: string; readonly secret: string },
  ) {
    return {
      "content-type": "application/json",
      "user-agent": "GitHub-Hookshot/fake",
      accept: "*/*",
      "x-github-event": event,
      "x-github-delivery": guid,
      "x-github-hook-id": String(world.app.id),
      "x-github-hook-installation-target-type": "integration",
      "x-github-hook-installation-target-id": String(world.app.id),
      "x-hub-signature": `sha1=${createHmac("sha1", signed.secret).update(signed.body).digest("hex")}`,
      "x-hub-signature-256": signatureOf(signed.secret, signed.body),
    };
  }

  async function send(
    sent: Pick<
      Delivery,
      "guid" | "event" | "action" | "installationId" | "repositoryId" | "isRedelivery" | "body" | "headers"
    >,
    options: { readonly url?: string; readonly timeoutMs?: number },
  ): Promise<Delivery> {
    const id = world.nextId();
    const deliveredAtMs = world.clock.now();
    const started = performance.now();
    const outcome = await post(options.url ?? hookUrl, {
      headers: sent.headers,
      body: sent.body,
      timeoutMs: options.timeoutMs ?? answerTimeoutMs,
    });
    const delivery: Delivery = {
      ...sent,
      ...outcome,
      id,
      deliveredAtMs,
      durationMs: Math.round(performance.now() - started),
    };
    log.push(delivery);
    return delivery;
  }

  async function deliver(
    event: string,
    payload: JsonObject,
    options: DeliverOptions = {},
  ): Promise<Delivery> {
    const body = options.body ?? JSON.stringify(payload);
    const guid = options.guid ?? randomUUID();
    const headers = {
      ...headersOf(event, guid, { body, secret: options.secret ?? secret }),
      ...options.headers,
    };
    const kept = Object.entries(headers).filter((entry): entry is [string, string] => entry[1] !== null);
    return send(
      {
        guid,
        event,
        action: typeof payload["action"] === "string" ? payload["action"] : null,
        installationId: idIn(payload, "installation"),
        repositoryId: idIn(payload, "repository"),
        isRedelivery: false,
        body,
        headers: Object.fromEntries(kept),
      },
      options,
    );
  }

  /** Sends the same bytes with the same GUID as a new log entry. */
  const sendAgain = (delivery: Delivery): Promise<Delivery> => send({ ...delivery, isRedelivery: true }, {});

  function inBackground(work: Promise<unknown>): void {
    const tracked = work.finally(() => underWay.delete(tracked));
    underWay.add(tracked);
  }

  function present(delivery: Delivery): JsonObject {
    return {
      id: delivery.id,
      guid: delivery.guid,
      delivered_at: isoTime(delivery.deliveredAtMs),
      redelivery: delivery.isRedelivery,
      duration: delivery.durationMs / 1000,
      status: delivery.status,
      status_code: delivery.statusCode,
      event: delivery.event,
      action: delivery.action,
      installation_id: delivery.installationId,
      repository_id: delivery.repositoryId,
      throttled_at: null,
    };
  }

  const known = (): readonly Delivery[] =>
    log.filter(({ deliveredAtMs }) => deliveredAtMs > world.clock.now() - LOG_LIFETIME_MS);

  return {
    log,
    setUrl(url) {
      hookUrl = url;
    },
    url: () => hookUrl,
    configure(config) {
      hookUrl = config.url;
      secret = config.secret;
    },
    deliver,
    sendAgain,
    deliverInBackground: (event, payload) => inBackground(deliver(event, payload)),
    async settled() {
      while (underWay.size > 0) await Promise.allSettled(underWay);
    },
    list: () =>
      known()
        .toSorted((a, b) => b.id - a.id)
        .map(present),
    read(id) {
      const found = known().find((each) => each.id === id);
      if (found === undefined) return null;
      // The sent body is JSON unless a test sent something else on purpose.
      const request = { headers: found.headers, payload: JSON.parse(found.body) as unknown };
      return { ...present(found), url: hookUrl, request, response: { headers: {}, payload: found.answer } };
    },
    redeliver(id) {
      const found = known().find((each) => each.id === id);
      if (found !== undefined) inBackground(sendAgain(found));
      return found !== undefined;
    },
  };
}
