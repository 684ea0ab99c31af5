/**
 * The HTTP client for everything that isn't the forge or a model. It talks only to the origins it was given, and only over
 * connections to addresses that it has checked itself, so that neither a redirect nor a DNS answer that changes leads elsewhere.
 * The operator's proxy, if there is one, resolves names itself: then the list of origins and the proxy decide. It has no cookies. A
 * failure is a value.
 */
import { lookup } from "node:dns/promises";
import * as http from "node:http";
import * as https from "node:https";
import { isIP, type LookupFunction } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { TooLargeError } from "../base/limited-chunks.ts";
import { openTunnel } from "../base/outbound/open-tunnel.ts";
import { proxyFor } from "../base/outbound/proxy.ts";
import { untilAborted } from "../base/until-aborted.ts";
import type { AllowedOrigin } from "../config/registry-settings.ts";
import type { LookupFailure } from "../ecosystems/lookups.ts";
import { isAllowedAddress } from "./public-address.ts";
import { consumeResponseBody, MalformedError, readResponseBody } from "./read-response-body.ts";
import { createSlots } from "./slots.ts";

/** The documents of registries are smaller, and a model couldn't read more. */
export const MAX_TEXT_BYTES = 1024 * 1024;

/** A slow registry must not use up the time of a review. It includes redirects and the second attempt. */
const DEFAULT_TIMEOUT_MS = 5_000;

/** For each origin. Packagist allows 20 at once for its files; the others have no such rule. */
const MAX_CONCURRENT = 16;

const MAX_REDIRECTS = 3;

/** Node's own limit, which an environment variable could raise. */
const MAX_HEADER_BYTES = 16 * 1024;

const RETRY_AFTER_MS = 250;

/** A longer one is a capability or an attack. */
const MAX_URL_CHARS = 2_048;

export type HttpOptions = {
  readonly signal: AbortSignal;
  /** Media type that the server should send. Omitted: any. */
  readonly accept?: string;
  /** Limit for the body as sent and as decoded. Omitted: the limit for texts. */
  readonly maxBytes?: number;
  readonly timeoutMs?: number;
  /** Validators of the answer that the caller already has. */
  readonly validators?: Validators;
};

/** Values by which a server recognizes its answer again. */
export type Validators = { readonly etag: string | null; readonly lastModified: string | null };

export type HttpAnswer =
  | { readonly kind: "found"; readonly body: Buffer; readonly validators: Validators }
  /** The answer that the validators belong to is still current. */
  | { readonly kind: "unchanged" }
  | { readonly kind: "absent" }
  | { readonly kind: "failed"; readonly reason: LookupFailure };

/** Never rejects. An aborted signal is a failure by time. */
export type HttpClient = {
  get(url: string, options: HttpOptions): Promise<HttpAnswer>;
  /** For queries that don't fit into a URL. The server may receive it twice. It's never redirected. */
  post(url: string, body: unknown, options: HttpOptions): Promise<HttpAnswer>;
  /** Whether there is something at the URL. Redirects are followed. */
  head(url: string, options: HttpOptions): Promise<HeadAnswer>;
};

/** Takes the pieces of a body, in order. `totalBytes`: null if the server doesn't say. */
export type BodySink = (chunks: AsyncIterable<Buffer>, totalBytes: number | null) => Promise<void>;

export type FileDownloads = {
  /**
   * For files that don't fit into memory. The sink may be called again, with the file from its beginning: a connection that breaks is tried
   * once more. An error of the sink is a failure by network.
   */
  download(
    url: string,
    options: HttpOptions & { readonly maxBytes: number },
    sink: BodySink,
  ): Promise<HeadAnswer>;
};

export type HeadAnswer =
  /** `url`: where the last redirect led. */
  { readonly kind: "found"; readonly url: string } | Extract<HttpAnswer, { kind: "absent" | "failed" }>;

export type Address = { readonly address: string; readonly family: number };
export type ResolveHost = (host: string) => Promise<readonly Address[]>;

export type HttpClientSettings = {
  /** Everything else is refused. */
  readonly origins: readonly AllowedOrigin[];
  readonly isOffline: boolean;
  /** "kodiai/1.2.3" */
  readonly userAgent: string;
  /** Bearer tokens by origin. One is sent only with a request of the caller to that origin, never after a redirect. */
  readonly tokens?: ReadonlyMap<string, string>;
  readonly resolveHost?: ResolveHost;
};

class RefusedError extends Error {}

type Hop = {
  readonly url: URL;
  readonly method: "GET" | "HEAD" | "POST";
  readonly headers: http.OutgoingHttpHeaders;
  readonly body: string | null;
  readonly signal: AbortSignal;
};

/** `url`: where the last redirect led. */
type AnswerOf<Answer> = (response: http.IncomingMessage, url: URL) => Promise<Answer>;

type Failure = Extract<HttpAnswer, { kind: "failed" }>;

type Request<Answer> = Pick<Hop, "method"> & {
  readonly body?: string | null;
  readonly options: HttpOptions;
  readonly answerOf: AnswerOf<Answer>;
};

