/**
 * One request to an embedding API. Voyage's and OpenAI's have the same answers. It goes only to the given URL, follows no redirect, and is
 * never repeated. No message of an error contains a key, a text, or anything that the server sent.
 */
import { KodiaiError } from "../base/errors.ts";
import { limitedChunks, TooLargeError } from "../base/limited-chunks.ts";
import { outboundFetch, proxyFailureOf } from "../base/outbound/outbound-fetch.ts";
import { parseRetryAfterMs } from "../base/parse-retry-after.ts";
import { MAX_TEXTS } from "./embeddings.ts";
import { readVectors } from "./read-vectors.ts";

export type EmbeddingServer = {
  /** `provider:model`, for messages. */
  readonly id: string;
  /** The whole URL of the endpoint. */
  readonly url: string;
  readonly key: string | null;
  /** Names of the settings, for hints. */
  readonly keyVariable: string;
  readonly urlVariable: string;
  /** The dimensions that the request asks for; null if the model decides. */
  readonly dimensions: number | null;
};

export type EmbeddingRequest = {
  /** Everything but the texts. */
  readonly body: Readonly<Record<string, unknown>>;
  readonly texts: readonly string[];
  readonly signal: AbortSignal;
};

/** A batch takes a second or two. Reviews have a shorter limit of their own. */
const TIMEOUT_MS = 30_000;

/** The smallest limit of a provider is 120,000. It adds some words of its own to each text. */
const MAX_REQUEST_TOKENS = 115_000;

/** Then a full request fits even at one token per character, and each text is below the limits of the usual models. */
const MAX_TEXT_CHARS = Math.floor(MAX_REQUEST_TOKENS / MAX_TEXTS);

/** 4,096 numbers with all their digits, and then some. */
const MAX_BYTES_PER_TEXT = 128 * 1_024;

/** For everything around the vectors. */
const MAX_OTHER_BYTES = 64 * 1_024;

/** A provider that asks for more is down, as far as we're concerned. */
const MAX_RETRY_AFTER_MS = 60 * 60 * 1_000;

/** One vector per text, in their order. */
export async function requestEmbeddings(
  server: EmbeddingServer,
  { body, texts, signal }: EmbeddingRequest,
): Promise<readonly Float32Array[]> {
  const limited = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const input = texts.map(toSendable);
  try {
    const response = await outboundFetch(server.url, {
      method: "POST",
      headers: {
        accept: "application/json",
        "content-type": "application/json",
        ...(server.key === null ? {} : { authorization: `Bearer ${server.key}` }),
      },
      body: JSON.stringify({ ...body, input }),
      // A redirect would send the key and the texts elsewhere.
      redirect: "manual",
      signal: limited,
    });
    if (!response.ok) {
      await response.body?.cancel();
      throw failureOf(response, server);
    }
    const maxBytes = MAX_OTHER_BYTES + texts.length * MAX_BYTES_PER_TEXT;
    const read = readVectors(await readText(response, maxBytes), {
      count: texts.length,
      dimensions: server.dimensions,
    });
    if (typeof read === "string") throw nonsense(server, read);
    return read;
  } catch (error) {
    // The caller stopped the work; that is no failure of the server.
    if (signal.aborted && !isTimeout(signal.reason)) throw error;
    throw toKodiaiError(error, server, limited.aborted);
  }
}

/** APIs refuse empty texts. */
function toSendable(text: string): string {
  const cut = text.slice(0, MAX_TEXT_CHARS).toWellFormed();
  return cut.trim() === "" ? "-" : cut;
}

async function readText({ body }: Response, maxBytes: number): Promise<string> {
  if (body === null) return "";
  return Buffer.concat(await Array.fromAsync(limitedChunks(body, maxBytes))).toString();
}

function isTimeout(reason: unknown): boolean {
  return reason instanceof DOMException && reason.name === "TimeoutError";
}

function toKodiaiError(error: unknown, server: EmbeddingServer, isLate: boolean): KodiaiError {
  if (error instanceof KodiaiError) return error;
  if (error instanceof TooLargeError) return nonsense(server, "it is too large");
  const byProxy = proxyFailureOf(error);
  if (byProxy !== null) return byProxy;
  const { id, urlVariable } = server;
  const what = isLate ? "didn't answer in time" : "can't be reached";
  return new KodiaiError("network", `${id} ${what}`, {
    hint: `Check that the server is up, and ${urlVariable}.`,
    retryable: true,
  });
}

function nonsense({ id, urlVariable }: EmbeddingServer, why: string): KodiaiError {
  return new KodiaiError("bad-payload", `the answer of ${id} is unusable: ${why}`, {
    hint: `Check the model's name, and that ${urlVariable} is the URL of an embedding API.`,
  });
}

function failureOf({ status, headers }: Response, server: EmbeddingServer): KodiaiError {
  const { id, keyVariable, urlVariable } = server;
  if (status === 401 || status === 403)
    return new KodiaiError("forbidden", `${id} refused the key (status ${status})`, {
      hint: `Check ${keyVariable}.`,
    });
  if (status === 404)
    return new KodiaiError("not-found", `${id} wasn't found (status 404)`, {
      hint: `Check the model's name and ${urlVariable}.`,
    });
  if (status === 429) {
    const said = headers.get("retry-after");
    const waitMs = said === null ? null : parseRetryAfterMs(said, Date.now());
    return new KodiaiError("rate-limited", `${id} limits requests (status 429)`, {
      hint: "Wait, or raise the limit of the account.",
      retryable: true,
      ...(waitMs === null ? {} : { retryAtMs: Date.now() + Math.min(waitMs, MAX_RETRY_AFTER_MS) }),
    });
  }
  if (status >= 500 || status === 408)
    return new KodiaiError("network", `${id} failed (status ${status})`, {
      hint: "Wait until the provider works again.",
      retryable: true,
    });
  const isRedirect = status >= 300 && status < 400;
  return new KodiaiError(
    "bad-payload",
    `${id} ${isRedirect ? "redirects" : "refused the request"} (status ${status})`,
    {
      hint: isRedirect
        ? `Set ${urlVariable} to the address that it redirects to.`
        : "Check that the model's name is one of an embedding model.",
    },
  );
}
