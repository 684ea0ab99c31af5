/** Read-only operations: repositories, files, people, search and limits. */
import { isAllowed, reaches } from "../permissions.ts";
import {
  type Call,
  type Handler,
  ok,
  pageOf,
  pullRequestOf,
  repositoryOf,
  textIn,
  visibleTo,
} from "../call.ts";
import { diffOf } from "../diff.ts";
import { runGit } from "../git.ts";
import type { JsonObject } from "../json.ts";
import { presentIssue } from "../present/issue.ts";
import { baseOf, presentFile, presentFullPullRequest, presentPullRequest } from "../present/pull-request.ts";
import { presentFullRepository } from "../present/repository.ts";
import { presentProfile } from "../present/user.ts";
import { notFound, refusal } from "../refusal.ts";
import { apiUrl, findRepository, fullName, type PullRequest, type Repository } from "../world.ts";

const getRepository: Handler = (call) => ok(presentFullRepository(call.world, repositoryOf(call)));

// GitHub's limit. Of a larger file, it sends everything but the content.
const MAX_CONTENT_BYTES = 1_048_576;

const getContent: Handler = async (call) => {
  const repository = repositoryOf(call);
  const path = String(call.params["path"]);
  const ref = textIn(call.query, "ref") ?? repository.defaultBranch;
  const read = (...args: readonly string[]): Promise<Buffer> => runGit(repository.directory, args);
  const entry = await read("ls-tree", "-z", "--full-tree", "--end-of-options", ref, "--", path).catch(() =>
    Buffer.alloc(0),
  );
  const [, sha] = /^\d+ blob ([0-9a-f]+)\t/.exec(entry.toString()) ?? [];
  if (sha === undefined) throw notFound();
  const bytes = await read("cat-file", "blob", sha);
  const isLarge = bytes.length > MAX_CONTENT_BYTES;
  const name = fullName(repository);
  const url = `${apiUrl(call.world)}/repos/${name}/contents/${path}?ref=${ref}`;
  const gitUrl = `${apiUrl(call.world)}/repos/${name}/git/blobs/${sha}`;
  const htmlUrl = `${call.world.origin}/${name}/blob/${ref}/${path}`;
  return ok({
    type: "file",
    encoding: isLarge ? "none" : "base64",
    size: bytes.length,
    name: path.split("/").at(-1) ?? path,
    path,
    content: isLarge ? "" : bytes.toString("base64"),
    sha,
    url,
    git_url: gitUrl,
    html_url: htmlUrl,
    download_url: `${call.world.origin}/${name}/raw/${ref}/${path}`,
    _links: { self: url, git: gitUrl, html: htmlUrl },
  });
};

const listPullRequests: Handler = async (call) => {
  const repository = repositoryOf(call);
  const state = textIn(call.query, "state") ?? "open";
  const base = textIn(call.query, "base");
  const head = textIn(call.query, "head");
  const matching = call.world.pullRequests.filter(
    (each) =>
      each.repository === repository &&
      (state === "all" || each.isOpen === (state === "open")) &&
      (base === null || each.baseRef === base) &&
      (head === null || `${each.headOwner?.login ?? ""}:${each.headRef}` === head),
  );
  const byUpdate = textIn(call.query, "sort") === "updated";
  const timeOf = (each: PullRequest): number => (byUpdate ? each.updatedAtMs : each.number);
  const isAscending = textIn(call.query, "direction") === "asc";
  const sorted = matching.toSorted((a, b) => (isAscending ? timeOf(a) - timeOf(b) : timeOf(b) - timeOf(a)));
  const { items, headers } = pageOf(call, visibleTo(call, sorted));
  return ok(await Promise.all(items.map((each) => presentPullRequest(call.world, each))), headers);
};

const getPullRequest: Handler = async (call) =>
  ok(await presentFullPullRequest(call.world, pullRequestOf(call)));

// GitHub's limit of listed files.
const MAX_LISTED_FILES = 3000;

const listFiles: Handler = async (call) => {
  const pullRequest = pullRequestOf(call);
  const { directory } = pullRequest.repository;
  const files = await diffOf(directory, await baseOf(pullRequest), pullRequest.head);
  const { items, headers } = pageOf(call, files.slice(0, MAX_LISTED_FILES));
  return ok(
    items.map((file) => presentFile(call.world, pullRequest, file)),
    headers,
  );
};

