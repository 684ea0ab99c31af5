/** Brings the title and the description of a pull request that Kodiai opened up to date. People's words stay. Repeating it has no effect. */
import type { ProposalUpdate, RepositoryRef } from "../../forge.ts";
import { fitTitle, isFittingBody } from "../text-limits.ts";
import { findProposalPart, hashOfTitle, proposalScope, renderProposalText } from "./proposal-text.ts";
import type { PublishDeps } from "./publishing.ts";

/** False if Kodiai's part isn't as it was written, or if there is no room for it: nothing has changed then. */
export async function updateProposal(
  { number, branch, title, body }: ProposalUpdate,
  { calls, markers, repositoryRef }: ProposalDeps,
): Promise<boolean> {
  const current = await calls.readProposalText(number);
  const scope = proposalScope(repositoryRef, branch);
  const part = findProposalPart(current.body, scope, markers);
  if (part === null) return false;
  const isTitleOurs = hashOfTitle(current.title) === part.titleHash;
  const newTitle = isTitleOurs && title !== null ? fitTitle(title) : current.title;
  const titleHash = isTitleOurs ? hashOfTitle(newTitle) : part.titleHash;
  const newBody = `${part.before}${renderProposalText({ body, titleHash }, scope, markers)}${part.after}`;
  if (!isFittingBody(newBody)) return false;
  await calls.updateProposalText(number, { title: newTitle, body: newBody });
  return true;
}

export type ProposalDeps = Pick<PublishDeps, "calls" | "markers"> & { readonly repositoryRef: RepositoryRef };
