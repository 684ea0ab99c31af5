/** Runs git's `http-backend`, the server side of smart HTTP, on a bare repository. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import type { IncomingMessage } from "node:http";
import { basename, dirname } from "node:path";
import { GIT_ENVIRONMENT } from "./git.ts";

export type BackendRequest = {
  /** The bare repository. */
  readonly directory: string;
  /** Path relative to the repository. */
  readonly service: string;
  readonly query: string;
  readonly incoming: IncomingMessage;
};

/** The caller writes the request's body to the standard input. */
export function spawnBackend(request: BackendRequest): ChildProcessWithoutNullStreams {
  const { directory, service, query, incoming } = request;
  const header = (name: string): string => String(incoming.headers[name] ?? "");
  const length = incoming.headers["content-length"];
  const child = spawn("git", ["http-backend"], {
    env: {
      ...GIT_ENVIRONMENT,
      GIT_PROJECT_ROOT: dirname(directory),
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: header("git-protocol"),
      REQUEST_METHOD: incoming.method ?? "GET",
      PATH_INFO: `/${basename(directory)}/${service}`,
      QUERY_STRING: query,
      CONTENT_TYPE: header("content-type"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
    },
  });
  child.stdin.on("error", () => {});
  return child;
}

export type BackendHead = { readonly status: number; readonly headers: Record<string, string> };

function parseHead(head: string): BackendHead {
  const headers: Record<string, string> = {};
  let status = 200;
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":");
    const name = line.slice(0, colon);
    const value = line.slice(colon + 1).trim();
    if (name.toLowerCase() === "status") status = Number.parseInt(value, 10);
    else if (colon > 0) headers[name] = value;
  }
  return { status, headers };
}

const END_OF_HEAD = "\r\n\r\n";

/** The head and the rest of a response that has arrived up to here; null while the head is incomplete. */
export function splitHead(bytes: Buffer): { readonly head: BackendHead; readonly rest: Buffer } | null {
  const end = bytes.indexOf(END_OF_HEAD);
  if (end === -1) return null;
  return {
    head: parseHead(bytes.subarray(0, end).toString()),
    rest: bytes.subarray(end + END_OF_HEAD.length),
  };
}

/** Runs the backend to its end and returns its whole response. */
export async function runBackend(
  request: BackendRequest,
  body: Buffer,
): Promise<BackendHead & { body: Buffer }> {
  const child = spawnBackend(request);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stdin.end(body);
  await new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  const split = splitHead(Buffer.concat(chunks));
  if (split === null) throw new Error("git http-backend didn't respond");
  return { ...split.head, body: split.rest };
}
