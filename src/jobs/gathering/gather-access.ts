/** Looks up who may write to a repository. Each job queries the host once per person, and only when the answer matters. */
import type { People, Person, PullRequest } from "../../forge/forge.ts";
import { parseIntent, type TagTrust } from "../../review/analysis/intent.ts";
import type { Change } from "../../review/change/change.ts";
import type { Degradations } from "./optional.ts";

/** True when the person may push to the repository. If the lookup fails, it is false and the review lists a degradation. */
export type WriteAccess = (person: Person) => Promise<boolean>;

export function createWriteAccess(
  { isFork }: Pick<PullRequest, "isFork">,
  people: People,
  degradations: Pick<Degradations, "optional">,
): WriteAccess {
  const known = new Map<string, Promise<boolean>>();
  const lookUp = async ({ login, isBot }: Person): Promise<boolean> => {
    // GitHub doesn't list bots as collaborators. A bot whose branch is in the repository itself can push there.
    if (isBot) return !isFork;
    return (await degradations.optional("write access", () => people.hasWriteAccess(login))) ?? false;
  };
  return (person) => {
    const answer = known.get(person.login) ?? lookUp(person);
    known.set(person.login, answer);
    return answer;
  };
}

/**
 * Decides which tags may reduce the review: only those of an author with write access. Others can push to a fork, so
 * commit subjects from a fork aren't trusted. Kodiai's own pull requests may contain such commits, and a model wrote their title.
 */
export async function gatherTagTrust(
  { author, isFork, isOwn }: Pick<PullRequest, "author" | "isFork" | "isOwn">,
  change: Change,
  hasWriteAccess: WriteAccess,
): Promise<TagTrust> {
  const { ignoredTags } = parseIntent(change, { tags: "none", noReview: "none" });
  if (ignoredTags.length === 0 || isOwn === true || !(await hasWriteAccess(author))) return "none";
  return isFork ? "title" : "all";
}
