/** Finds the class of a person in a repository. The host is asked, because an event only claims it. */
import type { People, Person, RepositoryRef } from "../../forge/forge.ts";
import type { WriteAccess } from "../gathering/gather-access.ts";
import { type AuthorDeps, gatherMerged } from "../gathering/gather-author.ts";
import type { Requester } from "../review-job.ts";
import type { RequesterClass } from "../spending/request-limits.ts";

/** The pull request or issue that the request is about. */
export type RequestSubject = {
  readonly repositoryRef: RepositoryRef;
  readonly number: number;
  readonly author: Person;
  /** The author's association with the repository, as GitHub names it; null if unknown. */
  readonly association: string | null;
};

/** GitHub's associations for people with a merged pull request, and for team members without write access. */
const CONTRIBUTING: ReadonlySet<string> = new Set(["OWNER", "MEMBER", "COLLABORATOR", "CONTRIBUTOR"]);

export type ClassDeps = AuthorDeps & {
  readonly people: People;
  readonly hasWriteAccess: WriteAccess;
};

export async function requesterClassOf(
  requester: Requester,
  { repositoryRef, author, association }: RequestSubject,
  { hasWriteAccess, people, ...deps }: ClassDeps,
): Promise<RequesterClass> {
  if (await hasWriteAccess(requester)) return "writer";
  const isAuthor = requester.login === author.login;
  if (requester.isInsider || (isAuthor && CONTRIBUTING.has(association ?? ""))) return "contributor";
  if (requester.isBot) return "stranger";
  const merged = await gatherMerged(requester.login, repositoryRef, people, deps);
  return (merged ?? 0) > 0 ? "contributor" : "stranger";
}
