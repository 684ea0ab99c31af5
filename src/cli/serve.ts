/** `kodiai serve`: the GitHub App, server and worker in one process unless told otherwise. */
import type { Running } from "./app.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { CONCURRENCY, readNumber } from "./numbers.ts";

export const serve: Command = {
  name: "serve",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Runs the GitHub App: takes webhooks at /webhooks/github and reviews pull requests. Settings come from the environment\nand from .env: GITHUB_APP_ID, GITHUB_PRIVATE_KEY, GITHUB_WEBHOOK_SECRET; see docs/github-app.md. Ctrl-C stops it in order.",
  options: {
    port: { type: "string", value: "PORT", help: "listen on this port (default: PORT, else 3000)" },
    host: { type: "string", value: "HOST", help: "listen on this address (default: HOST, else all)" },
    "no-worker": { type: "boolean", help: "take webhooks only; `kodiai worker` reviews" },
    concurrency: CONCURRENCY,
  },
  examples: [
    { line: "kodiai serve", says: "server and worker in one process" },
    { line: "kodiai serve --no-worker --port 8080", says: "the server alone, workers elsewhere" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const port = readNumber(serve, options, "port", { min: 0, max: 65_535 });
  const concurrency = readNumber(serve, options, "concurrency", { min: 1, max: 64 });
  const app = await deps.openApp();
  try {
    const running = await app.serve({
      host: typeof options["host"] === "string" ? options["host"] : null,
      port,
      concurrency: options["no-worker"] === true ? null : (concurrency ?? DEFAULT_CONCURRENCY),
    });
    return await untilStopped(running, deps);
  } finally {
    await app.close();
  }
}

/** Reviews wait for git and the network most of the time. */
export const DEFAULT_CONCURRENCY = 2;

/** Runs until a signal comes, then stops in order. */
export async function untilStopped(running: Running, { stderr, signal }: CliDeps): Promise<ExitCode> {
  stderr.write(`kodiai: ${running.says}\n`);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  stderr.write(
    "kodiai: stopping; jobs under way get 25 seconds, what is left is taken up at the next start\n",
  );
  await running.stop();
  return EXIT.ok;
}
