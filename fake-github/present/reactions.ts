/** Reactions as GitHub's API shows them, and the names of what they are given to. */
import { isoTime } from "../clock.ts";
import type { JsonObject } from "../json.ts";
import type { Issue, IssueComment, Reaction, ReviewComment, World } from "../world.ts";
import { presentUser } from "./user.ts";

const ROLLUP_NAMES = ["+1", "-1", "laugh", "confused", "heart", "hooray", "eyes", "rocket"] as const;

export function reviewCommentSubject(id: number): string {
  return `review-comment ${id}`;
}

export function issueCommentSubject(id: number): string {
  return `issue-comment ${id}`;
}

/** Also of a pull request. */
export function issueSubject(id: number): string {
  return `issue ${id}`;
}

export function subjectOf(given: IssueComment | ReviewComment | Issue): string {
  if ("number" in given) return issueSubject(given.id);
  return "path" in given ? reviewCommentSubject(given.id) : issueCommentSubject(given.id);
}

export function presentRollup(world: World, subject: string, url: string): JsonObject {
  const given = world.reactions.filter((each) => each.subject === subject);
  const counts = ROLLUP_NAMES.map((name) => [name, given.filter((each) => each.content === name).length]);
  return { url, total_count: given.length, ...Object.fromEntries(counts) };
}

export function presentReaction(world: World, reaction: Reaction): JsonObject {
  return {
    id: reaction.id,
    node_id: `REA_${reaction.id}`,
    user: presentUser(world, reaction.user),
    content: reaction.content,
    created_at: isoTime(reaction.createdAtMs),
  };
}
