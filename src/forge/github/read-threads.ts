/** Reads the app's threads on lines of a pull request, which only GraphQL has. */
import type { Person, RepositoryRef, ReviewThread } from "../forge.ts";
import type { GithubClient } from "./github-client.ts";
import type { Markers } from "./markers.ts";
import { PAGE_SIZE } from "./repository-calls.ts";
import type { RepositoryName } from "./session-tokens.ts";

export type ReadThreadsDeps = {
  readonly read: GithubClient;
  readonly name: () => Promise<RepositoryName>;
  readonly repositoryRef: RepositoryRef;
  readonly markers: Markers;
  /** The app's name, which its GitHub account is derived from. */
  readonly slug: () => Promise<string>;
};

/** Far more than people read. Each page is a request. */
const MAX_THREADS = 1_000;

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
          opening: comments(first: 1) { nodes { body url state author { __typename login } } }
          latest: comments(last: 1) { nodes { author { __typename login } } }
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
};

type Listed<Node> = { readonly nodes: readonly Node[] };

type Thread = Pick<ReviewThread, "id" | "isResolved" | "isOutdated"> & {
  readonly resolvedBy: { readonly login: string } | null;
  readonly opening: Listed<OpeningComment>;
  readonly latest: Listed<{ readonly author: Author }>;
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
  const threads = await listThreads(number, deps);
  const slug = await deps.slug();
  return threads.flatMap((thread) => toOwnThread(thread, { ...deps, number, slug }) ?? []);
}

async function listThreads(number: number, { read, name }: ReadThreadsDeps): Promise<readonly Thread[]> {
  const repository = await name();
  const threads: Thread[] = [];
  let after: string | null = null;
  do {
    const answer: ThreadsAnswer = await read.graphql(THREADS, {
      ...repository,
      number,
      size: PAGE_SIZE,
      after,
      request: { graphql: "query" },
    });
    const { nodes, pageInfo } = answer.repository.pullRequest.reviewThreads;
    threads.push(...nodes);
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after !== null && threads.length < MAX_THREADS);
  return threads;
}

type OwnThreadDeps = Pick<ReadThreadsDeps, "markers" | "repositoryRef"> & {
  readonly number: number;
  readonly slug: string;
};

function toOwnThread(
  thread: Thread,
  { markers, repositoryRef, number, slug }: OwnThreadDeps,
): ReviewThread | null {
  const [opening] = thread.opening.nodes;
  const [latest] = thread.latest.nodes;
  // A pending review that is left from a crash is about to be submitted or deleted.
  if (opening === undefined || opening.state === "PENDING" || !isApp(opening.author, slug)) return null;
  const findingId = markers.readFinding({ ...repositoryRef, number }, opening.body);
  if (findingId === null) return null;
  const { id, isResolved, isOutdated, resolvedBy } = thread;
  return {
    id,
    findingId,
    url: opening.url,
    isResolved,
    resolvedBy:
      resolvedBy === null || plainLogin(resolvedBy.login) === slug ? null : toPerson(resolvedBy.login),
    isOutdated,
    hasReply: latest !== undefined && !isApp(latest.author, slug),
  };
}

function isApp(author: Author, slug: string): boolean {
  return author?.__typename === "Bot" && plainLogin(author.login) === slug;
}

const BOT_SUFFIX = /\[bot\]$/;

/** GraphQL names a bot without the suffix that it has in REST. */
function plainLogin(login: string): string {
  return login.replace(BOT_SUFFIX, "");
}

function toPerson(login: string): Person {
  return { login, isBot: BOT_SUFFIX.test(login) };
}
