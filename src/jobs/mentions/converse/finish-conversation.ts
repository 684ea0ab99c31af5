/** Posts a reply once, and records how the mention and its run have ended. */
import type { Job } from "../../../queue/queue.ts";
import type { RowStore } from "../../job-store.ts";
import type { JobOutcome } from "../../recipe.ts";
import { readRunRecords, type RunEnding } from "../../run/run-record.ts";
import { answerMention, type MentionToAnswer } from "../immediate/answer-mention.ts";
import type { Reply } from "../reply.ts";

export async function finishConversation(
  { answered, job }: { readonly answered: MentionToAnswer; readonly job: Pick<Job, "id"> },
  reply: Reply,
  store: RowStore,
): Promise<JobOutcome> {
  const outcome = await answerMention(answered, reply, store);
  if (outcome.state === "done") await finishRunsOf(job, outcome.reason, store);
  return outcome;
}

/** Ends the run of a job. A process that crashed after the answer leaves it open. */
export async function finishRunsOf(job: Pick<Job, "id">, reason: string, store: RowStore): Promise<void> {
  const status = statusOf(reason);
  for (const run of await readRunRecords(job.id, store)) await run.finish({ status, reason });
}

/** Outcomes of replies are `group:detail`. */
function statusOf(reason: string): RunEnding["status"] {
  const [group] = reason.split(":");
  if (group === "answered" || group === "done") return "answered";
  return group === "refused" || group === "skipped" ? "skipped" : "failed";
}
