/** Clones and fetches over smart HTTP, with git's `http-backend` on the fake's bare repositories. Pushing isn't possible. */
import { spawn } from "node:child_process";
import { basename, dirname } from "node:path";
import { identify, type Identity } from "./authentication.ts";
import { describeIdentity } from "./call-log.ts";
import { answerOfFault } from "./fault-answers.ts";
import { GIT_ENVIRONMENT } from "./git.ts";
import { isAllowed, reaches } from "./permissions.ts";
import { isRefusal } from "./refusal.ts";
import { admitCall, cut, type Exchange, sendAnswer, type ServerParts } from "./server-parts.ts";
import { findRenamed, findRepository, fullName, type Repository, type World } from "./world.ts";

type GitRequest = {
  readonly operation: "git/info-refs" | "git/upload-pack" | "git/receive-pack";
  readonly owner: string;
  readonly name: string;
  /** Path relative to the repository. */
  readonly service: string;
  readonly query: string;
};

export function parseGitRequest(url: URL): GitRequest | null {
  const match = /^\/([^/]+)\/([^/]+?)(?:\.git)?\/(info\/refs|git-upload-pack|git-receive-pack)$/.exec(
    url.pathname,
  );
  if (match === null) return null;
  const [, owner = "", name = "", service = ""] = match;
  const isPush = service === "git-receive-pack" || url.searchParams.get("service") === "git-receive-pack";
  return {
    operation: isPush ? "git/receive-pack" : service === "info/refs" ? "git/info-refs" : "git/upload-pack",
    owner,
    name,
    service,
    query: url.search.slice(1),
  };
}

/** Whether a git client may continue, or GitHub's refusal. */
type GitAdmission =
  | { readonly kind: "admitted"; readonly repository: Repository; readonly identity: Identity }
  | {
      readonly kind: "refused";
      readonly status: number;
      readonly text: string;
      readonly headers: Readonly<Record<string, string>>;
    };

const ASK_FOR_CREDENTIAL = { "www-authenticate": 'Basic realm="GitHub"' };

function refuse(status: number, text: string, headers: Readonly<Record<string, string>> = {}): GitAdmission {
  return { kind: "refused", status, text, headers };
}

function admit(world: World, request: GitRequest, authorization: string | undefined): GitAdmission {
  const unauthorized = refuse(401, "Invalid username or token.", ASK_FOR_CREDENTIAL);
  let identity: Identity;
  try {
    identity = identify(world, authorization);
  } catch (error) {
    if (isRefusal(error) && error.answer.status === 403) return refuse(403, error.message);
    return unauthorized;
  }
  const repository = findRepository(world, request.owner, request.name);
  const renamed = repository === null ? findRenamed(world, request.owner, request.name) : null;
  if (renamed !== null) {
    const location = `${world.origin}/${fullName(renamed)}.git/${request.service}?${request.query}`;
    return refuse(301, "moved", { location });
  }
  // An anonymous client is asked for credentials first, even for a repository that doesn't exist.
  if (identity.kind === "anonymous" && (repository === null || repository.isPrivate)) return unauthorized;
  if (repository === null) return refuse(404, "Repository not found.");
  if (request.operation === "git/receive-pack") return refuse(403, "Write access to repository not granted.");
  if (identity.kind === "installation") {
    if (repository.isPrivate && !reaches(identity, repository)) return refuse(404, "Repository not found.");
    if (repository.isPrivate && !isAllowed(identity, "git/upload-pack"))
      return refuse(403, "Write access to repository not granted.");
  }
  return { kind: "admitted", repository, identity };
}

function parseHead(head: string): { readonly status: number; readonly headers: Record<string, string> } {
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

/** Lets git respond. Resolves with the status after the response was sent; cuts the connection after `maxBytes`. */
function runBackend(
  request: GitRequest,
  repository: Repository,
  exchange: Exchange & { readonly maxBytes: number },
): Promise<number | null> {
  const { incoming, response, maxBytes } = exchange;
  const header = (name: string): string => String(incoming.headers[name] ?? "");
  const length = incoming.headers["content-length"];
  const child = spawn("git", ["http-backend"], {
    env: {
      ...GIT_ENVIRONMENT,
      GIT_PROJECT_ROOT: dirname(repository.directory),
      GIT_HTTP_EXPORT_ALL: "1",
      GIT_PROTOCOL: header("git-protocol"),
      REQUEST_METHOD: incoming.method ?? "GET",
      PATH_INFO: `/${basename(repository.directory)}/${request.service}`,
      QUERY_STRING: request.query,
      CONTENT_TYPE: header("content-type"),
      HTTP_CONTENT_ENCODING: header("content-encoding"),
      ...(length === undefined ? {} : { CONTENT_LENGTH: length }),
    },
  });
  child.stdin.on("error", () => {});
  incoming.pipe(child.stdin);
  return new Promise((resolve) => {
    let head: Buffer | null = Buffer.alloc(0);
    let status: number | null = null;
    let sent = 0;
    const send = (bytes: Buffer): void => {
      const room = maxBytes - sent;
      sent += bytes.length;
      if (bytes.length <= room) response.write(bytes);
      else response.write(bytes.subarray(0, Math.max(0, room)), () => cut(exchange));
    };
    child.stdout.on("data", (chunk: Buffer) => {
      if (head === null) return send(chunk);
      head = Buffer.concat([head, chunk]);
      const end = head.indexOf("\r\n\r\n");
      if (end === -1) return;
      const parsed = parseHead(head.subarray(0, end).toString());
      const rest = head.subarray(end + 4);
      head = null;
      status = parsed.status;
      response.writeHead(parsed.status, parsed.headers);
      send(rest);
    });
    // A client that disconnects also ends its git process.
    response.on("close", () => child.kill());
    child.on("error", () => response.destroy());
    child.on("close", () => {
      response.end();
      resolve(status);
    });
  });
}

export async function serveGit(parts: ServerParts, exchange: Exchange, git: GitRequest): Promise<void> {
  const { world, log, violations } = parts;
  const { incoming, response } = exchange;
  const path = incoming.url ?? "";
  const method = incoming.method ?? "GET";
  const logged = log.begin({
    operation: git.operation,
    method,
    path,
    body: undefined,
    atMs: world.clock.now(),
  });
  try {
    const fault = await admitCall(parts, logged, path);
    if (fault?.kind === "reset") return cut(exchange);
    const failure = answerOfFault(fault, world.clock.now());
    if (failure !== null) {
      logged.status = failure.status;
      return sendAnswer(parts, exchange, { answer: failure, logged, maxBytes: null });
    }
    if (git.operation === "git/receive-pack") violations.push(`${method} ${path}: a client tried to push`);
    const admission = admit(world, git, incoming.headers.authorization);
    if (admission.kind === "refused") {
      logged.status = admission.status;
      response.writeHead(admission.status, { "content-type": "text/plain", ...admission.headers });
      response.end(admission.text);
      return;
    }
    logged.identity = describeIdentity(admission.identity);
    const maxBytes = fault?.kind === "truncate" ? fault.bytes : Number.POSITIVE_INFINITY;
    logged.status = await runBackend(git, admission.repository, { ...exchange, maxBytes });
    await parts.reach("response", logged);
  } finally {
    log.end(logged);
  }
}
