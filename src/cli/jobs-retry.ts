/** `kodiai jobs retry ID`: requeues a job that failed, was skipped or was cancelled. */
import { KodiaiError } from "../base/errors.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { unknownJob } from "./jobs-show.ts";

export const jobsRetry: Command = {
  name: "jobs retry",
  argumentNames: "ID",
  positionals: { min: 1, max: 1 },
  description:
    "Requeues a job that failed, was skipped or was cancelled. A running server or worker picks it up.",
  options: {},
  examples: [{ line: "kodiai jobs retry 42", comment: "after you fixed what made it fail" }],
  run,
};

async function run({ positionals: [id = ""] }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const records = await deps.installation.openRecords();
  try {
    const job = /^\d{1,15}$/.test(id) ? await records.queue.read(Number(id)) : null;
    if (job === null) throw unknownJob(id);
    if (!(await records.queue.requeue(job.id))) {
      throw new KodiaiError(
        "usage",
        `job ${id} is ${job.state}; only failed, skipped and cancelled jobs can be retried`,
        {
          hint: "To review the same commit again, comment `@kodiai review` on the pull request.",
        },
      );
    }
    deps.stdout.write(`job ${id} is queued again\n`);
    return EXIT.ok;
  } finally {
    await records.close();
  }
}
