/** The job that a form names in `job`. */
import { subjectOfJob } from "../../jobs/subject-of-job.ts";
import { type ActionDeps, type ActionTarget, numberIn } from "./action.ts";

export async function findJob(
  form: URLSearchParams,
  { queue }: Pick<ActionDeps, "queue">,
): Promise<ActionTarget | null> {
  const id = numberIn(form, "job");
  const job = id === null ? null : await queue.read(id);
  if (job === null) return null;
  const subject = subjectOfJob(job);
  const about = subject === null ? job.kind : `${subject.repository}#${subject.number}`;
  return { label: `job ${job.id} (${about})`, repositoryId: null };
}
