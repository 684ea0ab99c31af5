/** Reads the app's threads on lines of a pull request, which only GraphQL has. */
import type { Person, RepositoryRef, ReviewThread, ThreadReaction, ThreadReply } from "../forge.ts";
import type { GithubClient } from "./github-client.ts";
import type { Markers } from "./markers.ts";
import { isBotLogin, isOwnText, type OwnAccount, plainLogin } from "./own-account.ts";
import type { RepositoryName } from "./session-tokens.ts";
import { wholeCharacters } from "./text-limits.ts";

export type ReadThreadsDeps = {
  readonly read: GithubClient;
  readonly name: () => Promise<RepositoryName>;
  readonly repositoryRef: RepositoryRef;
  readonly markers: Markers;
  readonly own: () => Promise<OwnAccount>;
};

/** Far more than people read. Each page is a request. */
const MAX_THREADS = 1_000;

/**
 * Half of GitHub's limit. A page then has at most 3,600 nodes, of the 500,000 that GitHub allows for a query, and costs 2 of at least
 * 5,000 points an hour. Its texts are the reason: each comment may have 65,536 characters.
 */
const THREADS_PER_PAGE = 50;

/** Comments of a thread that are read, the newest ones. */
const MAX_COMMENTS = 20;

/** More people than this don't react to one comment. The newest ones count. */
const MAX_REACTIONS = 50;

/** The first sentences of a reply say whether a finding is right. GitHub allows 65,536 characters. */
const MAX_REPLY_CHARACTERS = 2_000;

const THREADS = `
query ($owner: String!, $repo: String!, $number: Int!, $size: Int!, $after: String) {
  repository(owner: $owner, name: $repo) {
    pullRequest(number: $number) {
      reviewThreads(first: $size, after: $after) {
        pageInfo { hasNextPage endCursor }
        nodes {
          id
          isResolved
          isOutdated
          resolvedBy { login }
          opening: comments(first: 1) {
            nodes {
              body
              url
              state
              author { __typename login }
              reactions(last: ${MAX_REACTIONS}) { nodes { content createdAt user { login } } }
            }
          }
          latest: comments(last: ${MAX_COMMENTS}) {
            nodes { body url createdAt isMinimized author { __typename login } }
          }
        }
      }
    }
  }
}`;

/** Null for a deleted account. */
type Author = { readonly __typename: string; readonly login: string } | null;

type OpeningComment = {
  readonly body: string;
  readonly url: string;
  readonly state: "PENDING" | "SUBMITTED";
  readonly author: Author;
  readonly reactions: Listed<GivenReaction>;
};

type GivenReaction = {
  readonly content: string;
  readonly createdAt: string;
  /** Null for an app, because the schema only allows people here, and for a deleted account. */
  readonly user: { readonly login: string } | null;
};

type LatestComment = {
  readonly body: string;
  readonly url: string;
  readonly createdAt: string;
  /** Hidden by a maintainer, for example as spam. */
  readonly isMinimized: boolean;
  readonly author: Author;
};

type Listed<Node> = { readonly nodes: readonly Node[] };

type Thread = Pick<ReviewThread, "id" | "isResolved" | "isOutdated"> & {
  readonly resolvedBy: { readonly login: string } | null;
  readonly opening: Listed<OpeningComment>;
  readonly latest: Listed<LatestComment>;
};

type ThreadsAnswer = {
  readonly repository: {
    readonly pullRequest: {
      readonly reviewThreads: Listed<Thread> & {
        readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
      };
    };
  };
};

/** Returns the threads whose first comment the app published with a valid marker, oldest first. */
export async function readThreads(number: number, deps: ReadThreadsDeps): Promise<readonly ReviewThread[]> {
  const repository = await deps.name();
  const account = await deps.own();
  const found: ReviewThread[] = [];
  let after: string | null = null;
  let listed = 0;
  do {
    const answer: ThreadsAnswer = await deps.read.graphql(THREADS, {
      ...repository,
      number,
      size: THREADS_PER_PAGE,
      after,
      request: { graphql: "query" },
    });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    // Page by page, so that the texts of a page can be freed before the next one arrives.
    found.push(...nodes.flatMap((thread) => toOwnThread(thread, { ...deps, number, account }) ?? []));
    listed += nodes.length;
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && listed < MAX_THREADS);
  return found;
}

type OwnThreadDeps = Pick<ReadThreadsDeps, "markers" | "repositoryRef"> & {
  readonly number: number;
  readonly account: OwnAccount;
};

function toOwnThread(
  thread: Thread,
  { markers, repositoryRef, number, account }: OwnThreadDeps,
): ReviewThread | null {
  const [opening] = thread.opening.nodes;
  const latest = thread.latest.nodes.at(-1);
  // A pending review that is left from a crash is about to be submitted or deleted.
  if (opening === undefined || opening.state === "PENDING" || !isOwn(opening, account)) return null;
  const finding = markers.readFinding({ ...repositoryRef, number }, opening.body);
  if (finding === null) return null;
  const { id, isResolved, isOutdated, resolvedBy } = thread;
  return {
    id,
    ...finding,
    url: opening.url,
    root: rootOf(opening.url),
    isResolved,
    resolvedBy:
      resolvedBy === null || plainLogin(resolvedBy.login) === plainLogin(account.login)
        ? null
        : toPerson(resolvedBy.login),
    isOutdated,
    hasReply: latest !== undefined && !isOwn(latest, account),
    reactions: opening.reactions.nodes.flatMap((given) => toReaction(given) ?? []),
    replies: thread.latest.nodes.flatMap((comment) => toReply(comment, account) ?? []),
  };
}

/** GraphQL has no other number of a comment that can hold GitHub's newer ids. */
function rootOf(url: string): number | null {
  const [, id] = /#discussion_r(\d{1,15})$/.exec(url) ?? [];
  return id === undefined ? null : Number(id);
}

const THUMBS: ReadonlyMap<string, ThreadReaction["content"]> = new Map([
  ["THUMBS_UP", "+1"],
  ["THUMBS_DOWN", "-1"],
]);

function toReaction({ content, createdAt, user }: GivenReaction): ThreadReaction | null {
  const thumb = THUMBS.get(content);
  if (thumb === undefined || user === null) return null;
  return { person: toPerson(user.login), content: thumb, at: Date.parse(createdAt) };
}

function toReply(comment: LatestComment, account: OwnAccount): ThreadReply | null {
  const { body, url, createdAt, isMinimized, author } = comment;
  if (author === null || isMinimized || isOwn(comment, account)) return null;
  return {
    author: toPerson(restLogin(author)),
    body: firstCharacters(body),
    url,
    at: Date.parse(createdAt),
  };
}

/** A copy: a part of a string keeps the whole string in memory. */
function firstCharacters(body: string): string {
  if (body.length <= MAX_REPLY_CHARACTERS) return body;
  return Buffer.from(wholeCharacters(body, MAX_REPLY_CHARACTERS), "utf16le").toString("utf16le");
}

function isOwn(
  { author, body }: { readonly author: Author; readonly body: string },
  own: OwnAccount,
): boolean {
  const user = author === null ? null : { login: restLogin(author), type: author.__typename };
  return isOwnText({ user, body }, own);
}

function restLogin({ __typename: type, login }: NonNullable<Author>): string {
  return type === "Bot" ? `${plainLogin(login)}[bot]` : login;
}

function toPerson(login: string): Person {
  return { login, isBot: isBotLogin(login) };
}