/** One closure: no step of a request can be reached without the list of origins. */
export function createHttpClient(settings: HttpClientSettings): HttpClient & FileDownloads {
  const { isOffline, userAgent, tokens, resolveHost = resolveByName } = settings;
  const origins = new Map(
    settings.origins.map((allowed) => [allowed.origin, { ...allowed, slots: createSlots(MAX_CONCURRENT) }]),
  );
  // Sockets are kept for the next request: each was opened to a checked address of its own host.
  const agents = {
    "https:": new https.Agent({ keepAlive: true }),
    "http:": new http.Agent({ keepAlive: true }),
  };
  const proxied = {
    "https:": throughProxy(new https.Agent({ keepAlive: true }), true),
    "http:": throughProxy(new http.Agent({ keepAlive: true }), false),
  };

  async function send(hop: Hop): Promise<http.IncomingMessage> {
    const addresses = await checkedAddresses(hop, origins.get(hop.url.origin), resolveHost);
    const response = Promise.withResolvers<http.IncomingMessage>();
    const isTls = hop.url.protocol === "https:";
    const { [isTls ? "https:" : "http:"]: agent } = proxyFor(hop.url) === null ? agents : proxied;
    const request = (isTls ? https : http).request(hop.url, {
      method: hop.method,
      headers: hop.headers,
      agent,
      lookup: pinnedTo(addresses),
      maxHeaderSize: MAX_HEADER_BYTES,
      rejectUnauthorized: true,
      signal: hop.signal,
    });
    request.on("response", response.resolve).on("error", response.reject);
    request.end(hop.body ?? undefined);
    return response.promise;
  }

  async function request<Answer>(
    text: string,
    { method, body = null, options, answerOf }: Request<Answer>,
  ): Promise<Answer | Failure> {
    if (isOffline) return { kind: "failed", reason: "offline" };
    const url = text.length <= MAX_URL_CHARS ? URL.parse(text) : null;
    const slots = url === null ? undefined : origins.get(url.origin)?.slots;
    if (url === null || slots === undefined) return { kind: "failed", reason: "refused" };
    const release = await slots.take(options.signal);
    if (release === null) return { kind: "failed", reason: "time" };
    const signal = AbortSignal.any([
      options.signal,
      AbortSignal.timeout(options.timeoutMs ?? DEFAULT_TIMEOUT_MS),
    ]);
    const headers = headersOf(options, body, tokens?.get(url.origin));
    try {
      const hop: Hop = { url, method, headers: { "user-agent": userAgent, ...headers }, body, signal };
      return await attempt(hop, send, answerOf);
    } catch (error) {
      return { kind: "failed", reason: signal.aborted ? "time" : failureOf(error) };
    } finally {
      release();
    }
  }

  return {
    get: (url, options) => request(url, { method: "GET", options, answerOf: withBody(options) }),
    post: (url, body, options) =>
      request(url, { method: "POST", body: JSON.stringify(body), options, answerOf: withBody(options) }),
    head: (url, options) => request(url, { method: "HEAD", options, answerOf: withoutBody }),
    download: (url, options, sink) =>
      request(url, { method: "GET", options, answerOf: intoSink(options.maxBytes, sink) }),
  };
}

async function checkedAddresses(
  { url, signal }: Hop,
  allowed: AllowedOrigin | undefined,
  resolveHost: ResolveHost,
): Promise<readonly Address[]> {
  if (allowed === undefined || url.username !== "" || url.password !== "")
    throw new RefusedError("not on the list");
  const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
  const family = isIP(host);
  // The proxy resolves the name.
  if (family === 0 && proxyFor(url) !== null) return [];
  const addresses =
    family === 0 ? await untilAborted(resolveHost(host), signal) : [{ address: host, family }];
  if (addresses.some(({ address }) => !isAllowedAddress(address, allowed.mayBePrivate)))
    throw new RefusedError("not a public address");
  return addresses;
}

type Send = (hop: Hop) => Promise<http.IncomingMessage>;

/** Follows redirects. A credential is only in the headers of the first request. */
async function exchange<Answer>(first: Hop, send: Send, answerOf: AnswerOf<Answer>): Promise<Answer> {
  let hop = first;
  for (let redirects = 0; redirects <= MAX_REDIRECTS; redirects += 1) {
    const response = await send(hop);
    const location = response.headers.location;
    if (!isRedirect(response.statusCode) || location === undefined) return await answerOf(response, hop.url);
    response.destroy();
    const url = URL.parse(location, hop.url.href);
    if (url === null || hop.method === "POST") throw new RefusedError("a redirect that isn't followed");
    const { authorization: _, ...headers } = hop.headers;
    hop = { ...hop, url, headers };
  }
  throw new RefusedError("too many redirects");
}

async function attempt<Answer>(hop: Hop, send: Send, answerOf: AnswerOf<Answer>): Promise<Answer> {
  for (let attempts = 1; ; attempts += 1) {
    try {
      return await exchange(hop, send, answerOf);
    } catch (error) {
      if (attempts > 1 || !isWorthRetrying(error) || hop.signal.aborted) throw error;
      await sleep(RETRY_AFTER_MS, undefined, { signal: hop.signal });
    }
  }
}

