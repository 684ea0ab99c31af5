/** Threads on lines of a pull request: a comment with its replies, and where its line is now. */
import { diffOf, lineAfter, placeInDiff } from "./diff.ts";
import { gitText } from "./git.ts";
import { baseOf } from "./present/pull-request.ts";
import type { PullRequest, ReviewComment, World } from "./world.ts";

export type Thread = {
  readonly id: string;
  /** Of the comment that started it, which may have been deleted. */
  readonly rootId: number;
  /** Oldest first. */
  readonly comments: readonly [first: ReviewComment, ...others: ReviewComment[]];
};

/** The id of the comment that started the thread. */
export function rootIdOf({ id, replyTo }: ReviewComment): number {
  return replyTo ?? id;
}

function threadAt(world: World, rootId: number): Thread | null {
  const [first, ...others] = world.reviewComments.filter((each) => rootIdOf(each) === rootId);
  return first === undefined ? null : { id: `PRRT_${rootId}`, rootId, comments: [first, ...others] };
}

/** Null if all its comments were deleted. */
export function threadOf(world: World, comment: ReviewComment): Thread | null {
  return threadAt(world, rootIdOf(comment));
}

export function threadsOf(world: World, pullRequest: PullRequest): readonly Thread[] {
  const comments = world.reviewComments.filter((each) => each.pullRequest === pullRequest);
  return [...new Set(comments.map(rootIdOf))].flatMap((rootId) => threadAt(world, rootId) ?? []);
}

export type CurrentPlace = {
  readonly line: number;
  readonly startLine: number | null;
  /** As in the diff. */
  readonly position: number;
};

/**
 * Where the commented line is at the current head. Null if the comment is outdated: the line was changed or removed, or it is no longer
 * in the pull request's diff.
 */
export async function currentPlace(comment: ReviewComment): Promise<CurrentPlace | null> {
  const { pullRequest, path, side, review, line, startLine } = comment;
  const { repository, head } = pullRequest;
  const { directory } = repository;
  const base = await baseOf(pullRequest);
  const file = (await diffOf(directory, base, head)).find((each) => each.path === path);
  if (file === undefined) return null;
  const mergeBase = (commit: string): Promise<string> => gitText(directory, "merge-base", base, commit);
  const moved =
    side === "RIGHT"
      ? { from: review.commit, to: head, path }
      : {
          from: await mergeBase(review.commit),
          to: await mergeBase(head),
          path: file.previousPath ?? path,
        };
  const lineNow = await lineAfter(directory, moved, line).catch((error: unknown) => {
    // Nothing refers to the commit any more, and git has removed it.
    if (/bad object/.test(String(error))) return null;
    throw error;
  });
  const place = lineNow === null ? null : placeInDiff(file, side, lineNow);
  const shown = place?.hunk.lines[place.index];
  if (lineNow === null || shown === undefined) return null;
  return {
    line: lineNow,
    startLine: startLine === null ? null : await lineAfter(directory, moved, startLine),
    position: shown.position,
  };
}
