/** One API request for a handler, with shared code of handlers: parameters, pages, and the lag of lists. */
import type { Identity } from "./authentication.ts";
import type { JsonObject } from "./json.ts";
import type { Webhook } from "./payloads.ts";
import { requireIssues } from "./permissions.ts";
import { type Answer, notFound, refusal } from "./refusal.ts";
import {
  apiUrl,
  findIssue,
  findPullRequest,
  type Issue,
  isPullRequest,
  type PullRequest,
  type Push,
  type Repository,
  type Token,
  type User,
  type World,
} from "./world.ts";

export type Call = {
  readonly operation: string;
  /** Path relative to the API's root, for links to further pages. */
  readonly path: string;
  readonly params: JsonObject;
  readonly query: JsonObject;
  readonly body: JsonObject;
  readonly identity: Identity;
  readonly world: World;
  readonly lagMs: number;
  /** The repository in the path, with access checked; null if the path names none. */
  readonly repository: Repository | null;
  readonly deliveries: DeliveryLog;
  /** Sends the event of the change, if the fake delivers automatically. */
  readonly deliver: (webhook: Webhook) => void;
};

/** The app's webhook in the API. */
export type DeliveryLog = {
  /** Newest first. */
  list(): readonly JsonObject[];
  read(id: number): JsonObject | null;
  /** Redelivers in the background; returns false if the delivery isn't in the log. */
  redeliver(id: number): boolean;
  url(): string;
  /** Of a new app. */
  configure(config: { readonly url: string; readonly secret: string }): void;
};

export type Handler = (call: Call) => Answer | Promise<Answer>;

// GitHub's limits.
const DEFAULT_PAGE_SIZE = 30;
const MAX_PAGE_SIZE = 100;
const MAX_BODY_CHARACTERS = 65_536;

export const ok = (body: unknown, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status: 200,
  body,
  headers,
});
export const created = (body: unknown): Answer => ({ status: 201, body });

/** Values were checked against the description, so a missing one is optional. */
export function numberIn(values: JsonObject, name: string): number | null {
  const value = values[name];
  return typeof value === "number" ? value : null;
}

export function textIn(values: JsonObject, name: string): string | null {
  const value = values[name];
  return typeof value === "string" ? value : null;
}

export function repositoryOf(call: Pick<Call, "repository">): Repository {
  if (call.repository === null) throw notFound();
  return call.repository;
}

export function pullRequestOf(call: Call): PullRequest {
  const found = findPullRequest(call.world, repositoryOf(call), numberIn(call.params, "pull_number") ?? 0);
  if (found === null) throw notFound();
  return found;
}

/** The issue or pull request in the path. */
export function issueOf(call: Call): Issue {
  const found = findIssue(call.world, repositoryOf(call), numberIn(call.params, "issue_number") ?? 0);
  if (found === null) throw notFound();
  if (!isPullRequest(found)) requireIssues(call.identity, call.operation);
  return found;
}

export function tokenOf(call: Call): Token {
  if (call.identity.kind !== "installation") throw refusal(401, "Requires authentication");
  return call.identity.token;
}

/** A caller with an installation token is the app's bot. Null means anonymous. */
export function viewerOf({ identity, world }: Pick<Call, "identity" | "world">): User | null {
  if (identity.kind === "user") return identity.user;
  return identity.kind === "installation" ? world.app.bot : null;
}

export function authorOf(call: Call): User {
  const viewer = viewerOf(call);
  if (viewer === null) throw refusal(401, "Requires authentication");
  return viewer;
}

export function requireApp(call: Call): void {
  if (call.identity.kind !== "app") throw refusal(401, "A JSON web token could not be decoded");
}

export function requireUnlocked(issue: Issue): void {
  if (issue.isLocked) throw refusal(403, "Unable to create comment because issue is locked.");
}

export function isTooLong(body: string | null): boolean {
  return body !== null && body.length > MAX_BODY_CHARACTERS;
}

export const TOO_LONG = `Body is too long (maximum is ${MAX_BODY_CHARACTERS} characters)`;

/** Lists lag behind writes. */
export function visibleTo<Item extends { readonly createdAtMs: number }>(
  call: Pick<Call, "world" | "lagMs">,
  items: readonly Item[],
): readonly Item[] {
  const newest = call.world.clock.now() - call.lagMs;
  return call.lagMs === 0 ? items : items.filter(({ createdAtMs }) => createdAtMs <= newest);
}

export type Page<Item> = {
  readonly items: readonly Item[];
  readonly headers: Readonly<Record<string, string>>;
};

export function pageOf<Item>(call: Call, items: readonly Item[]): Page<Item> {
  const size = Math.min(numberIn(call.query, "per_page") ?? DEFAULT_PAGE_SIZE, MAX_PAGE_SIZE);
  const number = numberIn(call.query, "page") ?? 1;
  const last = Math.max(1, Math.ceil(items.length / size));
  const link = (page: number, rel: string): string => {
    const query = new URLSearchParams();
    for (const [key, value] of Object.entries({ ...call.query, page })) query.set(key, String(value));
    return `<${apiUrl(call.world)}${call.path}?${query.toString()}>; rel="${rel}"`;
  };
  const links = [
    ...(number > 1 ? [link(number - 1, "prev"), link(1, "first")] : []),
    ...(number < last ? [link(number + 1, "next"), link(last, "last")] : []),
  ];
  return {
    items: items.slice((number - 1) * size, number * size),
    headers: links.length === 0 ? {} : { link: links.join(", ") },
  };
}

/** Records a change with the current state of the issue or pull request. */
export function recordWrite(
  call: Pick<Call, "operation" | "world" | "repository">,
  change: {
    readonly issue: Issue | null;
    readonly isVisible: boolean;
    readonly commit: string | null;
    readonly push?: Push;
  },
): void {
  const { issue } = change;
  const pullRequest = issue !== null && isPullRequest(issue) ? issue : null;
  call.world.writes.push({
    operation: call.operation,
    atMs: call.world.clock.now(),
    repository: repositoryOf(call),
    pullRequest,
    issue,
    isVisible: change.isVisible,
    isOpen: issue?.isOpen ?? true,
    headThen: pullRequest?.head ?? null,
    commit: change.commit,
    push: change.push ?? null,
  });
}
