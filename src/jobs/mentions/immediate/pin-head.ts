/**
 * Finds out whether the head of a pull request is the one that a person saw when they wrote a comment. The author of the pull request may
 * push after a comment, and an edit on top of commits that no one has looked at would carry them into this repository.
 *
 * Only the host's times count, which have whole seconds: commits are dated by their authors. A head is proven if events and reviews before
 * the comment report it as the last one. If they report none, it is proven as long as nothing happened to the pull request after the comment.
 */
import type { PullRequest } from "../../../forge/forge.ts";
import type { Sql } from "../../../store/database.ts";
import { readHeadsBefore, saveSeenHeads } from "../../../store/repositories/seen-heads.ts";

/** False also if there is no proof. The head is recorded, so that it is proven for the next comment. */
export async function wasHeadAt(
  { repositoryRef, number, head, updatedAt }: PullRequest,
  writtenAt: number,
  sql: Sql,
): Promise<boolean> {
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const before = await readHeadsBefore(key, writtenAt, sql);
  await saveSeenHeads([{ ...key, head, seenAt: updatedAt }], sql);
  return before.length === 0 ? updatedAt <= writtenAt : before.every((each) => each === head);
}
