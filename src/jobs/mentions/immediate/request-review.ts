/** `review`, `full review` and `resume`: become the job that reviews the pull request. */
import { deletePause } from "../../../store/repositories/pauses.ts";
import { planReview } from "../../plan-job.ts";
import type { ImmediateCommand, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { refused } from "./refuse.ts";

export const requestReview: ImmediateCommand<"review"> = async ({ isFull }, asked) =>
  refuseIfClosed(asked) ?? {
    kind: "hand-over",
    request: planFor(asked, "comment", isFull),
    outcome: "done:review-requested",
  };

/** The review also ends an automatic pause; see is-paused.ts. */
export const resumeReviews: ImmediateCommand<"resume"> = async (_command, asked) => {
  const { repositoryRef, place } = asked.mention;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
  return (
    refuseIfClosed(asked) ?? {
      kind: "hand-over",
      request: planFor(asked, "resume", false),
      outcome: "done:resumed",
      record: async (sql) => {
        await deletePause(key, sql);
      },
    }
  );
};

/** Null for an open pull request. */
export function refuseIfClosed({ subject }: Pick<AskedCommand, "subject">): ImmediateResult | null {
  return subject.kind === "pull-request" && !subject.pullRequest.isOpen
    ? refused("refused:closed", "This pull request is closed, so Kodiai doesn't review it.")
    : null;
}

function planFor({ mention, isWriter }: AskedCommand, trigger: "comment" | "resume", isFull: boolean) {
  const { repositoryRef, place, requestId, requester } = mention;
  return planReview({
    repositoryRef,
    number: place.number,
    head: "",
    isBot: false,
    trigger,
    requestId,
    isFull,
    reactTo: place.target,
    threadRoot: place.threadRoot,
    requester,
    isOutsider: !isWriter,
  }).request;
}
