/** Ends a mention that gets no answer, with the reason for the record. */
import type { RowStore } from "../../job-store.ts";
import type { JobOutcome } from "../../recipe.ts";
import type { MentionAttempt } from "../run-mention.ts";
import { finishRunsOf } from "./finish-conversation.ts";

export async function skipMention(
  reason: `skipped:${string}`,
  { record, context }: MentionAttempt,
  store: RowStore,
): Promise<JobOutcome> {
  await record.end(reason);
  await finishRunsOf(context.job, reason, store);
  return { state: "skipped", reason };
}
