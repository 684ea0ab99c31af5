/**
 * Reads what was said before a comment: in its thread on lines, or in the conversation. A comment that was edited after it is
 * left out, because its author could make it say anything.
 */
import type { CommentPlace, Discussion, PullRequestComment, RepositoryRef } from "../forge.ts";
import type { ConversationAccess } from "./conversation-access.ts";
import type { GithubClient } from "./github-client.ts";
import { unlessGone } from "./github-error.ts";
import { isOwnComment, isOwnText, type OwnAccount } from "./own-account.ts";
import type { Markers } from "./markers.ts";
import { pagesFromNewest } from "./pages-from-newest.ts";
import { personOf } from "./parse-event.ts";
import { summaryScope } from "./publish/publishing.ts";
import { PAGE_SIZE } from "./repository-calls.ts";
import type { RepositoryName } from "./session-tokens.ts";

export type ReadDiscussionDeps = {
  readonly read: GithubClient;
  readonly conversation: ConversationAccess;
  readonly name: () => Promise<RepositoryName>;
  readonly repositoryRef: RepositoryRef;
  readonly own: () => Promise<OwnAccount>;
  readonly markers: Markers;
};

/** The newest 500 comments. Older ones say little about a question of today, and each page is a request. */
const MAX_PAGES = 5;

/** Null if the comment was deleted. */
export async function readDiscussion(
  place: CommentPlace,
  maxComments: number,
  deps: ReadDiscussionDeps,
): Promise<Discussion | null> {
  const isOnLines = place.target.kind === "review-comment";
  return isOnLines ? readLineThread(place, maxComments, deps) : readConversation(place, maxComments, deps);
}

/** A comment in either API. */
type Written = PullRequestComment & { readonly updatedAt: number; readonly isHidden: boolean };

/** The comment that asks. Null as its id for the body of a review, which isn't a comment. */
type Trigger = { readonly id: number | null; readonly writtenAt: number };

/** GitHub's times are whole seconds. Ids increase. */
function isBefore({ id, createdAt }: Written, trigger: Trigger): boolean {
  if (createdAt !== trigger.writtenAt) return createdAt < trigger.writtenAt;
  return trigger.id !== null && id < trigger.id;
}

/** `comments` are newest first. */
function choose(
  comments: readonly Written[],
  maxComments: number,
  trigger: Trigger,
): readonly PullRequestComment[] {
  return comments
    .filter((comment) => isBefore(comment, trigger))
    .filter(({ updatedAt, isHidden }) => updatedAt <= trigger.writtenAt && !isHidden)
    .slice(0, maxComments)
    .map(({ id, author, isOwn, body, createdAt }) => ({ id, author, isOwn, body, createdAt }))
    .toReversed();
}

async function readConversation(
  place: CommentPlace,
  maxComments: number,
  deps: ReadDiscussionDeps,
): Promise<Discussion | null> {
  const trigger = await readConversationTrigger(place, deps);
  if (trigger === null) return null;
  const scope = summaryScope(deps.repositoryRef, place.number);
  const isSummary = ({ isOwn, body }: Written): boolean => isOwn && deps.markers.read(scope, body) !== null;
  const found: Written[] = [];
  for await (const page of conversationPages(place.number, deps)) {
    found.push(...page.toReversed().filter((comment) => !isSummary(comment)));
    if (choose(found, maxComments, trigger).length === maxComments) break;
  }
  return { findingId: null, lines: null, comments: choose(found, maxComments, trigger) };
}

async function readConversationTrigger(
  { number, target }: CommentPlace,
  { read, conversation, name }: ReadDiscussionDeps,
): Promise<Trigger | null> {
  const repository = await name();
  if (target.kind !== "pull-request") {
    const id = target.id;
    const parameters = { ...repository, comment_id: id };
    const found = await unlessGone(async () =>
      conversation.call("read", async (client) =>
        client.request("GET /repos/{owner}/{repo}/issues/comments/{comment_id}", parameters),
      ),
    );
    return found === null ? null : { id, writtenAt: Date.parse(found.data.created_at) };
  }
  const { reviewId } = target;
  // Jobs from before reviews had an id here get all comments.
  if (reviewId === undefined) return { id: null, writtenAt: Infinity };
  const review = await unlessGone(async () =>
    read.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/reviews/{review_id}", {
      ...repository,
      pull_number: number,
      review_id: reviewId,
    }),
  );
  const submittedAt = review?.data.submitted_at;
  return { id: null, writtenAt: submittedAt === undefined ? Infinity : Date.parse(submittedAt) };
}

