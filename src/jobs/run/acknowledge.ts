/** Reacts to the comment that requested a review, on receipt and with the outcome. A failed reaction never fails the job. */
import { messageOf } from "../../base/errors.ts";
import type { Comments, Reaction } from "../../forge/forge.ts";
import type { JobContext } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";

export async function acknowledge(
  { reactTo }: ReviewJob,
  comments: Pick<Comments, "react">,
  { log }: Pick<JobContext, "log">,
  reaction: Reaction = "eyes",
): Promise<void> {
  if (reactTo === null) return;
  try {
    await comments.react(reactTo, reaction);
  } catch (error) {
    log.warn("reaction failed", { reaction, error: messageOf(error) });
  }
}
