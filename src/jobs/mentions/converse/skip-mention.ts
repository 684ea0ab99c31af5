/** Ends a mention that gets no answer, with the reason for the record. */
import { endMention } from "../../../store/repositories/mentions.ts";
import type { JobOutcome } from "../../recipe.ts";
import { mentionKeyOf } from "../immediate/immediate-command.ts";
import type { MentionJob } from "../mention-job.ts";
import type { ConverseStepDeps } from "./converse-deps.ts";
import { finishRunsOf } from "./finish-conversation.ts";

export async function skipMention(
  reason: `skipped:${string}`,
  mention: MentionJob,
  deps: Pick<ConverseStepDeps, "database" | "now" | "context">,
): Promise<JobOutcome> {
  await endMention(mentionKeyOf(mention), { outcome: reason, at: deps.now() }, deps.database);
  await finishRunsOf(deps.context.job, reason, deps);
  return { state: "skipped", reason };
}
