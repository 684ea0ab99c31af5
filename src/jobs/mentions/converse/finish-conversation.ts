/** Posts a reply once, and records how the mention and its run have ended. */
import type { Job } from "../../../queue/queue.ts";
import type { Sql } from "../../../store/database.ts";
import { finishRun, readRunsOfJob, type RunEnd } from "../../../store/repositories/runs.ts";
import type { JobOutcome } from "../../recipe.ts";
import { answerMention, type AnswerMentionDeps } from "../immediate/answer-mention.ts";
import type { MentionJob } from "../mention-job.ts";
import type { Reply } from "../reply.ts";

export async function finishConversation(
  mention: MentionJob,
  reply: Reply,
  { job, ...deps }: AnswerMentionDeps & { readonly job: Pick<Job, "id"> },
): Promise<JobOutcome> {
  const outcome = await answerMention(mention, reply, deps);
  if (outcome.state === "done") await finishRunsOf(job, outcome.reason, deps);
  return outcome;
}

/** Ends the run of a job. A process that crashed after the answer leaves it open. */
export async function finishRunsOf(
  job: Pick<Job, "id">,
  reason: string,
  { database, now }: { readonly database: Sql; readonly now: () => number },
): Promise<void> {
  const counts = { findingsTotal: 0, findingsReported: 0 };
  for (const { id } of await readRunsOfJob(job.id, database))
    await finishRun(id, { status: statusOf(reason), reason, finishedAt: now(), ...counts }, database);
}

/** Outcomes of replies are `group:detail`. */
function statusOf(reason: string): RunEnd["status"] {
  const [group] = reason.split(":");
  if (group === "answered" || group === "done") return "answered";
  return group === "refused" || group === "skipped" ? "skipped" : "failed";
}
