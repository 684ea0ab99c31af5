/** Documents and archives as the registries use them, from the cache where possible. */
import type { Lookup, LookupFailure } from "../ecosystems/lookups.ts";
import { MAX_ARCHIVE_BYTES } from "./archives.ts";
import type { CachedDocument, DiskCache } from "./disk-cache.ts";
import type { HttpAnswer, HttpClient, HttpOptions, Validators } from "./http-client.ts";
import { hasIntegrity } from "./integrity.ts";
import type { PackageParsers } from "./package-parsers.ts";
import { createWorkSharing } from "./share-work.ts";

export type Document = {
  readonly text: string;
  /** As the server sent it. */
  readonly lastModified: string | null;
};

export type DocumentOptions = Pick<HttpOptions, "signal" | "accept" | "maxBytes"> & {
  /** The caller uses only what never changes, so that an old copy will do when Kodiai is offline. */
  readonly isLasting?: boolean;
};

type ArchiveRequest = { readonly integrity: string | null; readonly signal: AbortSignal };

export type Downloads = {
  readText(url: string, options: DocumentOptions): Promise<Lookup<Document>>;
  readJson(url: string, options: DocumentOptions): Promise<Lookup<unknown>>;
  /**
   * The archive of one version, which never changes. With an integrity, other bytes are malformed.
   */
  readArchive(url: string, request: ArchiveRequest): Promise<Lookup<Buffer>>;
  /** For what was downloaded. */
  readonly parsers: PackageParsers;
};

/** A larger archive takes longer than a document, also from a fast server. */
const ARCHIVE_TIMEOUT_MS = 15_000;

export function createDownloads(
  http: HttpClient,
  cache: DiskCache | null,
  parsers: PackageParsers,
): Downloads {
  const shareDocument = createWorkSharing<Lookup<Document>>();
  const shareArchive = createWorkSharing<Lookup<Buffer>>();

  async function requestText(url: string, options: HttpOptions): Promise<Lookup<Document>> {
    const cached = (await cache?.readDocument(url)) ?? null;
    if (cached?.isFresh === true) return documentOf(cached);
    const answer = await http.get(url, { ...options, ...validatorsOf(cached) });
    if (answer.kind === "unchanged" && cached !== null) {
      await cache?.writeDocument(url, cached);
      return documentOf(cached);
    }
    if (answer.kind !== "found") return withoutBody(answer);
    await cache?.writeDocument(url, answer);
    return documentOf(answer);
  }

  async function requestArchive(url: string, { integrity, signal }: ArchiveRequest): Promise<Lookup<Buffer>> {
    const cached = (await cache?.readArchive(url, integrity)) ?? null;
    if (cached !== null) return { kind: "found", value: cached };
    const answer = await http.get(url, {
      signal,
      maxBytes: MAX_ARCHIVE_BYTES,
      timeoutMs: ARCHIVE_TIMEOUT_MS,
    });
    if (answer.kind !== "found") return withoutBody(answer);
    if (integrity !== null && !hasIntegrity(answer.body, integrity)) return failedLookup("malformed");
    await cache?.writeArchive(url, integrity, answer.body);
    return { kind: "found", value: answer.body };
  }

  async function readText(
    url: string,
    { signal, isLasting = false, ...options }: DocumentOptions,
  ): Promise<Lookup<Document>> {
    const key = JSON.stringify([url, options]);
    const work = (shared: AbortSignal) => requestText(url, { ...options, signal: shared });
    const text = (await shareDocument(key, signal, work)) ?? failedLookup("time");
    const isOffline = text.kind === "failed" && text.reason === "offline";
    const old = isOffline && isLasting ? ((await cache?.readDocument(url)) ?? null) : null;
    return old === null ? text : documentOf(old);
  }

  return {
    readText,
    async readJson(url, options) {
      const document = await readText(url, { accept: "application/json", ...options });
      return document.kind === "found" ? parseJson(document.value.text) : document;
    },
    parsers,
    async readArchive(url, { integrity, signal }) {
      const key = JSON.stringify([url, integrity]);
      const archive = await shareArchive(key, signal, (shared) =>
        requestArchive(url, { integrity, signal: shared }),
      );
      return archive ?? failedLookup("time");
    },
  };
}

export function failedLookup(reason: LookupFailure): {
  readonly kind: "failed";
  readonly reason: LookupFailure;
} {
  return { kind: "failed", reason };
}

/** None for a document that the server couldn't recognize. */
function validatorsOf(cached: CachedDocument | null): { readonly validators?: Validators } {
  const hasSome = cached !== null && Object.values(cached.validators).some((value) => value !== null);
  return hasSome ? { validators: cached.validators } : {};
}

function withoutBody(answer: Exclude<HttpAnswer, { kind: "found" }>): Lookup<never> {
  // A server that says "unchanged" to a request without validators breaks the protocol.
  return answer.kind === "unchanged" ? failedLookup("malformed") : answer;
}

function documentOf({
  body,
  validators,
}: Pick<HttpAnswer & { kind: "found" }, "body" | "validators">): Lookup<Document> {
  return { kind: "found", value: { text: body.toString("utf8"), lastModified: validators.lastModified } };
}

function parseJson(text: string): Lookup<unknown> {
  try {
    return { kind: "found", value: JSON.parse(text) as unknown };
  } catch {
    return failedLookup("malformed");
  }
}
