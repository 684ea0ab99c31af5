/**
 * The steps of write mode: may it, work out the edits, check and review them, keep them, commit, push, open a pull request, answer. Up to the push
 * nothing is visible. Every later step finds what an earlier attempt has done.
 */
import { KodiaiError } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import { hashParts } from "../../../base/hash.ts";
import { asksToRemoveTests } from "../../../review/edits/asks-to-remove-tests.ts";
import { checkEdits, siftEdits } from "../../../review/edits/check-edits.ts";
import { composeCommitMessage } from "../../../review/edits/compose-commit-message.ts";
import { renderBlocked, renderEditAnswer, renderRefusals } from "../../../review/edits/edit-report.ts";
import { blockingOf } from "../../../review/edits/edit-review.ts";
import { type EditRefusal, leavesOutFile } from "../../../review/edits/edit.ts";
import { findRemovedTests } from "../../../review/edits/find-removed-tests.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import type { Conversation, ConversationDeps } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { checkParses } from "./check-parses.ts";
import { chooseBranch } from "./choose-branch.ts";
import { commitEdits } from "./commit-edits.ts";
import { carriesForkCode, checkForkCode, isOwnBranch, ownBranchName } from "./find-fork-code.ts";
import { type CheckedEdits, renderKeptWork, restoreKeptWork } from "./kept-work.ts";
import { openProposal } from "./open-proposal.ts";
import type { EditChecks, Proposal, Propose } from "./proposal.ts";
import { MOVED, pushEdits } from "./push-edits.ts";
import { readEditPolicy } from "./read-edit-policy.ts";
import { refreshProposal } from "./refresh-proposal.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { refusedWrite, refuseWrite, type WriteRequest } from "./refuse-write.ts";
import { createEditReviewer } from "./review-edits.ts";

/** Enough to tell the requests of one issue or pull request apart. */
const BRANCH_HEX_CHARS = 8;

export async function deliverEdits(
  request: WriteRequest,
  propose: Propose,
  { conversation, deps }: { readonly conversation: Conversation; readonly deps: ConversationDeps },
): Promise<Reply> {
  const refusal = refuseWrite(request, conversation) ?? refuseMoved(conversation);
  if (refusal !== null) return refusal;
  const skipsCi = await carriesForkCode(conversation);
  const work = await workOut(propose, { conversation, request, carriesFork: skipsCi }, deps);
  return "reaction" in work ? work : publishEdits({ request, work, skipsCi }, conversation, deps);
}

type WorkRequest = {
  readonly conversation: Conversation;
  readonly request: WriteRequest;
  readonly carriesFork: boolean;
};

/** The edits that an earlier attempt has kept, or new ones. */
async function workOut(
  propose: Propose,
  { conversation, request, carriesFork }: WorkRequest,
  deps: ConversationDeps,
): Promise<CheckedEdits | Reply> {
  const { code, config, kept, context } = conversation;
  const { repository } = code;
  const earlier = kept === null ? null : await restoreKeptWork(kept, repository);
  if (kept !== null && earlier === null) return MOVED;
  const head = earlier?.head ?? code.head;
  const policy = await readEditPolicy(head, config.tree.root.values, {
    repository,
    signal: context.signal,
    mayRemoveTests: asksToRemoveTests(request.words),
  }).catch((error: unknown) => {
    // The commit that the kept edits are based on may be gone after a force-push.
    const isGone = error instanceof KodiaiError && (error.code === "git" || error.code === "unknown-ref");
    if (earlier === null || !isGone) throw error;
    return MOVED;
  });
  if (policy !== null && "reaction" in policy) return policy;
  if (policy === null)
    return refusedWrite("too-many-files", "The repository has too many files to check an edit against.");
  const ofFork = carriesFork ? await checkForkCode(code, policy.rules) : [];
  if (ofFork.length > 0) return refusedFork(ofFork);
  if (earlier !== null) {
    const refusals = checkEdits(earlier.edits, policy);
    return refusals.length === 0 ? earlier : refusedEdits(refusals);
  }
  const reviewEdits = createEditReviewer(conversation, deps);
  const proposal = await propose({ policy, reviewEdits });
  if (proposal.kind === "none") return proposal.reply;
  const work = await checkProposal(proposal, { head, policy, reviewEdits, conversation });
  if ("reaction" in work) return work;
  await conversation.keep(renderKeptWork(work));
  reachFaultPoint("after-edits", conversation.mention.place.number);
  return work;
}

type EditProposal = Extract<Proposal, { readonly kind: "edits" }>;