async function* conversationPages(
  number: number,
  { conversation, name, own }: ReadDiscussionDeps,
): AsyncGenerator<readonly Written[]> {
  const repository = await name();
  const account = await own();
  const page = async (index: number) =>
    conversation.call("read", async (client) =>
      client.request("GET /repos/{owner}/{repo}/issues/{issue_number}/comments", {
        ...repository,
        issue_number: number,
        per_page: PAGE_SIZE,
        page: index,
      }),
    );
  for await (const comments of pagesFromNewest(page, MAX_PAGES)) {
    yield comments.map((comment) => ({
      id: Number(comment.id),
      author: personOf(comment.user),
      isOwn: isOwnComment(comment, account),
      body: comment.body ?? "",
      createdAt: Date.parse(comment.created_at),
      updatedAt: Date.parse(comment.updated_at),
      isHidden: comment.minimized != null,
    }));
  }
}

async function readLineThread(
  { number, target, threadRoot }: CommentPlace,
  maxComments: number,
  deps: ReadDiscussionDeps,
): Promise<Discussion | null> {
  const triggering = await readLineComment(target.id, deps);
  if (triggering === null) return null;
  const rootId = threadRoot ?? target.id;
  const root = rootId === target.id ? triggering : await readLineComment(rootId, deps);
  const { repositoryRef, markers } = deps;
  const findingId =
    root?.comment.isOwn === true
      ? (markers.readFinding({ ...repositoryRef, number }, root.comment.body)?.findingId ?? null)
      : null;
  const trigger: Trigger = { id: target.id, writtenAt: triggering.comment.createdAt };
  const found: Written[] = [];
  for await (const page of lineCommentPages(number, deps)) {
    found.push(...page.filter(({ threadId }) => threadId === rootId).map(({ comment }) => comment));
    const oldest = page.at(-1)?.comment.id ?? 0;
    if (oldest <= rootId || choose(found, maxComments, trigger).length === maxComments) break;
  }
  return {
    findingId,
    // Every comment of a thread has the place of the thread, also if the first one was deleted.
    lines: (root ?? triggering).lines,
    comments: choose(found, maxComments, trigger),
  };
}

type LineComment = {
  readonly comment: Written;
  /** The first comment of its thread. */
  readonly threadId: number;
  readonly lines: NonNullable<Discussion["lines"]>;
};

async function readLineComment(
  id: number,
  { read, name, own }: ReadDiscussionDeps,
): Promise<LineComment | null> {
  const parameters = { ...(await name()), comment_id: id };
  const found = await unlessGone(async () =>
    read.request("GET /repos/{owner}/{repo}/pulls/comments/{comment_id}", parameters),
  );
  return found === null ? null : toLineComment(found.data, await own());
}

/** Newest first. */
async function* lineCommentPages(
  number: number,
  { read, name, own }: ReadDiscussionDeps,
): AsyncGenerator<readonly LineComment[]> {
  const repository = await name();
  const account = await own();
  for (let page = 1; page <= MAX_PAGES; page += 1) {
    const { data } = await read.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", {
      ...repository,
      pull_number: number,
      sort: "created",
      direction: "desc",
      per_page: PAGE_SIZE,
      page,
    });
    yield data.map((comment) => toLineComment(comment, account));
    if (data.length < PAGE_SIZE) return;
  }
}

type ApiLineComment = {
  readonly id: number | bigint;
  readonly in_reply_to_id?: number;
  readonly user: { readonly login: string; readonly type: string } | null;
  readonly body: string;
  readonly created_at: string;
  readonly updated_at: string;
  readonly path: string;
  readonly side?: "LEFT" | "RIGHT";
  readonly line?: number | null;
  readonly start_line?: number | null;
  readonly diff_hunk: string;
};

function toLineComment(comment: ApiLineComment, own: OwnAccount): LineComment {
  const id = Number(comment.id);
  const { line = null, start_line: startLine } = comment;
  return {
    comment: {
      id,
      author: personOf(comment.user),
      isOwn: isOwnText(comment, own),
      body: comment.body,
      createdAt: Date.parse(comment.created_at),
      updatedAt: Date.parse(comment.updated_at),
      // GitHub's REST API doesn't say it about comments on lines.
      isHidden: false,
    },
    threadId: comment.in_reply_to_id ?? id,
    lines: {
      path: comment.path,
      side: comment.side === "LEFT" ? "old" : "new",
      startLine: startLine ?? line,
      endLine: line,
      hunk: comment.diff_hunk,
    },
  };
}
