/** Brings the texts of Kodiai's own pull request up to date after another push to its branch: they are about all of its commits. */
import { KodiaiError } from "../../../base/errors.ts";
import { fixesOfCommit, isCommitFor, isOwnCommit } from "../../../review/edits/compose-commit-message.ts";
import { renderEditDescription } from "../../../review/edits/edit-report.ts";
import { plainWords } from "../../../review/edits/plain-words.ts";
import { neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import type { PullRequest } from "../../../forge/forge.ts";
import type { Conversation } from "../converse/conversation.ts";
import type { CheckedEdits } from "./kept-work.ts";
import type { WriteRequest } from "./refuse-write.ts";
import { MAX_PROPOSAL_TITLE_CHARS } from "./open-proposal.ts";

/** A sentence for the answer if its texts stay as they are; "" otherwise. */
export async function refreshProposal(
  {
    work,
    request,
    skipsCi,
  }: { readonly work: CheckedEdits; readonly request: WriteRequest; readonly skipsCi: boolean },
  { number, headRef, url }: PullRequest,
  { session, mention, code, context }: Conversation,
): Promise<string> {
  const commits = code.change.commits.filter(
    (commit) => isOwnCommit(commit) && !isCommitFor(mention.requestId, commit),
  );
  const asked = mention.place.number;
  const body = renderEditDescription(work, {
    login: mention.requester.login,
    request: request.words,
    // Both are of the same repository.
    place: { name: `pull request ${asked}`, url: url.replace(/\d+$/, String(asked)) },
    skipsCi,
    earlier: commits.map(({ subject }) => subject),
  });
  if ((await context.lease()) !== "held")
    throw new KodiaiError("cancelled", "another worker continues the pull request", {
      hint: "It continues the job.",
      retryable: true,
    });
  await context.step("describing the pull request");
  try {
    const title = titleOf(work, commits.map(fixesOfCommit));
    const isUpdated = await session.pullRequests.update({ number, branch: headRef, title, body });
    return isUpdated ? "" : "Its description stays, because it isn't as Kodiai wrote it.";
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    return `Its title and description couldn't be updated: ${neutraliseInline(`${error.message}. ${error.hint}`)}`;
  }
}

/** Null if the title of the first request still fits best: a commit does something else than fix findings. */
function titleOf({ title, fixes }: CheckedEdits, earlier: readonly (readonly number[])[]): string | null {
  const now = fixes
    .filter(({ result }) => result === "suggestion" || result === "model")
    .map(({ number }) => number);
  if ([now, ...earlier].some((fixed) => fixed.length === 0)) return null;
  const all = [...new Set([...earlier.flat(), ...now])].toSorted((one, other) => one - other);
  if (all.every((number) => now.includes(number))) return plainWords(title, MAX_PROPOSAL_TITLE_CHARS) || null;
  return plainWords(`Fix findings ${all.join(", ")}`, MAX_PROPOSAL_TITLE_CHARS);
}
