/**
 * The steps of write mode: may it, work out the edits, check them, keep them, commit, push, open a pull request, answer. Up to the push
 * nothing is visible. Every later step finds what an earlier attempt has done.
 */
import { KodiaiError } from "../../../base/errors.ts";
import { reachFaultPoint } from "../../../base/fault-point.ts";
import { hashParts } from "../../../base/hash.ts";
import type { Change } from "../../../review/change/change.ts";
import { checkEdits, type EditPolicy } from "../../../review/edits/check-edits.ts";
import { checkForm } from "../../../review/edits/check-path.ts";
import { composeCommitMessage } from "../../../review/edits/compose-commit-message.ts";
import { renderEditAnswer, renderRefusals } from "../../../review/edits/edit-report.ts";
import type { EditRefusal } from "../../../review/edits/edit.ts";
import { codeSpan, neutraliseInline } from "../../../review/publication/render/safe-markdown.ts";
import type { Conversation, ConversationDeps } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { checkParses } from "./check-parses.ts";
import { commitEdits } from "./commit-edits.ts";
import { type CheckedEdits, renderKeptWork, restoreKeptWork } from "./kept-work.ts";
import { openProposal } from "./open-proposal.ts";
import type { Proposal, Propose } from "./proposal.ts";
import { MOVED, pushEdits } from "./push-edits.ts";
import { readEditPolicy } from "./read-edit-policy.ts";
import { refuseMoved } from "./refuse-moved.ts";
import { refusedWrite, refuseWrite, type WriteRequest } from "./refuse-write.ts";

/** Enough to tell the requests of one issue or pull request apart. */
const BRANCH_HEX_CHARS = 8;

export async function deliverEdits(
  request: WriteRequest,
  propose: Propose,
  { conversation, deps }: { readonly conversation: Conversation; readonly deps: ConversationDeps },
): Promise<Reply> {
  const refusal = refuseWrite(request, conversation) ?? refuseMoved(conversation);
  if (refusal !== null) return refusal;
  const work = await workOut(propose, conversation, deps);
  return "reaction" in work ? work : publishEdits({ request, work }, conversation, deps);
}

/** The edits that an earlier attempt has kept, or new ones. */
async function workOut(
  propose: Propose,
  conversation: Conversation,
  { reader, context }: ConversationDeps,
): Promise<CheckedEdits | Reply> {
  const { repository, config, kept } = conversation;
  const earlier = kept === null ? null : await restoreKeptWork(kept, repository);
  if (kept !== null && earlier === null) return MOVED;
  const head = earlier?.head ?? conversation.head;
  const policy = await readEditPolicy(head, config.tree.root.values, {
    repository,
    signal: context.signal,
  }).catch((error: unknown) => {
    // The commit that the kept edits are based on may be gone after a force-push.
    const isGone = error instanceof KodiaiError && (error.code === "git" || error.code === "unknown-ref");
    if (earlier === null || !isGone) throw error;
    return MOVED;
  });
  if (policy !== null && "reaction" in policy) return policy;
  if (policy === null)
    return refusedWrite("too-many-files", "The repository has too many files to check an edit against.");
  const ofFork = checkFork(conversation, policy);
  if (ofFork.length > 0) return refusedFork(ofFork);
  if (earlier !== null) {
    const refusals = checkEdits(earlier.edits, policy);
    return refusals.length === 0 ? earlier : refusedEdits(refusals);
  }
  const proposal = await propose(policy);
  if (proposal.kind === "none") return proposal.reply;
  const refusals = allRefusals(proposal, policy);
  if (refusals.length > 0) return refusedEdits(refusals);
  const parses = await checkParses(proposal.edits, reader);
  if (parses.refusals.length > 0) return refusedEdits(parses.refusals);
  const { edits, title, description, applied, leftOut } = proposal;
  const work = { head, edits, title, description, applied, leftOut, unchecked: parses.unchecked };
  await conversation.keep(renderKeptWork(work));
  reachFaultPoint("after-edits", conversation.mention.place.number);
  return work;
}

type EditProposal = Extract<Proposal, { readonly kind: "edits" }>;

