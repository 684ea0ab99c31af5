/** Reads the author's history in the repository. Results are cached for a day; failed lookups aren't. */
import type { People, RepositoryRef, PullRequest } from "../../forge/forge.ts";
import type { AuthorFacts } from "../../review/analysis/author-tier.ts";
import type { Database } from "../../store/database.ts";
import { readAuthor, rememberAuthor } from "../../store/repositories/authors.ts";
import type { Degradations } from "./optional.ts";

const KEEP_MS = 24 * 60 * 60 * 1_000;

/** With these associations, the number of merged pull requests doesn't matter, so the search is skipped. */
const SETTLED: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "FIRST_TIMER", "FIRST_TIME_CONTRIBUTOR"]);

export type AuthorDeps = {
  readonly database: Database;
  readonly now: () => number;
  readonly degradations: Pick<Degradations, "optional">;
};

export async function gatherAuthor(
  { repositoryRef, author, association }: PullRequest,
  people: People,
  deps: AuthorDeps,
): Promise<AuthorFacts> {
  if (author.isBot || SETTLED.has(association)) return { association, mergedPullRequests: null };
  return { association, mergedPullRequests: await gatherMerged(author.login, repositoryRef, people, deps) };
}

/** Counts a person's merged pull requests in this repository; null when the lookup fails. */
export async function gatherMerged(
  login: string,
  { repositoryId }: RepositoryRef,
  people: People,
  { database, now, degradations }: AuthorDeps,
): Promise<number | null> {
  const known = await readAuthor(repositoryId, login, now() - KEEP_MS, database);
  if (known !== null) return known.mergedPullRequests;
  const merged = await degradations.optional("author", () => people.countMergedPullRequests(login));
  if (merged !== null)
    await rememberAuthor({ repositoryId, login, mergedPullRequests: merged, readAt: now() }, database);
  return merged;
}
