/** Opens and edits pull requests, with GitHub's refusals. */
import {
  authorOf,
  type Call,
  created,
  type Handler,
  isTooLong,
  ok,
  pullRequestOf,
  recordWrite,
  repositoryOf,
  textIn,
  TOO_LONG,
} from "../call.ts";
import { comparisonOf } from "../diff.ts";
import { readRef } from "../git.ts";
import { pullRequestEvent } from "../payloads.ts";
import { addPullRequest } from "../people.ts";
import { presentFullPullRequest } from "../present/pull-request.ts";
import { invalid, refusal } from "../refusal.ts";
import type { PullRequest, Repository } from "../world.ts";

function refused(error: { readonly resource?: string; readonly [key: string]: unknown }): Error {
  return refusal(422, "Validation Failed", [{ resource: "PullRequest", ...error }]);
}

const MAX_TITLE_CHARACTERS = 256;

function titleOf(call: Call): string {
  const title = textIn(call.body, "title") ?? "";
  if (title.trim() === "") throw refused({ resource: "Issue", code: "missing_field", field: "title" });
  if (title.length > MAX_TITLE_CHARACTERS)
    throw invalid("Issue", "title", `title is too long (maximum is ${MAX_TITLE_CHARACTERS} characters)`);
  return title;
}

function bodyOf(call: Call): string | null {
  const body = textIn(call.body, "body");
  if (isTooLong(body)) throw invalid("Issue", "body", TOO_LONG);
  return body;
}

type Head = { readonly source: Repository; readonly branch: string; readonly commit: string };

/** `branch`, or `owner:branch` for a fork. */
async function headOf(call: Call): Promise<Head> {
  const repository = repositoryOf(call);
  const named = textIn(call.body, "head") ?? "";
  const colon = named.indexOf(":");
  const owner = colon === -1 ? repository.owner.login : named.slice(0, colon);
  const branch = named.slice(colon + 1);
  const source = [repository, ...call.world.repositories.filter(({ parent }) => parent === repository)].find(
    (each) => each.owner.login.toLowerCase() === owner.toLowerCase(),
  );
  const commit = source === undefined ? null : await commitOf(source, branch);
  if (source === undefined || commit === null) throw refused({ field: "head", code: "invalid" });
  return { source, branch, commit };
}

function commitOf({ directory }: Repository, branch: string): Promise<string | null> {
  return branch === "" ? Promise.resolve(null) : readRef(directory, `refs/heads/${branch}`).catch(() => null);
}

async function requireCommits(repository: Repository, baseRef: string, head: Head): Promise<void> {
  const base = await commitOf(repository, baseRef);
  if (base === null) throw refused({ field: "base", code: "invalid" });
  const none = { code: "custom", message: `No commits between ${baseRef} and ${head.branch}` };
  // The commits of a fork aren't in the base repository yet.
  if (head.commit === base) throw refused(none);
  if (head.source !== repository) return;
  const { commits } = await comparisonOf(repository.directory, base, head.commit);
  if (commits.length === 0) throw refused(none);
}

const createPullRequest: Handler = async (call) => {
  const repository = repositoryOf(call);
  const author = authorOf(call);
  if (call.body["issue"] !== undefined) throw refused({ field: "issue", code: "invalid" });
  const baseRef = textIn(call.body, "base") ?? "";
  const [title, body] = [titleOf(call), bodyOf(call)];
  const head = await headOf(call);
  await requireCommits(repository, baseRef, head);
  // No await from here to the new pull request: two concurrent requests must not both find none.
  const isSame = (each: PullRequest): boolean =>
    each.isOpen &&
    each.headRepository === head.source &&
    each.headRef === head.branch &&
    each.baseRef === baseRef;
  if (call.world.pullRequests.some(isSame)) {
    const label = `${head.source.owner.login}:${head.branch}`;
    throw refused({ code: "custom", message: `A pull request already exists for ${label}.` });
  }
  const pullRequest = await addPullRequest(call.world, {
    source: head.source,
    repository,
    author,
    association: "NONE",
    title,
    body,
    isDraft: call.body["draft"] === true,
    baseRef,
    headRef: head.branch,
    head: head.commit,
  });
  recordWrite(call, { issue: pullRequest, isVisible: true, commit: head.commit });
  call.deliver(await pullRequestEvent(call.world, pullRequest, { action: "opened", sender: author }));
  return created(await presentFullPullRequest(call.world, pullRequest));
};

/** The title and the description; GitHub's other fields aren't served. */
const updatePullRequest: Handler = async (call) => {
  const pullRequest = pullRequestOf(call);
  const author = authorOf(call);
  if (["state", "base", "maintainer_can_modify"].some((field) => call.body[field] !== undefined))
    throw refused({ code: "custom", message: "The fake only changes titles and descriptions." });
  const from = { title: pullRequest.title, body: pullRequest.body };
  if (call.body["title"] !== undefined) pullRequest.title = titleOf(call);
  if (call.body["body"] !== undefined) pullRequest.body = bodyOf(call);
  pullRequest.updatedAtMs = call.world.clock.now();
  recordWrite(call, { issue: pullRequest, isVisible: true, commit: null });
  const changes = {
    ...(from.title !== pullRequest.title && { title: { from: from.title } }),
    ...(from.body !== pullRequest.body && { body: { from: from.body ?? "" } }),
  };
  const event = { action: "edited", sender: author, extra: { changes } };
  call.deliver(await pullRequestEvent(call.world, pullRequest, event));
  return ok(await presentFullPullRequest(call.world, pullRequest));
};

export const PULL_REQUEST_OPERATIONS: Readonly<Record<string, Handler>> = {
  "pulls/create": createPullRequest,
  "pulls/update": updatePullRequest,
};