/** Each rule and path once. That nothing changed is only said if nothing else is wrong. */
function allRefusals({ edits, refusals }: EditProposal, policy: EditPolicy): readonly EditRefusal[] {
  const found = [...refusals, ...checkEdits(edits, policy)];
  const byKey = new Map(found.map((refusal) => [`${refusal.rule} ${refusal.path}`, refusal]));
  const all = [...byKey.values()];
  const telling = all.filter(({ rule }) => rule !== "nothing-changed");
  return telling.length > 0 ? telling : all;
}

/** A branch of this repository would carry the fork's own commits, so those must not touch denied paths either. */
function checkFork({ subject, change }: Conversation, { rules }: EditPolicy): readonly EditRefusal[] {
  if (subject.kind === "issue" || !subject.pullRequest.isFork) return [];
  const unlisted = change.files.find(({ unreadable }) => unreadable === "too-many-files");
  if (unlisted !== undefined)
    return [
      { path: unlisted.path, rule: "too-many-files", detail: "the fork changes too many files to check" },
    ];
  return pathsOf(change).flatMap((path) => {
    const form = checkForm(path);
    const glob = rules.denyingGlob(path);
    if (form?.rule === "git-file") return [{ path, ...form }];
    return glob === null ? [] : [{ path, rule: "denied-path", detail: glob } as const];
  });
}

function pathsOf({ files }: Change): readonly string[] {
  return [...new Set(files.flatMap(({ path, oldPath }) => (oldPath === null ? [path] : [path, oldPath])))];
}

function refusedEdits(refusals: readonly EditRefusal[]): Reply {
  const [first] = refusals;
  return refusedWrite(first?.rule ?? "edits", renderRefusals(refusals));
}

function refusedFork(refusals: readonly EditRefusal[]): Reply {
  const body = `This pull request is from a fork, and its own commits would be part of the new branch. They change paths that write mode may not touch.\n\n${renderRefusals(refusals)}`;
  return refusedWrite("fork-denied-path", body);
}

async function publishEdits(
  { request, work }: { readonly request: WriteRequest; readonly work: CheckedEdits },
  conversation: Conversation,
  deps: ConversationDeps,
): Promise<Reply> {
  const { mention, session, repository, subject } = conversation;
  const { context } = deps;
  const { requester, requesterId, requestId, repositoryRef } = mention;
  const skipsCi = subject.kind === "pull-request" && subject.pullRequest.isFork;
  const writer = deps.openWriter(repositoryRef.repositoryId, context.signal);
  const committed = await tryCommit(
    {
      head: work.head,
      edits: work.edits,
      message: composeCommitMessage({
        title: work.title,
        description: work.description,
        requestId,
        requester: { login: requester.login, id: requesterId },
        skipsCi,
      }),
      author: await session.commitIdentity(),
      at: mention.writtenAt,
    },
    { writer, repository },
  );
  if ("reaction" in committed) return committed;
  const { commit } = committed;
  const branch = `kodiai/${mention.place.number}-${hashParts([requestId], BRANCH_HEX_CHARS)}`;
  const isHere = request.isHere && subject.kind === "pull-request";
  const target = isHere
    ? { branch: subject.pullRequest.headRef, expected: work.head }
    : { branch, expected: null };
  const rejection = await pushEdits({ ...target, commit }, { writer, conversation }, context);
  if (rejection !== null) return rejection;
  if (isHere) {
    const link = `[${codeSpan(commit.slice(0, 7))}](${subject.pullRequest.url}/commits/${commit})`;
    const body = `Pushed ${link} to ${codeSpan(target.branch)}.\n\n${renderEditAnswer(work, { skipsCi })}`;
    return { body, reaction: "+1", outcome: "done:pushed" };
  }
  const baseBranch =
    subject.kind === "issue"
      ? subject.defaultBranch
      : subject.pullRequest.isFork
        ? subject.pullRequest.baseRef
        : subject.pullRequest.headRef;
  return openProposal({ work, request, place: { branch, baseBranch, skipsCi } }, conversation, deps);
}

/** The reply if the commit isn't exactly what was checked, or if git refuses it. */
async function tryCommit(
  ...[request, deps]: Parameters<typeof commitEdits>
): Promise<{ readonly commit: string } | Reply> {
  try {
    const committed = await commitEdits(request, deps);
    return committed.kind === "committed" ? committed : refusedEdits(committed.refusals);
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
