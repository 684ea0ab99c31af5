/** `review`, `review full` and `resume`: become the job that reviews the pull request, unless there is nothing new to review. */
import { codeSpan } from "../../../review/publication/render/safe-markdown.ts";
import { deletePause } from "../../../store/repositories/pauses.ts";
import { planReview } from "../../plan-job.ts";
import { runsOfPullRequest } from "../../run/run-record.ts";
import type { ImmediateCommand, ImmediateDeps, ImmediateResult, AskedCommand } from "./immediate-command.ts";
import { refused, replying } from "./refuse.ts";

export const requestReview: ImmediateCommand<"review"> = async ({ isFull }, asked, deps) =>
  refuseIfClosed(asked) ??
  (isFull ? null : await describeUnchanged(asked, deps)) ?? {
    kind: "hand-over",
    request: planFor(asked, "comment", isFull),
    outcome: "done:review-requested",
  };

/** Null if a review of the newest commit is missing or incomplete. */
async function describeUnchanged(
  { subject, mention, session }: AskedCommand,
  { store }: Pick<ImmediateDeps, "store">,
): Promise<ImmediateResult | null> {
  if (subject.kind === "issue") return null;
  const { head } = subject.pullRequest;
  const key = { repositoryId: mention.repositoryRef.repositoryId, pullRequest: mention.place.number };
  if (!(await runsOfPullRequest(key, store.database).isReviewedWhole(head))) return null;
  const command = codeSpan(`${await session.mention()} review full`);
  return replying({
    body: `Nothing has changed since the review of ${codeSpan(head.slice(0, 7))}. ${command} reads everything again.`,
    reaction: "+1",
    outcome: "answered:unchanged",
  });
}

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
