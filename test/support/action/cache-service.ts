/** The cache service of a runner: it keeps archives by key in memory. Implements what @actions/cache calls. */
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Cleanup, startServer } from "../local-server.ts";

export type CacheService = {
  readonly environment: Readonly<Record<string, string>>;
  /** Keys of complete archives, oldest first. */
  keys(): readonly string[];
  /** How many archives were downloaded. */
  downloads(): number;
};

type Archive = { readonly key: string; readonly version: string; bytes: Buffer; isWhole: boolean };

const API = "/_apis/artifactcache/";

export async function startCacheService(t: Cleanup): Promise<CacheService> {
  const archives: Archive[] = [];
  let downloads = 0;
  let url = "";
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    const { pathname, searchParams } = new URL(request.url ?? "", url);
    const send = (status: number, value?: unknown): void => {
      response
        .writeHead(status, { "content-type": "application/json" })
        .end(value === undefined ? "" : JSON.stringify(value));
    };
    const [, download] = /^\/archives\/(\d+)$/.exec(pathname) ?? [];
    if (download !== undefined) {
      downloads += 1;
      response.writeHead(200).end(archives[Number(download)]?.bytes);
      return;
    }
    const body = await readAll(request);
    const [, id] = /caches\/(\d+)$/.exec(pathname) ?? [];
    const archive = id === undefined ? undefined : archives[Number(id)];
    if (pathname === `${API}cache` && request.method === "GET") {
      const wanted = (searchParams.get("keys") ?? "").split(",");
      const index = archives.findLastIndex(
        ({ key, version, isWhole }) =>
          isWhole && version === searchParams.get("version") && wanted.some((each) => key.startsWith(each)),
      );
      if (index === -1) return send(204);
      return send(200, { cacheKey: archives[index]?.key, archiveLocation: `${url}/archives/${index}` });
    }
    if (pathname === `${API}caches` && request.method === "POST") {
      const { key, version } = JSON.parse(body.toString("utf8")) as { key: string; version: string };
      archives.push({ key, version, bytes: Buffer.alloc(0), isWhole: false });
      return send(201, { cacheId: archives.length - 1 });
    }
    if (archive !== undefined && request.method === "PATCH") {
      archive.bytes = Buffer.concat([archive.bytes, body]);
      return send(204);
    }
    if (archive !== undefined && request.method === "POST") {
      archive.isWhole = true;
      return send(204);
    }
    send(404, { message: `${request.method} ${pathname}` });
  };
  const { port } = await startServer(t, (request, response) => void answer(request, response));
  url = `http://127.0.0.1:${port}`;
  return {
    environment: { ACTIONS_CACHE_URL: `${url}/`, ACTIONS_RUNTIME_TOKEN: "token-of-the-runner" },
    keys: () => archives.filter(({ isWhole }) => isWhole).map(({ key }) => key),
    downloads: () => downloads,
  };
}

async function readAll(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(Buffer.from(chunk as Uint8Array));
  return Buffer.concat(chunks);
}
