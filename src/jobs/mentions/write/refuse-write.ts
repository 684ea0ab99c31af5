/** Decides whether files may be edited here, before anything is read or spent. The person's access was asked when the job began. */
import type { Conversation } from "../converse/conversation.ts";
import type { Reply } from "../reply.ts";
import { isOwnBranch } from "./find-fork-code.ts";

export type WriteRequest = {
  /** Push to the head branch. */
  readonly isHere: boolean;
  /** In the person's words, or what the command means; for the description. */
  readonly words: string;
};

/** Null if it may go on. */
export function refuseWrite({ isHere }: WriteRequest, { config, subject }: Conversation): Reply | null {
  const { write } = config.tree.root.values;
  if (!write.enabled)
    return refusedWrite(
      "write-off",
      "Write mode is off here, so nothing was changed. To turn it on, set `write.enabled: true` in `.kodiai.yml` on the base branch.",
    );
  if (subject.kind === "pull-request" && !subject.pullRequest.isOpen)
    return refusedWrite("closed", "This pull request is closed, so nothing was changed.");
  if (!isHere || isOwnBranch(subject)) return null;
  if (subject.kind === "issue")
    return refusedWrite("no-head-branch", "An issue has no branch to push to. Ask again without `here`.");
  if (!write.pushToHead)
    return refusedWrite(
      "push-to-head-off",
      "Kodiai may not push to the branch of this pull request. Ask again without `here`, or set `write.pushToHead: true` in `.kodiai.yml` on the base branch.",
    );
  return subject.pullRequest.isFork
    ? refusedWrite("fork", "Kodiai can't push to the branch of a fork. Ask again without `here`.")
    : null;
}

export function refusedWrite(reason: string, body: string): Reply {
  return { body, reaction: "confused", outcome: `refused:${reason}` };
}
