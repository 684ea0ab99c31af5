/** `kodiai serve`: runs the GitHub App, with server and worker in one process by default. */
import type { Running } from "./app.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { CONCURRENCY, readNumber } from "./number-options.ts";

export const serve: Command = {
  name: "serve",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Runs the GitHub App: receives webhooks at /webhooks/github and reviews pull requests. Reads settings from the environment\nand .env: GITHUB_APP_ID, GITHUB_PRIVATE_KEY and GITHUB_WEBHOOK_SECRET are required. See docs/github-app.md. Ctrl-C shuts\ndown gracefully.",
  options: {
    port: { type: "string", value: "PORT", help: "listen on this port (default: PORT, or 3000)" },
    host: { type: "string", value: "HOST", help: "listen on this address (default: HOST, or all addresses)" },
    "no-worker": { type: "boolean", help: "only receive webhooks; `kodiai worker` runs the reviews" },
    concurrency: CONCURRENCY,
    "no-dashboard": { type: "boolean", help: "don't serve the dashboard" },
  },
  examples: [
    { line: "kodiai serve", comment: "run server and worker in one process" },
    { line: "kodiai serve --no-worker --port 8080", comment: "run only the server, with workers elsewhere" },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const port = readNumber(serve, options, "port", { min: 0, max: 65_535 });
  const concurrency = readNumber(serve, options, "concurrency", { min: 1, max: 64 });
  const app = await deps.installation.openApp();
  try {
    const running = await app.serve({
      host: typeof options["host"] === "string" ? options["host"] : null,
      port,
      concurrency: options["no-worker"] === true ? null : (concurrency ?? DEFAULT_CONCURRENCY),
      hasDashboard: options["no-dashboard"] !== true,
    });
    return await untilStopped(running, deps);
  } finally {
    await app.close();
  }
}

/** Reviews spend most of their time waiting for git and the network. */
export const DEFAULT_CONCURRENCY = 2;

/** Runs until a signal arrives, then shuts down gracefully. */
export async function untilStopped(
  running: Running,
  { stderr, signal }: CliDeps,
  goodbye = "shutting down; running jobs have 25 seconds to finish, and unfinished jobs restart at the next start",
): Promise<ExitCode> {
  stderr.write(`kodiai: ${running.description}\n`);
  if (!signal.aborted)
    await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
  stderr.write(`kodiai: ${goodbye}\n`);
  await running.stop();
  return EXIT.ok;
}
