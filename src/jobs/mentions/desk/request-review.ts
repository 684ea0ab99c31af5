/** `review`, `full review` and `resume`: become the job that reviews the pull request. */
import { deletePause } from "../../../store/repositories/pauses.ts";
import { planReview } from "../../plan-job.ts";
import type { DeskCommand, DeskResult, DeskVisit } from "./desk-command.ts";
import { refused } from "./refuse.ts";

export const requestReview: DeskCommand<"review"> = async ({ isFull }, visit) =>
  refuseIfClosed(visit) ?? {
    kind: "hand-over",
    request: planFor(visit, "comment", isFull),
    outcome: "done:review-requested",
  };

/** The review also ends an automatic pause; see is-paused.ts. */
export const resumeReviews: DeskCommand<"resume"> = async (_command, visit) => {
  const { repositoryRef, place } = visit.mention;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: place.number };
  return (
    refuseIfClosed(visit) ?? {
      kind: "hand-over",
      request: planFor(visit, "resume", false),
      outcome: "done:resumed",
      record: async (sql) => {
        await deletePause(key, sql);
      },
    }
  );
};

/** Null for an open pull request. */
export function refuseIfClosed({ subject }: Pick<DeskVisit, "subject">): DeskResult | null {
  return subject.kind === "pull-request" && !subject.pullRequest.isOpen
    ? refused("refused:closed", "This pull request is closed, so Kodiai doesn't review it.")
    : null;
}

function planFor({ mention, isWriter }: DeskVisit, trigger: "comment" | "resume", isFull: boolean) {
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
