/** Opens the pull request of pushed edits, once, and describes it in a reply. */
import { KodiaiError } from "../../../base/errors.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import { renderEditAnswer, renderEditDescription } from "../../../review/edits/edit-report.ts";
import { plainWords } from "../../../review/edits/plain-words.ts";
import { createPublicationJournal } from "../../../store/repositories/publications.ts";
import type { Conversation, ConversationDeps } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import type { CheckedEdits } from "./kept-work.ts";
import type { WriteRequest } from "./refuse-write.ts";

/** GitHub accepts 256. */
export const MAX_PROPOSAL_TITLE_CHARS = 120;

export type ProposalPlace = {
  readonly branch: string;
  readonly baseBranch: string;
  readonly skipsCi: boolean;
  /** Why the edits are on this branch and not on the one that was asked for; "" for nothing to add. */
  readonly note: string;
};

export async function openProposal(
  {
    work,
    request,
    place,
  }: { readonly work: CheckedEdits; readonly request: WriteRequest; readonly place: ProposalPlace },
  conversation: Conversation,
  { store: { database, now } }: ConversationDeps,
): Promise<Reply> {
  const { session, mention, subject, context } = conversation;
  const { branch, baseBranch, skipsCi, note } = place;
  const { number } = mention.place;
  const { url } = subject.kind === "issue" ? subject.issue : subject.pullRequest;
  const name = `${subject.kind === "issue" ? "issue" : "pull request"} ${number}`;
  const { repositoryId } = mention.repositoryRef;
  const scope = { repositoryId, pullRequest: number, head: "", request: mention.requestId, now };
  await context.step("opening a pull request");
  try {
    const opened = await session.pullRequests.open({
      title: plainWords(work.title, MAX_PROPOSAL_TITLE_CHARS) || "Edit files",
      body: renderEditDescription(work, {
        login: mention.requester.login,
        request: request.words,
        place: { name, url },
        skipsCi,
        earlier: [],
      }),
      branch,
      baseBranch,
      request: mention.requestId,
      number,
      journal: createPublicationJournal(database, scope),
      isLost: async () => (await context.lease()) === "lost",
    });
    if (opened === null)
      throw new KodiaiError("cancelled", "another worker opens the pull request", {
        hint: "It continues the job.",
        retryable: true,
      });
    const link = `[pull request ${opened.number}](${opened.url})`;
    const answer = renderEditAnswer(work, { skipsCi });
    return {
      body: [`Opened ${link} into ${codeSpan(baseBranch)}.`, ...(note === "" ? [] : [note]), answer].join(
        "\n\n",
      ),
      reaction: "+1",
      outcome: "done:pull-request",
    };
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    const why = neutraliseInline(`${error.message}. ${error.hint}`);
    return {
      body: `The edits are on the branch ${codeSpan(branch)}, but the pull request couldn't be opened: ${why}`,
      reaction: "confused",
      outcome: "failed:pull-request",
    };
  }
}
