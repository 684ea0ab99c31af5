/** Reviews a run that passed its gate, and starts a check on the pull request. */
import { reachFaultPoint } from "../../base/fault-point.ts";
import type { ReviewResult } from "../review-change.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { acknowledge } from "./acknowledge.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { RunDeps } from "./run-deps.ts";

export async function reviewRun(
  { reviewJob, session, pullRequest, run, review, prepared, degradations }: PreparedRun,
  models: ModelAccess,
  { context, reader }: RunDeps,
): Promise<ReviewResult> {
  if (reviewJob.requester?.isInsider === false) await acknowledge(reviewJob, session, context);
  reader.warm();
  await degradations.optional("check run", () => session.startCheck(pullRequest, run.journal));
  await context.step("reviewing");
  const result = await review.review(prepared, models);
  reachFaultPoint("after-findings", pullRequest.number);
  return result;
}
