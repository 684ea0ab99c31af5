/**
 * The API: finds the operation, applies faults, checks request and response against GitHub's description, and calls the handlers. A
 * response that GitHub wouldn't send, or a request that it doesn't know, is a violation.
 */
import { identify } from "./authentication.ts";
import type { Handler } from "./call.ts";
import { describeIdentity, type LoggedCall } from "./call-log.ts";
import { checkRequest, matchOperation, type Operation, responseProblems } from "./description.ts";
import { answerOfFault } from "./fault-answers.ts";
import type { Fault } from "./faults.ts";
import { isObject } from "./json.ts";
import { APP_OPERATIONS } from "./operations/apps.ts";
import { BRANCH_OPERATIONS } from "./operations/branches.ts";
import { CHECK_OPERATIONS } from "./operations/checks.ts";
import { COMMENT_OPERATIONS } from "./operations/comments.ts";
import { PEOPLE_OPERATIONS } from "./operations/people.ts";
import { PULL_REQUEST_OPERATIONS } from "./operations/create-pull-request.ts";
import { REPOSITORY_OPERATIONS } from "./operations/repositories.ts";
import { REVIEW_OPERATIONS } from "./operations/reviews.ts";
import { requireAccess } from "./permissions.ts";
import { type Answer, isRefusal, notFound, refusal } from "./refusal.ts";
import { answerExchange, type Exchange, readJson, type ServerParts } from "./server-parts.ts";
import { apiUrl, findRenamed, findRepository, fullName, type World } from "./world.ts";

const HANDLERS: Readonly<Record<string, Handler>> = {
  ...APP_OPERATIONS,
  ...REPOSITORY_OPERATIONS,
  ...REVIEW_OPERATIONS,
  ...COMMENT_OPERATIONS,
  ...CHECK_OPERATIONS,
  ...BRANCH_OPERATIONS,
  ...PULL_REQUEST_OPERATIONS,
  ...PEOPLE_OPERATIONS,
};

export function servedOperations(): readonly string[] {
  return Object.keys(HANDLERS);
}

type ApiRequest = {
  readonly operation: Operation;
  readonly params: Readonly<Record<string, string>>;
  readonly path: string;
  readonly search: string;
  readonly authorization: string | undefined;
  readonly logged: LoggedCall;
  readonly fault: Fault | null;
};

/** After a rename, GitHub redirects to `/repositories/ID/…`, which is equivalent to the repository's name. */
function withName(world: World, path: string): string {
  const match = /^\/repositories\/(\d+)(\/.*)?$/.exec(path);
  const repository = world.repositories.find((each) => each.id === Number(match?.[1]));
  return repository === undefined ? path : `/repos/${fullName(repository)}${match?.[2] ?? ""}`;
}

function redirectOf(world: World, path: string, search: string): Answer | null {
  const [, owner = "", name = "", rest = ""] = /^\/repos\/([^/]+)\/([^/]+)(\/.*)?$/.exec(path) ?? [];
  const renamed = findRepository(world, owner, name) === null ? findRenamed(world, owner, name) : null;
  if (renamed === null) return null;
  const url = `${apiUrl(world)}/repositories/${renamed.id}${rest}${search}`;
  const body = { message: "Moved Permanently", url, documentation_url: "" };
  return { status: 301, body, headers: { location: url } };
}

/** Records the violation and returns the error for the response. */
function violation(parts: ServerParts, operation: string, problems: readonly string[]): Error {
  parts.violations.push(...problems.map((problem) => `${operation}: ${problem}`));
  return refusal(500, `The fake refuses this: ${problems.join("; ")}`);
}

function answerOf(error: Error): Answer {
  return isRefusal(error) ? error.answer : { status: 500, body: { message: error.message } };
}

async function handle(parts: ServerParts, request: ApiRequest): Promise<Answer> {
  const { world } = parts;
  const { operation, logged, fault } = request;
  const identity = identify(world, request.authorization);
  logged.identity = describeIdentity(identity);
  const query = Object.fromEntries(new URLSearchParams(request.search));
  const checked = checkRequest(operation, { params: request.params, query, body: logged.body });
  if (checked.problems.length > 0) throw violation(parts, operation.id, checked.problems);
  if (identity.kind === "installation") identity.token.used++;
  const { owner, repo } = request.params;
  const repository = owner === undefined || repo === undefined ? null : findRepository(world, owner, repo);
  if (operation.path.startsWith("/repos/") && !operation.id.startsWith("apps/")) {
    if (repository === null) throw notFound();
    requireAccess(identity, { operation: operation.id, repository });
  }
  const handler = HANDLERS[operation.id];
  if (handler === undefined) throw violation(parts, operation.id, ["the fake has no handler"]);
  return handler({
    operation: operation.id,
    path: request.path,
    params: checked.params,
    query: checked.query,
    body: isObject(logged.body) ? logged.body : {},
    identity,
    world,
    lagMs: fault?.kind === "lag" ? fault.ms : world.listLagMs,
    repository,
    deliveries: parts.deliveries,
    deliver: parts.deliver,
  });
}

/** The response to a matched request, including failures. */
async function answerTo(parts: ServerParts, request: ApiRequest): Promise<Answer> {
  const { operation, fault } = request;
  try {
    const answer = await handle(parts, request);
    const body = fault?.kind === "alter" ? fault.body(answer.body) : answer.body;
    const problems = responseProblems(operation, answer.status, body);
    if (problems.length > 0) throw violation(parts, operation.id, problems);
    return { ...answer, body };
  } catch (error) {
    if (!isRefusal(error)) {
      const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
      return answerOf(violation(parts, operation.id, [`the fake failed: ${text}`]));
    }
    const { answer } = error;
    // The fake itself uses 500 for violations.
    const problems = answer.status === 500 ? [] : responseProblems(operation, answer.status, answer.body);
    return problems.length > 0 ? answerOf(violation(parts, operation.id, problems)) : answer;
  }
}

function answerToUnknown(parts: ServerParts, { method, path }: LoggedCall): Answer {
  parts.violations.push(
    `${method} ${path}: GitHub's description has no such operation, or the fake does not serve it`,
  );
  return answerOf(notFound());
}

/** `path` is relative to the API's root. */
export async function serveApi(
  parts: ServerParts,
  exchange: Exchange,
  url: { readonly path: string; readonly search: string },
): Promise<void> {
  const { world } = parts;
  const body = await readJson(exchange);
  const { search } = url;
  const path = withName(world, url.path);
  const method = exchange.incoming.method ?? "GET";
  const matched = matchOperation(method, path);
  const operation = matched?.operation.id ?? "unknown";
  const { authorization } = exchange.incoming.headers;
  await answerExchange(
    parts,
    exchange,
    { operation, method, path, search, body },
    async (logged, fault) =>
      answerOfFault(fault, world.clock.now()) ??
      redirectOf(world, path, search) ??
      (matched === null
        ? answerToUnknown(parts, logged)
        : answerTo(parts, { ...matched, path, search, authorization, logged, fault })),
  );
}
