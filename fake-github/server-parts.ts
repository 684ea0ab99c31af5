/** Shared parts of the server's endpoints, and sending a response. */
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DeliveryLog } from "./call.ts";
import type { CallLog, LoggedCall } from "./call-log.ts";
import type { Fault, Faults } from "./faults.ts";
import type { Webhook } from "./payloads.ts";
import type { Answer } from "./refusal.ts";
import type { World } from "./world.ts";

export type Moment = "request" | "response";

export type ServerParts = {
  readonly world: World;
  readonly log: CallLog;
  readonly faults: Faults;
  readonly violations: string[];
  readonly deliveries: DeliveryLog;
  /** Sends the event of a change that a request made, if the fake delivers automatically. */
  readonly deliver: (webhook: Webhook) => void;
  /** Runs the hooks of tests when a request arrives, or after it was handled. */
  readonly reach: (moment: Moment, call: LoggedCall) => Promise<void>;
  /** Pages for people; null if there is none at this path. */
  readonly page: (path: string) => Promise<string | null>;
};

export type Exchange = { readonly incoming: IncomingMessage; readonly response: ServerResponse };

// GitHub's hourly request limit of an installation.
const RATE_LIMIT = 5000;
const HOUR_MS = 3_600_000;

export function cut({ incoming }: Exchange): void {
  incoming.socket.destroy();
}

/** Runs the hooks, picks the fault for this call, and waits if the fault is a delay. */
export async function admitCall(parts: ServerParts, logged: LoggedCall, path: string): Promise<Fault | null> {
  await parts.reach("request", logged);
  const { operation, method, body } = logged;
  const fault = parts.faults.take({ operation, method, path, body });
  logged.isFaulty = fault !== null;
  if (fault?.kind !== "delay") return fault;
  const { ms } = fault;
  if (ms !== undefined) await new Promise((resolve) => setTimeout(resolve, ms).unref());
  await fault.until;
  return fault;
}

/** Represents a body that isn't JSON, which no schema accepts. */
const UNREADABLE = "a body that is not JSON";

export async function readBody({ incoming }: Exchange): Promise<Buffer> {
  const chunks: Buffer[] = [];
  // The stream of a request returns bytes by default.
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

export async function readJson(exchange: Exchange): Promise<unknown> {
  const text = (await readBody(exchange)).toString();
  if (text === "") return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return UNREADABLE;
  }
}

export type ArrivedCall = {
  readonly operation: string;
  readonly method: string;
  /** Relative to the API's root. */
  readonly path: string;
  readonly search: string;
  readonly body: unknown;
};

/** Logs a call, applies its fault, and sends what `respond` returns if the fault doesn't replace it. */
export async function answerExchange(
  parts: ServerParts,
  exchange: Exchange,
  { search, ...arrived }: ArrivedCall,
  respond: (logged: LoggedCall, fault: Fault | null) => Promise<Answer>,
): Promise<void> {
  const { world, log } = parts;
  const { path } = arrived;
  const logged = log.begin({ ...arrived, path: `${path}${search}`, atMs: world.clock.now() });
  try {
    const fault = await admitCall(parts, logged, path);
    if (fault?.kind === "reset") return cut(exchange);
    const answer = await respond(logged, fault);
    logged.status = answer.status;
    await parts.reach("response", logged);
    if (fault?.kind === "lost" && fault.by === "reset") return cut(exchange);
    sendAnswer(parts, exchange, {
      answer: fault?.kind === "lost" ? { status: 502, body: { message: "Bad Gateway" } } : answer,
      logged,
      maxBytes: fault?.kind === "truncate" ? fault.bytes : null,
    });
  } finally {
    log.end(logged);
  }
}

/** The limit that a call counts towards. */
function resourceOf({ operation }: LoggedCall): string {
  if (operation.startsWith("graphql/")) return "graphql";
  return operation.startsWith("search/") ? "search" : "core";
}

export function sendAnswer(
  { world }: ServerParts,
  { response }: Exchange,
  sent: { readonly answer: Answer; readonly logged: LoggedCall; readonly maxBytes: number | null },
): void {
  const { answer, logged, maxBytes } = sent;
  const used = world.tokens.find(({ id }) => id === logged.identity.tokenId)?.used ?? 0;
  const text = answer.body === undefined ? "" : JSON.stringify(answer.body);
  const now = world.clock.now();
  response.writeHead(answer.status, {
    // The fake's time, from which clients compute the offset of their clock.
    date: new Date(now).toUTCString(),
    ...(text === "" ? {} : { "content-type": "application/json; charset=utf-8" }),
    "content-length": Buffer.byteLength(text),
    "x-github-request-id": `FAKE:${logged.startedAs}`,
    "x-github-media-type": "github.v3; format=json",
    "x-ratelimit-limit": RATE_LIMIT,
    "x-ratelimit-used": used,
    "x-ratelimit-remaining": RATE_LIMIT - used,
    "x-ratelimit-reset": Math.ceil(now / HOUR_MS) * (HOUR_MS / 1000),
    "x-ratelimit-resource": resourceOf(logged),
    ...answer.headers,
  });
  if (maxBytes === null) response.end(text);
  else response.write(text.slice(0, maxBytes), () => response.destroy());
}
