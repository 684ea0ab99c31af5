/**
 * Receives webhooks through a relay such as smee.io, for trials without a public address: a stream of deliveries, each passed to the
 * webhook handler as if it had been posted to it. The handler checks the signature as always, so a relay can read deliveries, but not
 * forge them. A lost connection is opened again; deliveries of that time are lost, and reconciling finds the pull requests.
 */
import { outboundFetch } from "../base/outbound/outbound-fetch.ts";
import type { IncomingHttpHeaders } from "node:http";
import { Readable } from "node:stream";
import { setTimeout as delay } from "node:timers/promises";
import { createParser } from "eventsource-parser";
import { messageOf } from "../base/errors.ts";
import type { Log } from "../base/log.ts";
import { parseJson } from "../base/parse-json.ts";
import type { WebhookAnswer, WebhookHandler } from "./webhook-handler.ts";

export type RelayDeps = {
  readonly handleWebhook: WebhookHandler;
  readonly log: Log;
  /** For tests. */
  readonly maxEventChars?: number;
};

/** GitHub's largest payload is 25 MB, and a relay may send it twice: parsed and as text. */
const MAX_EVENT_CHARS = 64 * 1024 * 1024;

/** Relays send something every 30 seconds. A connection that is silent for longer is dead. */
const MAX_SILENCE_MS = 90_000;

/** Pauses between attempts to connect, doubled each time: soon after a restart of the relay, rarely while it is down. */
const FIRST_PAUSE_MS = 1_000;
const MAX_PAUSE_MS = 60_000;

/** Fields that a relay adds to the headers, and headers that describe the connection to the relay. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  "body",
  "rawbody",
  "query",
  "timestamp",
  "host",
  "connection",
  "content-length",
  "content-encoding",
  "transfer-encoding",
]);

/** Runs until it is stopped. */
export function startWebhookRelay(url: string, deps: RelayDeps): { stop(): Promise<void> } {
  const controller = new AbortController();
  const running = keepConnected(url, controller.signal, deps);
  return {
    async stop() {
      controller.abort();
      await running;
    },
  };
}

async function keepConnected(url: string, signal: AbortSignal, deps: RelayDeps): Promise<void> {
  let pauseMs = FIRST_PAUSE_MS;
  while (!signal.aborted) {
    try {
      await receive(url, signal, {
        ...deps,
        onConnected: () => {
          pauseMs = FIRST_PAUSE_MS;
          deps.log.info("connected to the webhook relay", { relay: new URL(url).host });
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      deps.log.warn("connection to the webhook relay failed", { reason: messageOf(error), retryMs: pauseMs });
    }
    await delay(pauseMs, undefined, { signal }).catch(() => {});
    pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS);
  }
}

type ReceiveDeps = RelayDeps & { readonly onConnected: () => void };

/** Reads one connection until it ends. */
async function receive(url: string, signal: AbortSignal, deps: ReceiveDeps): Promise<void> {
  const silence = new AbortController();
  const timer = setTimeout(() => silence.abort(new Error("the relay sent nothing")), MAX_SILENCE_MS);
  try {
    const response = await outboundFetch(url, {
      headers: { accept: "text/event-stream" },
      signal: AbortSignal.any([signal, silence.signal]),
    });
    const isStream = response.headers.get("content-type")?.startsWith("text/event-stream") === true;
    if (!response.ok || response.body === null || !isStream) {
      await response.body?.cancel();
      throw new Error(`it answered ${response.status} without a stream of events`);
    }
    deps.onConnected();
    const arrived: string[] = [];
    const parser = createParser({
      maxBufferSize: deps.maxEventChars ?? MAX_EVENT_CHARS,
      onEvent: ({ event, data }) => {
        // Others are signs of life.
        if (event === undefined || event === "message") arrived.push(data);
      },
      onError: ({ type }) => {
        if (type === "max-buffer-size-exceeded") throw new Error("the relay sent an event that is too large");
      },
    });
    for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
      timer.refresh();
      parser.feed(text);
      for (const data of arrived.splice(0)) await deliver(data, deps);
    }
  } finally {
    clearTimeout(timer);
  }
}

async function deliver(data: string, { handleWebhook, log }: RelayDeps): Promise<void> {
  const delivery = parseDelivery(data);
  if (delivery === null) return log.warn("the webhook relay sent something that isn't a delivery");
  const { headers, bytes, isExact } = delivery;
  const incoming = Object.assign(Readable.from([bytes], { objectMode: false }), { headers });
  explain(await handleWebhook(incoming), isExact, log);
}

/** The sender of the webhook gets no answer of ours through a relay, so that the log is the only place for it. */
function explain({ status, body }: WebhookAnswer, isExact: boolean, log: Log): void {
  if (status === 202) return log.debug("relayed delivery accepted", { delivery: body["delivery"] ?? null });
  const reason = body["error"] ?? null;
  const isAltered = reason === "bad-signature" && !isExact;
  const note = isAltered
    ? "either GITHUB_WEBHOOK_SECRET is wrong, or the relay has changed the body: it sends it parsed, and some texts can't be restored exactly"
    : (body["message"] ?? null);
  log.warn("relayed delivery rejected", { status, reason, note });
}

type RelayedDelivery = {
  readonly headers: IncomingHttpHeaders;
  readonly bytes: Buffer;
  /** The relay sent the text itself, not only its parsed form. */
  readonly isExact: boolean;
};

/** The headers are fields next to the body. Null if it isn't such an object. */
export function parseDelivery(data: string): RelayedDelivery | null {
  const parsed = parseJson(data);
  if (typeof parsed !== "object" || parsed === null || !("body" in parsed)) return null;
  const entries = Object.entries(parsed).map(([name, value]) => [name.toLowerCase(), value] as const);
  const headers = entries.flatMap(([name, value]) =>
    typeof value === "string" && !NOT_FORWARDED.has(name) ? [[name, value] as const] : [],
  );
  const raw = entries.find(([name]) => name === "rawbody")?.[1];
  const isExact = typeof raw === "string";
  // GitHub writes JSON without spaces, so that writing it again gives the same bytes for nearly all deliveries.
  const text = isExact ? raw : JSON.stringify(parsed.body);
  return { headers: Object.fromEntries(headers), bytes: Buffer.from(text), isExact };
}
