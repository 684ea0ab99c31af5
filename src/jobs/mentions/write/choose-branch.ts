/** Chooses the branch that edits are pushed to. The host is asked right before the push, because a branch may have become protected meanwhile. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import type { Conversation } from "../converse/conversation.ts";
import { isOwnBranch } from "./find-fork-code.ts";
import type { PushTarget } from "./push-edits.ts";
import type { WriteRequest } from "./refuse-write.ts";

export type ChosenBranch = PushTarget & {
  /** The branch is that of the pull request. */
  readonly isHere: boolean;
  /** Why the edits aren't on the branch that was asked for; "" if they are. */
  readonly note: string;
};

/** `own` is the name of a new branch. */
export async function chooseBranch(
  { isHere }: Pick<WriteRequest, "isHere">,
  { own, head }: { readonly own: string; readonly head: string },
  { subject, session }: Pick<Conversation, "subject" | "session">,
): Promise<ChosenBranch> {
  const ownBranch = { branch: own, expected: null, isHere: false, note: "" };
  if (subject.kind === "issue" || !(isHere || isOwnBranch(subject))) return ownBranch;
  const { headRef } = subject.pullRequest;
  const [{ defaultBranch }, branch] = [
    await session.contents.readRepository(),
    await session.contents.readBranch(headRef),
  ];
  // A branch that is gone makes the push fail, which says so.
  const why =
    headRef === defaultBranch ? "the default branch" : branch?.isProtected === true ? "protected" : null;
  if (why === null) return { branch: headRef, expected: head, isHere: true, note: "" };
  const note = `${codeSpan(headRef)} is ${why}, and Kodiai never pushes to such a branch, so the edits are on a branch of their own.`;
  return { ...ownBranch, note };
}
