/** The cache of GitHub Actions, as GitHub Enterprise Server has it, on this machine. */
import { buffer } from "node:stream/consumers";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Cleanup, startServer } from "../local-server.ts";

type Entry = { readonly key: string; readonly version: string; bytes: Buffer; isComplete: boolean };

export type CacheService = {
  /** Variables in which the runner names the service to a job. */
  readonly env: Readonly<Record<string, string>>;
  /** Of complete entries, in the order in which they were written. */
  readonly keys: () => readonly string[];
  /** "METHOD path" of each request. */
  readonly asked: () => readonly string[];
};

const TOKEN = "the-job-s-token-for-caches";

export async function startCacheService(t: Cleanup): Promise<CacheService> {
  const entries: Entry[] = [];
  const asked: string[] = [];
  const answer = async (request: IncomingMessage): Promise<unknown> => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://127.0.0.1");
    asked.push(`${request.method} ${pathname}`);
    // The client takes 0 for no id.
    const id = Number(/\d+$/.exec(pathname)?.[0]) - 1;
    const body = await buffer(request);
    if (pathname.startsWith("/archives/")) return entries[id]?.bytes;
    if (request.headers.authorization !== `Bearer ${TOKEN}`) return undefined;
    if (request.method === "GET") {
      const found = findEntry(
        entries,
        (searchParams.get("keys") ?? "").split(","),
        searchParams.get("version"),
      );
      if (found === undefined) return null;
      const archiveLocation = `http://127.0.0.1:${server.port}/archives/${entries.indexOf(found) + 1}`;
      return { archiveLocation, cacheKey: found.key };
    }
    if (request.method === "PATCH") {
      const start = Number(/bytes (\d+)-/.exec(request.headers["content-range"] ?? "")?.[1]);
      const known = entries[id]?.bytes ?? Buffer.alloc(0);
      const bytes = Buffer.alloc(Math.max(known.length, start + body.length));
      known.copy(bytes);
      body.copy(bytes, start);
      Object.assign(entries[id] ?? {}, { bytes });
      return null;
    }
    if (pathname.endsWith("/caches")) {
      const { key, version } = JSON.parse(body.toString()) as Entry;
      return { cacheId: entries.push({ key, version, bytes: Buffer.alloc(0), isComplete: false }) };
    }
    Object.assign(entries[id] ?? {}, { isComplete: true });
    return null;
  };
  const respond = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const found = await answer(request);
    response.statusCode = found === undefined ? 404 : found === null ? 204 : 200;
    if (Buffer.isBuffer(found)) response.setHeader("content-length", found.length).end(found);
    else response.end(found === null || found === undefined ? "" : JSON.stringify(found));
  };
  const server = await startServer(t, (request, response) => void respond(request, response));
  return {
    env: { ACTIONS_CACHE_URL: `http://127.0.0.1:${server.port}/`, ACTIONS_RUNTIME_TOKEN: TOKEN },
    keys: () => entries.filter(({ isComplete }) => isComplete).map(({ key }) => key),
    asked: () => asked,
  };
}

/** The newest entry of the first key, or else of the first prefix, that has one. */
function findEntry(
  entries: readonly Entry[],
  keys: readonly string[],
  version: string | null,
): Entry | undefined {
  const usable = entries.filter((entry) => entry.isComplete && entry.version === version).toReversed();
  return keys
    .map((key) => usable.find((entry) => entry.key.startsWith(key)))
    .find((found) => found !== undefined);
}
