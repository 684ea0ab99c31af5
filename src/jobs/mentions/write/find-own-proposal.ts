/** Finds the open pull request that an earlier `fix` of the same findings opened, so that the next one continues it. */
import { KodiaiError } from "../../../base/errors.ts";
import type { PullRequest } from "../../../forge/forge.ts";
import { readProposals } from "../../../store/repositories/proposals.ts";
import type { Sql } from "../../../store/database.ts";
import type { CommandOf } from "../command.ts";
import { parseKeptResult } from "../converse/kept-result.ts";
import type { MentionAttempt } from "../run-mention.ts";
import { fixesOfKeptWork } from "./kept-work.ts";

/** Each may cost a look at the host. */
const MAX_PROPOSALS = 5;

export type OwnProposal = {
  readonly pullRequest: PullRequest;
  /** Numbers of findings that it fixes. */
  readonly fixed: readonly number[];
};

/** `wanted`: the numbers of the findings that are to be fixed. Null without such a pull request. */
export async function findOwnProposal(
  { isHere }: Pick<CommandOf<"fix">, "isHere">,
  wanted: readonly number[],
  { mention, session }: Pick<MentionAttempt, "mention" | "session">,
  sql: Sql,
): Promise<OwnProposal | null> {
  if (isHere || wanted.length === 0) return null;
  const { repositoryRef, place, requestId } = mention;
  const key = { repositoryId: repositoryRef.repositoryId, number: place.number };
  for (const { number, request, result } of await readProposals(key, MAX_PROPOSALS, sql)) {
    const kept = parseKeptResult(result);
    // After a crash, the pull request of this request isn't an earlier one.
    if (request === requestId || kept === null || !("work" in kept)) continue;
    const fixed = fixesOfKeptWork(kept.work);
    if (!fixed.some((each) => wanted.includes(each))) continue;
    const pullRequest = await readOrNull(number, session);
    if (pullRequest?.isOpen === true && pullRequest.isOwn === true) return { pullRequest, fixed };
  }
  return null;
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
