/** `kodiai worker`: runs jobs that a server has queued. */
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { CONCURRENCY, readNumber } from "./numbers.ts";
import { DEFAULT_CONCURRENCY, untilStopped } from "./serve.ts";

export const worker: Command = {
  name: "worker",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Runs jobs of the GitHub App without taking webhooks. Any number of workers may share one database; settings are those\nof `kodiai serve`. Ctrl-C stops it in order.",
  options: {
    concurrency: CONCURRENCY,
    "given-job": {
      type: "boolean",
      help: "run the one job that a worker passes on; workers start this themselves",
    },
  },
  examples: [{ line: "kodiai worker --concurrency 4", says: "four reviews at a time" }],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const concurrency = readNumber(worker, options, "concurrency", { min: 1, max: 64 });
  const app = await deps.openApp();
  try {
    if (options["given-job"] === true) {
      await app.workOnGiven(deps.signal);
      return EXIT.ok;
    }
    return await untilStopped(await app.work(concurrency ?? DEFAULT_CONCURRENCY), deps);
  } finally {
    await app.close();
  }
}
