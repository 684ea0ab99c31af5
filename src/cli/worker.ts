/** `kodiai worker`: runs jobs that a server has queued. It receives no webhooks. */
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { CONCURRENCY, readNumber } from "./number-options.ts";
import { DEFAULT_CONCURRENCY, untilStopped } from "./serve.ts";

export const worker: Command = {
  name: "worker",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Runs jobs of the GitHub App without receiving webhooks. Any number of workers can share one database. Needs the same\nsettings as `kodiai serve`. Ctrl-C shuts down gracefully.",
  options: {
    concurrency: CONCURRENCY,
    "given-job": {
      type: "boolean",
      help: "internal: run the one job that the parent worker passes on",
    },
  },
  examples: [{ line: "kodiai worker --concurrency 4", comment: "run up to four reviews at a time" }],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const concurrency = readNumber(worker, options, "concurrency", { min: 1, max: 64 });
  const app = await deps.installation.openApp();
  try {
    if (options["given-job"] === true) {
      await app.runGivenJob(deps.signal);
      return EXIT.ok;
    }
    return await untilStopped(await app.work(concurrency ?? DEFAULT_CONCURRENCY), deps);
  } finally {
    await app.close();
  }
}
