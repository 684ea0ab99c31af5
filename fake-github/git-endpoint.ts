/** Clones, fetches and pushes over smart HTTP, with git's `http-backend` on the fake's bare repositories. */
import { identify, type Identity } from "./authentication.ts";
import { describeIdentity, type LoggedCall } from "./call-log.ts";
import { answerOfFault } from "./fault-answers.ts";
import type { Fault } from "./faults.ts";
import { spawnBackend, splitHead } from "./git-backend.ts";
import { isAllowed, reaches } from "./permissions.ts";
import { receivePack } from "./receive-pack.ts";
import { isRefusal } from "./refusal.ts";
import { admitCall, cut, type Exchange, readBody, sendAnswer, type ServerParts } from "./server-parts.ts";
import { findRenamed, findRepository, fullName, type Repository, type World } from "./world.ts";

type GitRequest = {
  /** `git/info-refs` lists the refs, for a push too. */
  readonly operation: "git/info-refs" | "git/upload-pack" | "git/receive-pack";
  readonly isPush: boolean;
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
    operation: service === "info/refs" ? "git/info-refs" : isPush ? "git/receive-pack" : "git/upload-pack",
    isPush,
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

/** To a public repository, a missing permission is 403 everywhere; only private ones are hidden. */
function admitPush(repository: Repository, identity: Identity): GitAdmission {
  const name = fullName(repository);
  if (identity.kind === "user") {
    const role = repository.roles.get(identity.user.login) ?? "none";
    if (role !== "write" && role !== "admin")
      return refuse(403, `Permission to ${name}.git denied to ${identity.user.login}.`);
  } else {
    const isReached = reaches(identity, repository);
    if (!isReached && repository.isPrivate) return refuse(404, "Repository not found.");
    if (!isReached || !isAllowed(identity, "git/receive-pack"))
      return refuse(403, "Write access to repository not granted.");
  }
  if (repository.isArchived) return refuse(403, "This repository was archived so it is read-only.");
  return { kind: "admitted", repository, identity };
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
  if (identity.kind === "anonymous" && (repository === null || repository.isPrivate || request.isPush))
    return unauthorized;
  if (repository === null) return refuse(404, "Repository not found.");
  if (request.isPush) return admitPush(repository, identity);
  if (identity.kind === "installation") {
    if (repository.isPrivate && !reaches(identity, repository)) return refuse(404, "Repository not found.");
    if (repository.isPrivate && !isAllowed(identity, "git/upload-pack"))
      return refuse(403, "Write access to repository not granted.");
  }
  return { kind: "admitted", repository, identity };
}

/** Streams git's response. Resolves with the status after it was sent; cuts the connection after `maxBytes`. */
function streamBackend(
  request: GitRequest,
  repository: Repository,
  exchange: Exchange & { readonly maxBytes: number },
): Promise<number | null> {
  const { incoming, response, maxBytes } = exchange;
  const { service, query } = request;
  const child = spawnBackend({ directory: repository.directory, service, query, incoming });
  incoming.pipe(child.stdin);
  return new Promise((resolve) => {
    let arrived: Buffer | null = Buffer.alloc(0);
    let status: number | null = null;
    let sent = 0;
    const send = (bytes: Buffer): void => {
      const room = maxBytes - sent;
      sent += bytes.length;
      if (bytes.length <= room) response.write(bytes);
      else response.write(bytes.subarray(0, Math.max(0, room)), () => cut(exchange));
    };
    child.stdout.on("data", (chunk: Buffer) => {
      if (arrived === null) return send(chunk);
      arrived = Buffer.concat([arrived, chunk]);
      const split = splitHead(arrived);
      if (split === null) return;
      arrived = null;
      ({ status } = split.head);
      // A push starts on a new connection: on a used one, curl repeats a request that was cut, and a fault would happen twice.
      const connection = request.isPush ? { connection: "close" } : {};
      response.writeHead(split.head.status, { ...split.head.headers, ...connection });
      send(split.rest);
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

/** A push is received completely before it is handled, and reported after the hooks of tests, so that every fault applies. */
async function servePush(
  parts: ServerParts,
  exchange: Exchange,
  push: {
    readonly git: GitRequest;
    readonly repository: Repository;
    readonly identity: Identity;
    readonly fault: Fault | null;
    readonly logged: LoggedCall;
  },
): Promise<void> {
  const { git, repository, identity, fault, logged } = push;
  const { incoming, response } = exchange;
  const answer = await receivePack({
    world: parts.world,
    repository,
    identity,
    backend: { service: git.service, query: git.query, incoming },
    body: await readBody(exchange),
    refuseBecause: fault?.kind === "invalid" ? fault.sentence : null,
    deliver: parts.deliver,
  });
  logged.status = answer.status;
  await parts.reach("response", logged);
  if (fault?.kind === "lost" && fault.by === "reset") return cut(exchange);
  if (fault?.kind === "lost") {
    response.writeHead(502, { "content-type": "text/plain" });
    response.end("Bad Gateway");
    return;
  }
  response.writeHead(answer.status, answer.headers);
  if (fault?.kind === "truncate") response.write(answer.body.subarray(0, fault.bytes), () => cut(exchange));
  else response.end(answer.body);
}

export async function serveGit(parts: ServerParts, exchange: Exchange, git: GitRequest): Promise<void> {
  const { world, log } = parts;
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
    // A push that is refused as invalid gets git's kind of report.
    const isReported = git.operation === "git/receive-pack" && fault?.kind === "invalid";
    const failure = isReported ? null : answerOfFault(fault, world.clock.now());
    if (failure !== null) {
      logged.status = failure.status;
      return sendAnswer(parts, exchange, { answer: failure, logged, maxBytes: null });
    }
    const admission = admit(world, git, incoming.headers.authorization);
    if (admission.kind === "refused") {
      logged.status = admission.status;
      response.writeHead(admission.status, { "content-type": "text/plain", ...admission.headers });
      response.end(admission.text);
      return;
    }
    const { repository, identity } = admission;
    logged.identity = describeIdentity(identity);
    if (git.operation === "git/receive-pack")
      return await servePush(parts, exchange, { git, repository, identity, fault, logged });
    const maxBytes = fault?.kind === "truncate" ? fault.bytes : Number.POSITIVE_INFINITY;
    logged.status = await streamBackend(git, repository, { ...exchange, maxBytes });
    await parts.reach("response", logged);
  } finally {
    log.end(logged);
  }
}