/** Keeps its sockets by host, as it would without a proxy. */
function throughProxy<Kept extends http.Agent>(agent: Kept, isTls: boolean): Kept {
  agent.createConnection = ({ host, port }, settle) => {
    const hostname = host ?? "";
    const name = isIP(hostname) === 6 ? `[${hostname}]` : hostname;
    const proxy = proxyFor(new URL(`${isTls ? "https" : "http"}://${name}:${port}`));
    const opened =
      proxy === null
        ? Promise.reject(new TypeError("only requests that have a proxy use this agent"))
        : openTunnel(proxy, { hostname, port: Number(port), isTls });
    opened.then(
      (socket) => settle?.(null, socket),
      // Without a socket, Node only looks at the error.
      (error: Error) => settle?.(error, undefined as never),
    );
    return undefined;
  };
  return agent;
}

const resolveByName: ResolveHost = (host) => lookup(host, { all: true });

/** Connections are opened to the addresses that were checked, whatever the name resolves to by then. */
function pinnedTo(addresses: readonly Address[]): LookupFunction {
  return (host, options, callback) => {
    const [first] = addresses;
    if (first === undefined) callback(new Error(`${host} has no address`), "");
    else if (options.all === true) callback(null, [...addresses]);
    else callback(null, first.address, first.family);
  };
}

function headersOf(
  { accept, maxBytes, validators }: HttpOptions,
  body: string | null,
  token: string | undefined,
): http.OutgoingHttpHeaders {
  return {
    accept: accept ?? "*/*",
    // Archives are packed already.
    "accept-encoding":
      maxBytes === undefined || maxBytes <= MAX_TEXT_BYTES ? "gzip, deflate, br" : "gzip, identity",
    ...(validators?.etag == null ? {} : { "if-none-match": validators.etag }),
    ...(validators?.lastModified == null ? {} : { "if-modified-since": validators.lastModified }),
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === null
      ? {}
      : { "content-type": "application/json", "content-length": Buffer.byteLength(body) }),
  };
}

function isRedirect(status: number | undefined): boolean {
  return status !== undefined && [301, 302, 303, 307, 308].includes(status);
}

class UnavailableError extends Error {}

const withBody =
  (options: HttpOptions): AnswerOf<HttpAnswer> =>
  async (response) => {
    const { statusCode, headers } = response;
    if (statusCode === 200) {
      const body = await readResponseBody(response, options.maxBytes ?? MAX_TEXT_BYTES);
      const validators = { etag: headers.etag ?? null, lastModified: headers["last-modified"] ?? null };
      return { kind: "found", body, validators };
    }
    response.destroy();
    return statusCode === 304 && options.validators !== undefined
      ? { kind: "unchanged" }
      : withoutContent(response);
  };

const intoSink =
  (maxBytes: number, sink: BodySink): AnswerOf<HeadAnswer> =>
  async (response, url) => {
    if (response.statusCode !== 200) {
      response.destroy();
      return withoutContent(response);
    }
    const totalBytes = Number(response.headers["content-length"]);
    await consumeResponseBody(response, maxBytes, (chunks) =>
      sink(chunks, Number.isSafeInteger(totalBytes) ? totalBytes : null),
    );
    return { kind: "found", url: url.href };
  };

const withoutBody: AnswerOf<HeadAnswer> = async (response, url) => {
  // An answer to HEAD has no body, so that its connection can be kept.
  response.resume();
  return response.statusCode === 200 ? { kind: "found", url: url.href } : withoutContent(response);
};

/** The meaning of a status that isn't a success. */
function withoutContent({
  statusCode: status = 0,
  headers,
}: http.IncomingMessage): Extract<HttpAnswer, { kind: "absent" | "failed" }> {
  if (status === 404 || status === 410) return { kind: "absent" };
  if (status === 503) throw new UnavailableError("the server is unavailable");
  return { kind: "failed", reason: isRateLimit(status, headers) ? "rate-limited" : "network" };
}

/** GitHub reports an exhausted limit as 403. */
function isRateLimit(status: number, headers: http.IncomingHttpHeaders): boolean {
  const isExhausted = headers["x-ratelimit-remaining"] === "0" || headers["retry-after"] !== undefined;
  return status === 429 || (status === 403 && isExhausted);
}

/** The other side closed a connection that was kept, or is restarting. */
function isWorthRetrying(error: unknown): boolean {
  return error instanceof UnavailableError || codeOf(error) === "ECONNRESET";
}

function failureOf(error: unknown): LookupFailure {
  if (error instanceof RefusedError) return "refused";
  if (error instanceof TooLargeError) return "too-large";
  const code = codeOf(error);
  if (code === "HPE_HEADER_OVERFLOW") return "too-large";
  if (
    error instanceof MalformedError ||
    /^(?:Z_|ERR_BROTLI|ERR__ERROR_FORMAT|ERR__ERROR_UNREACHABLE|HPE_)/.test(code)
  )
    return "malformed";
  return "network";
}

function codeOf(error: unknown): string {
  const code: unknown = typeof error === "object" && error !== null && "code" in error ? error.code : "";
  return typeof code === "string" ? code : "";
}
