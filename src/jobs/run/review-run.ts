/** Reviews a run that passed its gate, and starts a check on the pull request. */
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { ReviewResult } from "../review-change.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { acknowledge } from "./acknowledge.ts";
import type { PreparedRun } from "./prepare-run.ts";

export async function reviewRun(
  { reviewJob, session, context, reader, pullRequest, run, review, prepared, degradations }: PreparedRun,
  models: ModelAccess,
): Promise<ReviewResult> {
  if (reviewJob.requester?.isInsider === false) await acknowledge(reviewJob, session.comments, context);
  reader.warm();
  await degradations.optional("check run", () => session.checks.start(pullRequest, run.journal));
  await context.step("reviewing");
  const result = await review.review(prepared, models);
  reachFaultPoint("after-findings", pullRequest.number);
  return result;
}
