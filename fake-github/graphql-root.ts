/** The fields of GitHub's GraphQL schema that the fake serves: the caller, review threads, and resolving them. */
import type { Identity } from "./authentication.ts";
import { isoTime } from "./clock.ts";
import { type Call, recordWrite, viewerOf, visibleTo } from "./call.ts";
import type { JsonObject } from "./json.ts";
import { reaches } from "./permissions.ts";
import { reviewCommentHtmlUrl } from "./present/conversation.ts";
import { reviewCommentSubject } from "./present/reactions.ts";
import { currentPlace, type Thread, threadsOf } from "./threads.ts";
import {
  findPullRequest,
  findRenamed,
  findRepository,
  type Level,
  type PullRequest,
  type Reaction,
  type Repository,
  type ReviewComment,
  type User,
} from "./world.ts";

type GraphqlCall = Pick<Call, "identity" | "world" | "lagMs">;

type GraphqlRefusal = Error & { readonly type: string };

function refuse(type: string, message: string): GraphqlRefusal {
  return Object.assign(new Error(message), { type });
}

export function isGraphqlRefusal(error: unknown): error is GraphqlRefusal {
  return error instanceof Error && "type" in error;
}

function requireLevel(identity: Identity, needs: Readonly<Record<string, Level>>): void {
  if (identity.kind !== "installation") return;
  const { permissions } = identity.token;
  const isGranted = Object.entries(needs).every(
    ([name, level]) => permissions[name] === "write" || permissions[name] === level,
  );
  if (!isGranted) throw refuse("FORBIDDEN", "Resource not accessible by integration");
}

type PageArgs = {
  readonly first?: number | null;
  readonly last?: number | null;
  readonly after?: string | null;
  readonly before?: string | null;
};

const MAX_PAGE_SIZE = 100;

/** A page of a list, with GitHub's rules: exactly one of `first` and `last`, at most 100. */
function connectionOf<Item>(items: readonly Item[], args: PageArgs, present: (item: Item) => unknown) {
  const size = args.first ?? args.last ?? null;
  if (size === null)
    throw refuse("MISSING_PAGINATION_BOUNDARIES", "You must provide a `first` or `last` value.");
  if (size < 1 || size > MAX_PAGE_SIZE)
    throw refuse("EXCESSIVE_PAGINATION", `Requesting ${size} records exceeds the limit of 100 records.`);
  const cursorOf = (index: number): string => Buffer.from(`cursor:v2:${index}`).toString("base64");
  const indexOf = (cursor: string): number =>
    Number(
      Buffer.from(cursor, "base64")
        .toString()
        .replace(/^cursor:v2:/, ""),
    );
  const from = typeof args.after === "string" ? indexOf(args.after) + 1 : 0;
  const to = typeof args.before === "string" ? indexOf(args.before) : items.length;
  const start = typeof args.first === "number" ? from : Math.max(from, to - size);
  const end = typeof args.first === "number" ? Math.min(to, from + size) : to;
  const page = items.slice(start, end);
  return {
    nodes: page.map(present),
    totalCount: items.length,
    pageInfo: {
      hasNextPage: end < items.length,
      hasPreviousPage: start > 0,
      startCursor: page.length === 0 ? null : cursorOf(start),
      endCursor: page.length === 0 ? null : cursorOf(end - 1),
    },
  };
}

/** Unlike in REST, the login of a bot has no suffix. */
function presentActor({ login, type }: User): JsonObject {
  return { __typename: type, login: login.replace(/\[bot\]$/, "") };
}

/** `databaseId` is left out, because it can't represent GitHub's newer ids. */
function presentComment(call: GraphqlCall, comment: ReviewComment): JsonObject {
  return {
    id: `PRRC_${comment.id}`,
    fullDatabaseId: String(comment.id),
    body: comment.body,
    state: comment.review.state === "PENDING" ? "PENDING" : "SUBMITTED",
    url: reviewCommentHtmlUrl(call.world, comment),
    author: presentActor(comment.author),
    viewerDidAuthor: comment.author === viewerOf(call),
    createdAt: isoTime(comment.createdAtMs),
    isMinimized: call.world.minimizedComments.has(comment.id),
    reactions(args: ReactionArgs) {
      const subject = reviewCommentSubject(comment.id);
      const given = call.world.reactions.filter((each) => each.subject === subject).map(presentReaction);
      const wanted = given.filter(({ content }) => content === (args.content ?? content));
      return connectionOf(wanted, args, (each) => each);
    },
  };
}

type ReactionArgs = PageArgs & { readonly content?: string | null };

