/** Shows whoever asked in a comment that they were heard, and later what came of it. A reaction is never worth a failure. */
import { messageOf } from "../../base/errors.ts";
import type { ForgeSession, Reaction } from "../../forge/forge.ts";
import type { JobContext } from "../recipe.ts";
import type { ReviewJob } from "../review-job.ts";

export async function acknowledge(
  { reactTo }: ReviewJob,
  session: ForgeSession,
  { log }: Pick<JobContext, "log">,
  reaction: Reaction = "eyes",
): Promise<void> {
  if (reactTo === null) return;
  try {
    await session.react(reactTo, reaction);
  } catch (error) {
    log.warn("reaction failed", { reaction, error: messageOf(error) });
  }
}
