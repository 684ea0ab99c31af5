/** Threads on lines of a pull request: a comment with its replies, and where its line is now. */
import { diffOf, lineAfter, placeInDiff } from "./diff.ts";
import { gitText } from "./git.ts";
import { baseOf } from "./present/pull-request.ts";
import type { PullRequest, ReviewComment, World } from "./world.ts";

export type Thread = {
  readonly id: string;
  /** Oldest first. */
  readonly comments: readonly [root: ReviewComment, ...replies: ReviewComment[]];
};

export function threadOf(world: World, { id, replyTo }: ReviewComment): Thread | null {
  const root = world.reviewComments.find((each) => each.id === (replyTo ?? id));
  if (root === undefined) return null;
  const replies = world.reviewComments.filter((each) => each.replyTo === root.id);
  return { id: `PRRT_${root.id}`, comments: [root, ...replies] };
}

export function threadsOf(world: World, pullRequest: PullRequest): readonly Thread[] {
  return world.reviewComments
    .filter((each) => each.pullRequest === pullRequest && each.replyTo === null)
    .flatMap((root) => threadOf(world, root) ?? []);
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