/** Supports `repo:`, `type:pr`, `is:pr|merged|open|closed` and `author:`, and refuses other terms. */
function searchedPullRequests(call: Call, search: string): readonly PullRequest[] {
  let found: readonly PullRequest[] = call.world.pullRequests;
  for (const term of search.split(/[ +]+/).filter((each) => each !== "")) {
    const [name = "", ...rest] = term.split(":");
    const value = rest.join(":").replaceAll('"', "");
    if (name === "repo") {
      const repository = searchableRepository(call, value);
      found = found.filter((each) => each.repository === repository);
    } else if (name === "author") found = found.filter((each) => isAuthor(each, value));
    else if (term === "is:merged") found = found.filter((each) => each.mergedAtMs !== null);
    else if (term === "is:open" || term === "is:closed")
      found = found.filter((each) => each.isOpen === (value === "open"));
    else if (!["type:pr", "is:pr"].includes(term))
      throw refusal(422, "Validation Failed", [
        { resource: "Search", field: "q", code: "invalid", message: `the fake does not know ${term}` },
      ]);
  }
  return found;
}

function searchableRepository(call: Call, fullName: string): Repository {
  const [owner = "", name = ""] = fullName.split("/");
  const repository = findRepository(call.world, owner, name);
  const isReadable = isAllowed(call.identity, "pulls/list");
  if (repository === null || !reaches(call.identity, repository) || !isReadable)
    throw refusal(422, "Validation Failed", [
      {
        message:
          "The listed users and repositories cannot be searched either because the resources do not exist or you do not have permission to view them.",
        resource: "Search",
        field: "q",
        code: "invalid",
      },
    ]);
  return repository;
}

/** A bot is searched as `app/NAME`. */
function isAuthor({ author }: PullRequest, value: string): boolean {
  const login = value.startsWith("app/") ? `${value.slice("app/".length)}[bot]` : value;
  return author.login.toLowerCase() === login.toLowerCase();
}

const searchIssues: Handler = (call) => {
  const found = searchedPullRequests(call, textIn(call.query, "q") ?? "");
  const { items, headers } = pageOf(call, found);
  const body = {
    total_count: found.length,
    incomplete_results: false,
    search_type: "lexical",
    items: items.map((each) => ({ ...presentIssue(call.world, each), score: 1 })),
  };
  return ok(body, headers);
};

const getUser: Handler = (call) => {
  const user = call.world.users.get(String(call.params["username"]).toLowerCase());
  if (user === undefined) throw notFound();
  return ok(presentProfile(call.world, user));
};

/** An installation has no user. */
const getAuthenticatedUser: Handler = (call) => {
  if (call.identity.kind === "user") return ok(presentProfile(call.world, call.identity.user));
  throw call.identity.kind === "anonymous"
    ? refusal(401, "Requires authentication")
    : refusal(403, "Resource not accessible by integration");
};

/** Everyone can read public repositories. A bot is never a collaborator. */
const getPermission: Handler = (call) => {
  const repository = repositoryOf(call);
  const user = call.world.users.get(String(call.params["username"]).toLowerCase());
  if (user === undefined || user.type !== "User") throw notFound();
  const role = repository.roles.get(user.login) ?? (repository.isPrivate ? "none" : "read");
  return ok({ permission: role, role_name: role, user: null });
};

const getRateLimit: Handler = (call) => {
  const used = call.identity.kind === "installation" ? call.identity.token.used : 0;
  const reset = Math.ceil(call.world.clock.now() / 3_600_000) * 3600;
  const of = (limit: number): JsonObject => ({ limit, used, remaining: Math.max(0, limit - used), reset });
  return ok({ resources: { core: of(5000), search: of(30) }, rate: of(5000) });
};

export const REPOSITORY_OPERATIONS: Readonly<Record<string, Handler>> = {
  "repos/get": getRepository,
  "repos/get-content": getContent,
  "repos/get-collaborator-permission-level": getPermission,
  "pulls/list": listPullRequests,
  "pulls/get": getPullRequest,
  "pulls/list-files": listFiles,
  "search/issues-and-pull-requests": searchIssues,
  "users/get-by-username": getUser,
  "users/get-authenticated": getAuthenticatedUser,
  "rate-limit/get": getRateLimit,
};
