/** Finds the open pull request that an earlier `fix` of the same findings opened, so that the next one continues it. */
import { KodiaiError } from "../../../base/errors.ts";
import type { PullRequest } from "../../../forge/forge.ts";
import { policyCommitOf } from "../../../review/change/policy-commit.ts";
import { fixesOfCommit } from "../../../review/edits/compose-commit-message.ts";
import { readProposals } from "../../../store/repositories/proposals.ts";
import type { Sql } from "../../../store/database.ts";
import type { OwnProposal } from "../converse/conversation.ts";
import type { OpenedCode } from "../converse/open-code.ts";
import type { MentionAttempt } from "../run-mention.ts";

/** Each costs a look at the host. */
const MAX_PROPOSALS = 5;

/** The open ones that were asked for in the same place, the newest first. After a crash, that of this request isn't an earlier one. */
export async function readOwnProposals(
  { mention, session }: Pick<MentionAttempt, "mention" | "session">,
  sql: Sql,
): Promise<readonly PullRequest[]> {
  const { repositoryRef, place, requestId } = mention;
  const of = { repositoryId: repositoryRef.repositoryId, number: place.number, exceptRequest: requestId };
  const open: PullRequest[] = [];
  for (const number of await readProposals(of, MAX_PROPOSALS, sql)) {
    const pullRequest = await readOrNull(number, session);
    if (pullRequest?.isOpen === true && pullRequest.isOwn === true) open.push(pullRequest);
  }
  return open;
}

async function readOrNull(
  number: number,
  { pullRequests }: MentionAttempt["session"],
): Promise<PullRequest | null> {
  try {
    return await pullRequests.read(number);
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "not-found") return null;
    throw error;
  }
}

/**
 * The code of the first one that fixes a wanted finding; null if none does. Policy still comes from the base of the pull request where it was
 * asked for.
 */
export async function continueProposal(
  proposals: readonly PullRequest[],
  wanted: readonly number[],
  opened: OpenedCode,
): Promise<{ readonly code: OpenedCode; readonly continued: OwnProposal } | null> {
  const { title, body, description, base } = opened.change;
  const baseTip = policyCommitOf(opened.change);
  if (base === null || baseTip === null) return null;
  for (const pullRequest of proposals) {
    const { head } = pullRequest;
    const request = {
      kind: "pull-request",
      title,
      body,
      description,
      mergeBase: base,
      head,
      baseTip,
    } as const;
    const change = await opened.repository.readChange(request);
    const fixed = change.commits.flatMap(fixesOfCommit);
    if (!fixed.some((number) => wanted.includes(number))) continue;
    const code: OpenedCode = { ...opened, subject: { kind: "pull-request", pullRequest }, head, change };
    return { code, continued: { pullRequest, fixed } };
  }
  return null;
}
