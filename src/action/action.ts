/** `kodiai action`: a step of GitHub Actions. Finds out what the event asks for, lets it be reviewed, and reports to the runner. */
import { KodiaiError, messageOf } from "../base/errors.ts";
import { workflowCommand } from "../base/workflow-command.ts";
import type { CliDeps, Command, ParsedArguments } from "../cli/command.ts";
import type { ExitCode } from "../cli/exit-code.ts";
import { environment } from "../config/settings.ts";
import { taskOf } from "./events.ts";
import { readInputs } from "./inputs.ts";
import { maskCommandsOf } from "./masks.ts";
import { performTask } from "./perform-task.ts";
import { reportReviews } from "./report-reviews.ts";
import { readWorkflowJob } from "./workflow-job.ts";

export const action: Command = {
  name: "action",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Runs as a step of GitHub Actions, which action.yml starts. Reads the event and the inputs from the environment. See\ndocs/github-action.md.",
  options: {},
  examples: [{ line: "kodiai action", comment: "in a job of GitHub Actions" }],
  run,
};

async function run(_: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const env = environment();
  const print = (line: string): void => deps.stdout.write(`${line}\n`);
  // Before anything else is printed.
  if (deps.settings.githubActions) for (const mask of maskCommandsOf(env)) print(mask);
  try {
    const job = await readWorkflowJob(env, deps.files);
    const inputs = readInputs(env);
    const task = taskOf(job.event, inputs);
    const performed = await performTask(task, { job, inputs }, deps);
    return await reportReviews(performed, { job, inputs }, deps);
  } catch (error) {
    // The message is also in the log, but only an annotation is on the page of the workflow run.
    if (!deps.signal.aborted) {
      const hint = error instanceof KodiaiError ? `\n${error.hint}` : "";
      print(workflowCommand("error", { title: "Kodiai" }, `${messageOf(error)}${hint}`));
    }
    throw error;
  }
}