/** REST's names of reactions in GraphQL. The others are the same, in capitals. */
const REACTION_NAMES: Readonly<Record<string, string>> = { "+1": "THUMBS_UP", "-1": "THUMBS_DOWN" };

function presentReaction({ id, content, user, createdAtMs }: Reaction): JsonObject {
  return {
    id: `REA_${id}`,
    content: REACTION_NAMES[content] ?? content.toUpperCase(),
    createdAt: isoTime(createdAtMs),
    // The schema only allows people here.
    user: user.type === "User" ? presentActor(user) : null,
  };
}

function presentThread(call: GraphqlCall, { id, rootId, comments }: Thread): JsonObject {
  const [root] = comments;
  const resolvedBy = call.world.resolvedThreads.get(rootId);
  return {
    id,
    isResolved: resolvedBy !== undefined,
    // The schema only allows people here.
    resolvedBy: resolvedBy?.type === "User" ? presentActor(resolvedBy) : null,
    isOutdated: async () => (await currentPlace(root)) === null,
    path: root.path,
    line: async () => (await currentPlace(root))?.line ?? null,
    originalLine: root.line,
    diffSide: root.side,
    comments: (args: PageArgs) => connectionOf(comments, args, (each) => presentComment(call, each)),
  };
}

function presentPullRequest(call: GraphqlCall, pullRequest: PullRequest): JsonObject {
  const isVisible = ({ comments: [root] }: Thread): boolean =>
    (root.review.state !== "PENDING" || root.author === viewerOf(call)) && visibleTo(call, [root]).length > 0;
  return {
    number: pullRequest.number,
    reviewThreads(args: PageArgs) {
      requireLevel(call.identity, { pull_requests: "read" });
      const threads = threadsOf(call.world, pullRequest).filter(isVisible);
      return connectionOf(threads, args, (each) => presentThread(call, each));
    },
  };
}

function findReachable(
  { world, identity }: GraphqlCall,
  { owner, name, followRenames }: { owner: string; name: string; followRenames: boolean },
): Repository {
  const found =
    findRepository(world, owner, name) ?? (followRenames ? findRenamed(world, owner, name) : null);
  if (found === null || !reaches(identity, found))
    throw refuse("NOT_FOUND", `Could not resolve to a Repository with the name '${owner}/${name}'.`);
  return found;
}

/**
 * GitHub requires write access to the contents of an app that resolves threads, although it writes none: an app with
 * write access to pull requests alone gets FORBIDDEN.
 */
const RESOLVING: Readonly<Record<string, Level>> = { contents: "write", pull_requests: "write" };

type ThreadInput = { readonly input: { readonly threadId: string; readonly clientMutationId?: string } };

/** Resolving a resolved thread again changes nothing. */
function changeThread(call: GraphqlCall, { input }: ThreadInput, isResolved: boolean): JsonObject {
  const { world, identity } = call;
  const threads = world.pullRequests.flatMap((each) => threadsOf(world, each));
  const thread = threads.find(({ id }) => id === input.threadId);
  const pullRequest = thread?.comments[0].pullRequest;
  if (thread === undefined || pullRequest === undefined || !reaches(identity, pullRequest.repository))
    throw refuse("NOT_FOUND", `Could not resolve to a node with the global id of '${input.threadId}'.`);
  requireLevel(identity, RESOLVING);
  const { rootId } = thread;
  const viewer = viewerOf(call);
  if (isResolved && viewer !== null && !world.resolvedThreads.has(rootId))
    world.resolvedThreads.set(rootId, viewer);
  if (!isResolved) world.resolvedThreads.delete(rootId);
  const operation = `graphql/${isResolved ? "resolveReviewThread" : "unresolveReviewThread"}`;
  const change = { issue: pullRequest, isVisible: true, commit: null };
  recordWrite({ world, operation, repository: pullRequest.repository }, change);
  return { thread: presentThread(call, thread), clientMutationId: input.clientMutationId ?? null };
}

/** The root of one query or mutation. */
export function graphqlRoot(call: GraphqlCall): JsonObject {
  return {
    // Unlike other logins here, that of an app's token has its suffix. REST names none.
    viewer: { login: viewerOf(call)?.login },
    repository(args: { owner: string; name: string; followRenames: boolean }) {
      const repository = findReachable(call, args);
      return {
        pullRequest({ number }: { number: number }) {
          const found = findPullRequest(call.world, repository, number);
          if (found === null)
            throw refuse("NOT_FOUND", `Could not resolve to a PullRequest with the number of ${number}.`);
          return presentPullRequest(call, found);
        },
      };
    },
    resolveReviewThread: (args: ThreadInput) => changeThread(call, args, true),
    unresolveReviewThread: (args: ThreadInput) => changeThread(call, args, false),
  };
}
