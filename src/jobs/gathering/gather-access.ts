/** Finds out who may write to a repository. The host is asked once per job and person, and only when somebody needs to know. */
import type { ForgeSession, Person, PullRequest } from "../../forge/forge.ts";
import { parseIntent, type TagTrust } from "../../review/analysis/intent.ts";
import type { Change } from "../../review/change/change.ts";
import type { Degradations } from "./optional.ts";

/** True when the person may push to the repository. When the host can't say, the answer is no, and the review shows it. */
export type WriteAccess = (person: Person) => Promise<boolean>;

export function createWriteAccess(
  { isFork }: Pick<PullRequest, "isFork">,
  session: Pick<ForgeSession, "hasWriteAccess">,
  degradations: Degradations,
): WriteAccess {
  const known = new Map<string, Promise<boolean>>();
  const ask = async ({ login, isBot }: Person): Promise<boolean> => {
    // The host lists no bots as collaborators. One whose branch is in the repository itself can push there.
    if (isBot) return !isFork;
    return (await degradations.optional("write access", () => session.hasWriteAccess(login))) ?? false;
  };
  return (person) => {
    const answer = known.get(person.login) ?? ask(person);
    known.set(person.login, answer);
    return answer;
  };
}

/**
 * Whose tags may make the review say less: those of an author with write access. On a fork other people may push, so its
 * commit subjects don't speak for the author.
 */
export async function gatherTagTrust(
  { author, isFork }: Pick<PullRequest, "author" | "isFork">,
  change: Change,
  hasWriteAccess: WriteAccess,
): Promise<TagTrust> {
  const { ignoredTags } = parseIntent(change, { tags: "none", noReview: "none" });
  if (ignoredTags.length === 0 || !(await hasWriteAccess(author))) return "none";
  return isFork ? "title" : "all";
}