/** The edits that may be written, without the files that policy leaves out. */
async function checkProposal(
  proposal: EditProposal,
  {
    head,
    policy,
    reviewEdits,
    conversation,
  }: EditChecks & { readonly head: string; readonly conversation: Conversation },
): Promise<CheckedEdits | Reply> {
  const { edits, leftOut: sifted } = siftEdits(proposal.edits, policy);
  const denied = eachOnce([...proposal.refusals.filter(leavesOutFile), ...sifted]);
  const final = proposal.refusals.filter((refusal) => !leavesOutFile(refusal));
  const refusals = eachOnce([...final, ...checkEdits(edits, policy)]);
  // That nothing changed is only said if nothing else is wrong.
  const telling = [...refusals.filter(({ rule }) => rule !== "nothing-changed"), ...denied];
  if (refusals.length > 0) return refusedEdits(telling.length > 0 ? telling : refusals);
  const parses = await checkParses(edits, conversation.code.reader);
  if (parses.refusals.length > 0) return refusedEdits(parses.refusals);
  const reviewed = await orRefused(() => reviewEdits(edits, head));
  if ("reaction" in reviewed) return reviewed;
  if (reviewed.kind === "refused") return refusedEdits(reviewed.refusals);
  const { review } = reviewed;
  if (blockingOf(review).length > 0)
    return refusedWrite("findings", renderBlocked(review, { isAskedTwice: proposal.isByModel }));
  const { title, description } = proposal;
  const left = new Set(sifted.map(({ path }) => path));
  const isLeft = (number: number): boolean =>
    conversation.findings.some((finding) => finding.number === number && left.has(finding.path));
  const fixes = proposal.fixes.map((fix) =>
    isLeft(fix.number) ? { ...fix, result: { notDone: "Kodiai may not edit its file" } } : fix,
  );
  const testsRemovedIn = findRemovedTests(edits, policy.isTest).map(({ path }) => path);
  const { unchecked } = parses;
  return { head, edits, title, description, fixes, testsRemovedIn, denied, unchecked, review };
}

/** Each rule and path once. */
function eachOnce(refusals: readonly EditRefusal[]): readonly EditRefusal[] {
  return [...new Map(refusals.map((refusal) => [`${refusal.rule} ${refusal.path}`, refusal])).values()];
}

function refusedEdits(refusals: readonly EditRefusal[]): Reply {
  const [first] = refusals;
  return refusedWrite(first?.rule ?? "edits", renderRefusals(refusals));
}

function refusedFork(refusals: readonly EditRefusal[]): Reply {
  const body = `The commits of a fork would be part of the new branch, where CI could run them with this repository's secrets. They change what write mode may not touch.\n\n${renderRefusals(refusals)}`;
  return refusedWrite("fork-denied-path", body);
}

type EditsToPublish = {
  readonly request: WriteRequest;
  readonly work: CheckedEdits;
  /** Commits of a fork are below the edits, so CI must not run. */
  readonly skipsCi: boolean;
};

async function publishEdits(
  { request, work, skipsCi }: EditsToPublish,
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<Reply> {
  const { mention, session, subject, context } = conversation;
  const { repository } = conversation.code;
  const { requester, requesterId, requestId, repositoryRef } = mention;
  const writer = deps.openWriter(repositoryRef.repositoryId, context.signal);
  const message = composeCommitMessage({
    title: work.title,
    description: work.description,
    requestId,
    requester: { login: requester.login, id: requesterId },
    fixed: work.fixes.filter(({ result }) => typeof result === "string").map(({ number }) => number),
    skipsCi,
  });
  const author = await session.contents.commitIdentity();
  const commit = { head: work.head, edits: work.edits, message, author, at: mention.writtenAt };
  const committed = await orRefused(() => commitEdits(commit, { writer, repository }));
  if ("reaction" in committed) return committed;
  if (committed.kind === "refused") return refusedEdits(committed.refusals);
  const own = ownBranchName(mention.place.number, hashParts([requestId], BRANCH_HEX_CHARS));
  const target = await chooseBranch(request, { own, head: work.head }, conversation);
  const { commit: id } = committed;
  const rejection = await pushEdits({ ...target, commit: id }, { writer, conversation });
  if (rejection !== null) return rejection;
  if (target.isHere && subject.kind === "pull-request") {
    const link = `[${codeSpan(id.slice(0, 7))}](${subject.pullRequest.url}/commits/${id})`;
    const { number, url } = subject.pullRequest;
    const updated = conversation.continued === null ? "" : `Updated [pull request ${number}](${url}). `;
    const pushed = `${updated}Pushed ${link} to ${codeSpan(target.branch)}.`;
    const texts = isOwnBranch(subject)
      ? await refreshProposal({ work, request, skipsCi }, subject.pullRequest, conversation)
      : "";
    const answer = renderEditAnswer(work, { skipsCi });
    const body = [pushed, ...(texts === "" ? [] : [texts]), answer].join("\n\n");
    return { body, reaction: "+1", outcome: "done:pushed" };
  }
  const baseBranch =
    subject.kind === "issue"
      ? subject.defaultBranch
      : subject.pullRequest.isFork
        ? subject.pullRequest.baseRef
        : subject.pullRequest.headRef;
  const place = { branch: own, baseBranch, skipsCi, note: target.note };
  return openProposal({ work, request, place }, conversation, deps);
}

/** The result, or the reply if git refuses the commit. */
async function orRefused<Result>(work: () => Promise<Result>): Promise<Result | Reply> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof KodiaiError) || error.retryable) throw error;
    // The commit that the edits are based on isn't in the repository any more.
    if (error.code === "unknown-ref") return MOVED;
    if (error.code === "cancelled") throw error;
    return refusedWrite(
      "commit",
      `Git refused the commit, so nothing was written: ${neutraliseInline(error.message)}.`,
    );
  }
}
