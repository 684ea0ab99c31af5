/** Reads merged pull requests and the comments on their lines without the app: with a user's token, or anonymously. Never writes. */
import { KodiaiError } from "../../base/errors.ts";
import { untilAborted } from "../../base/until-aborted.ts";
import type { MergedPullRequest, ReviewHistory, ThreadOpening } from "../review-history.ts";
import type { GithubClient } from "./github-client.ts";
import { createReaderClient, type GithubReaderOptions } from "./github-reader.ts";
import { hasMarker } from "./markers.ts";
import { personOf } from "./parse-event.ts";
import { PAGE_SIZE } from "./repository-calls.ts";

/** 3,000 pull requests that were closed or commented in the wanted time. */
const MAX_PAGES = 30;

type RepositoryOfReviews = { readonly owner: string; readonly name: string };

export function createGithubReviewHistory(
  { owner, name }: RepositoryOfReviews,
  { signal, ...options }: GithubReaderOptions & { readonly signal: AbortSignal },
): ReviewHistory {
  const client = createReaderClient(options);
  const repository = { owner, repo: name };
  const read = async <Value>(value: Promise<Value>): Promise<Value> => {
    try {
      return await untilAborted(value, signal);
    } catch (error) {
      throw error instanceof KodiaiError ? forUser(error, options.token !== null) : error;
    }
  };
  return {
    async listMerged({ sinceMs, max }) {
      const { merged, isWhole } = await read(listMergedSince(sinceMs, { client, repository }));
      return {
        pullRequests: merged.slice(0, max).map(({ pullRequest }) => pullRequest),
        leftOut: Math.max(0, merged.length - max),
        isWhole,
      };
    },
    async listOpenings(number, max) {
      const { data, headers } = await read(
        client.request("GET /repos/{owner}/{repo}/pulls/{pull_number}/comments", {
          ...repository,
          pull_number: number,
          per_page: PAGE_SIZE,
        }),
      );
      const openings = data.filter((comment) => comment.in_reply_to_id === undefined).map(toOpening);
      const hasMore = openings.length > max || /rel="next"/.test(headers.link ?? "");
      return { openings: openings.slice(0, max), hasMore };
    },
  } satisfies ReviewHistory;
}

type Reading = {
  readonly client: GithubClient;
  readonly repository: { readonly owner: string; readonly repo: string };
};

/** The last merged one first. GitHub can't sort by that, but a pull request changes when it's merged. */
async function listMergedSince(sinceMs: number, { client, repository }: Reading) {
  const pages = client.paginate.iterator("GET /repos/{owner}/{repo}/pulls", {
    ...repository,
    state: "closed",
    sort: "updated",
    direction: "desc",
    per_page: PAGE_SIZE,
  });
  // One that changes in the meantime may be on two pages.
  const found = new Map<number, { readonly mergedAtMs: number; readonly pullRequest: MergedPullRequest }>();
  let isWhole = true;
  let pageCount = 0;
  for await (const { data } of pages) {
    for (const each of data) {
      const mergedAtMs = Date.parse(each.merged_at ?? "");
      if (!(mergedAtMs >= sinceMs)) continue;
      const { number, title, body, user, head, base, merge_commit_sha: mergeCommit } = each;
      const pullRequest = {
        number,
        title,
        body: body ?? "",
        author: personOf(user),
        head: head.sha,
        base: base.sha,
        mergeCommit,
      };
      found.set(number, { mergedAtMs, pullRequest });
    }
    if (data.some((each) => Date.parse(each.updated_at) < sinceMs)) break;
    pageCount += 1;
    isWhole = pageCount < MAX_PAGES;
    if (!isWhole) break;
  }
  const merged = [...found.values()].toSorted(
    (a, b) => b.mergedAtMs - a.mergedAtMs || b.pullRequest.number - a.pullRequest.number,
  );
  return { merged, isWhole };
}

/** The part of a comment that is read. A comment on a whole file has no lines. */
type GivenComment = {
  readonly id: number | bigint;
  readonly user: Parameters<typeof personOf>[0];
  readonly body: string;
  readonly original_commit_id: string;
  readonly path: string;
  readonly side?: string;
  readonly start_side?: string | null;
  readonly original_line?: number | null;
  readonly original_start_line?: number | null;
};

function toOpening(comment: GivenComment): ThreadOpening {
  const { original_line: last, original_start_line: start, start_side: startSide } = comment;
  const isNew = comment.side === "RIGHT" && typeof last === "number";
  // A range may begin at removed lines.
  const first = typeof start === "number" && startSide !== "LEFT" ? start : last;
  return {
    id: String(comment.id),
    author: personOf(comment.user),
    isOwn: hasMarker(comment.body),
    body: comment.body,
    commit: comment.original_commit_id,
    path: comment.path,
    lines: isNew ? [first ?? last, last] : null,
  };
}

/** A command ends: nothing is retried later, and no app needs a permission. */
function forUser(error: KodiaiError, hasToken: boolean): KodiaiError {
  const { code, message, retryable, retryAtMs } = error;
  const later = retryAtMs === null ? "later" : `after ${new Date(retryAtMs).toISOString()}`;
  const hint =
    code === "rate-limited"
      ? `Run the command again ${later}.${hasToken ? "" : " Set GITHUB_TOKEN: without it, GitHub allows 60 requests an hour."}`
      : code === "network"
        ? "Check that this machine can reach GitHub, and GITHUB_API_URL and NODE_EXTRA_CA_CERTS if you set them. Then run the command again."
        : "Check the name of the repository. For a private one, set GITHUB_TOKEN to a token that can read its pull requests.";
  return new KodiaiError(code, message, { hint, retryable, ...(retryAtMs === null ? {} : { retryAtMs }) });
}
