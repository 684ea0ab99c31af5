/** Between Node's HTTP server and the dashboard's values: reads a request with limits, and sends an answer. */
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { DashboardAnswer, DashboardRequest } from "../exchange.ts";

/** The largest form, with a learning and its files, is smaller than 10 KB. */
const MAX_BODY_BYTES = 64 * 1_024;

/** The headers that the dashboard reads. Nothing else of a request can change an answer. */
const READ_HEADERS = [
  "host",
  "cookie",
  "origin",
  "referer",
  "sec-fetch-site",
  "forwarded",
  "x-forwarded-for",
  "x-forwarded-host",
  "x-real-ip",
  "via",
] as const;

/** Null if the body is too large or no form. */
export async function readDashboardRequest(incoming: IncomingMessage): Promise<DashboardRequest | null> {
  const { method = "", url = "/", headers, socket } = incoming;
  const body = method === "POST" ? await readForm(incoming) : "";
  if (body === null) return null;
  const read = READ_HEADERS.map((name) => [name, headers[name]?.toString()] as const);
  return { method, url, headers: Object.fromEntries(read), body, remoteAddress: socket.remoteAddress ?? "" };
}

async function readForm(incoming: IncomingMessage): Promise<string | null> {
  const type = incoming.headers["content-type"] ?? "";
  if (!/^application\/x-www-form-urlencoded(?:;|$)/i.test(type)) return null;
  const chunks: Buffer[] = [];
  let bytes = 0;
  // The stream of a request returns bytes by default.
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

/** For a request that isn't read to its end. */
export const BAD_REQUEST: DashboardAnswer = {
  status: 400,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", connection: "close" },
  body: "The dashboard only reads forms of at most 64 KiB.\n",
};

/** While there are too many requests, or an answer takes too long. */
export const BUSY: DashboardAnswer = {
  status: 503,
  headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store", "retry-after": "5" },
  body: "The dashboard is busy, or this page takes too long. Try again in a few seconds, with a shorter period or a narrower filter.\n",
};

/** Never rejects. A client that goes away ends the answer. */
export async function sendDashboardAnswer(
  { method }: Pick<IncomingMessage, "method">,
  response: ServerResponse,
  { status, headers, body }: DashboardAnswer,
): Promise<void> {
  const length =
    typeof body === "string" || body instanceof Uint8Array
      ? { "content-length": Buffer.byteLength(body) }
      : {};
  response.writeHead(status, {
    ...length,
    ...Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, typeof value === "string" ? value : [...value]]),
    ),
  });
  if (method === "HEAD" || typeof body === "string" || body instanceof Uint8Array) {
    response.end(method === "HEAD" ? undefined : body);
    return;
  }
  try {
    const gone = closing(response);
    for await (const text of body) {
      if (gone.aborted) return;
      if (!response.write(text)) await once(response, "drain", { signal: gone });
    }
    response.end();
  } catch {
    // A download without its end is cut, so that it isn't taken for a complete one.
    response.destroy();
  }
}

function closing(response: ServerResponse): AbortSignal {
  const controller = new AbortController();
  response.once("close", () => controller.abort());
  return controller.signal;
}
