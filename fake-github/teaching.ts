/** People teach the app: they react to comments, and commit suggestions. */
import { runGit } from "./git.ts";
import { push } from "./people.ts";
import { subjectOf } from "./present/reactions.ts";
import { currentPlace } from "./threads.ts";
import { type IssueComment, type ReviewComment, userOf, type World } from "./world.ts";

export type GivenReaction = {
  readonly by: string;
  /** As in REST: "+1", "-1", "heart". */
  readonly content: string;
};

/** A person has at most one reaction of a kind on a comment. */
export function react(world: World, comment: IssueComment | ReviewComment, given: GivenReaction): void {
  if (indexOfReaction(world, comment, given) !== -1) return;
  const { content } = given;
  const user = userOf(world, given.by);
  const subject = subjectOf(comment);
  world.reactions.push({ id: world.nextId(), subject, user, content, createdAtMs: world.clock.now() });
}

export function takeBackReaction(
  world: World,
  comment: IssueComment | ReviewComment,
  given: GivenReaction,
): void {
  const index = indexOfReaction(world, comment, given);
  if (index === -1) throw new Error(`${given.by} didn't react with ${given.content}`);
  world.reactions.splice(index, 1);
}

function indexOfReaction(
  world: World,
  comment: IssueComment | ReviewComment,
  { by, content }: GivenReaction,
): number {
  const user = userOf(world, by);
  const subject = subjectOf(comment);
  return world.reactions.findIndex(
    (each) => each.subject === subject && each.user === user && each.content === content,
  );
}

const SUGGESTION = /^(`{3,})suggestion[^\n]*\n([\s\S]*?)^\1/m;

/**
 * Commits the suggestion in a comment to the head branch, as the button "Commit suggestion" does: the person is the author, and the
 * account that suggested it the co-author. Returns the new head.
 */
export async function commitSuggestion(world: World, comment: ReviewComment, by: string): Promise<string> {
  const [, , suggested] = SUGGESTION.exec(comment.body) ?? [];
  if (suggested === undefined) throw new Error("the comment has no suggestion");
  const place = await currentPlace(comment);
  if (place === null || comment.side === "LEFT")
    throw new Error("a suggestion can't be committed to lines that have changed");
  const { pullRequest, path, author } = comment;
  const old = await runGit(pullRequest.repository.directory, ["show", `${pullRequest.head}:${path}`]);
  const lines = old.toString().split("\n");
  const first = (place.startLine ?? place.line) - 1;
  lines.splice(first, place.line - first, ...suggested.split("\n").slice(0, -1));
  const coauthor = `${author.login} <${author.id}+${author.login}@users.noreply.github.com>`;
  return push(world, pullRequest, {
    files: { [path]: lines.join("\n") },
    message: `Update ${path}\n\nCo-authored-by: ${coauthor}`,
    author: by,
  });
}
