/** Commands of one text are carried out in their order: each waits until the jobs of those before it have ended, whatever became of them. */
import type { JobOutcome } from "../../recipe.ts";
import { jobKeysOf } from "../mention-job.ts";
import type { MentionAttempt } from "../run-mention.ts";
import type { ImmediateDeps } from "./immediate-command.ts";

/** Longer than any review or edit takes. Then something keeps the earlier job waiting, such as a rate limit, and this one is carried out. */
const MAX_WAIT_MS = 60 * 60_000;

/** The pauses grow with the time that it has waited, so that a quick answer is noticed soon and a long edit costs few claims. */
const MIN_PAUSE_MS = 500;
const MAX_PAUSE_MS = 10_000;
const PAUSE_SHARE = 0.25;

/** Null if it is this command's turn. */
export async function waitForEarlier(
  { mention, context: { job } }: Pick<MentionAttempt, "mention" | "context">,
  { queue, now }: Pick<ImmediateDeps["store"], "queue" | "now">,
): Promise<JobOutcome | null> {
  const { after = [] } = mention;
  const waitedMs = now() - job.createdAt;
  if (after.length === 0 || waitedMs > MAX_WAIT_MS) return null;
  if (!(await queue.isAnyOpen(after.flatMap((request) => jobKeysOf(mention, request))))) return null;
  const pauseMs = Math.min(MAX_PAUSE_MS, Math.max(MIN_PAUSE_MS, waitedMs * PAUSE_SHARE));
  return { state: "wait", untilMs: now() + Math.round(pauseMs), reason: "waiting:earlier-command" };
}
