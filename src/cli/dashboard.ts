/** `kodiai dashboard`: serves the dashboard from a process of its own. */
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import type { ExitCode } from "./exit-code.ts";
import { readNumber } from "./number-options.ts";
import { untilStopped } from "./serve.ts";

/** Next to a server on the same machine, which listens on 3000. */
const DEFAULT_PORT = 3_001;

const DEFAULT_HOST = "127.0.0.1";

export const dashboard: Command = {
  name: "dashboard",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Serves the dashboard: what Kodiai reviewed, what it cost and what it learned. `kodiai serve` has the same dashboard; this command\nserves it from a process of its own, on the database in DATABASE_URL, and prints a link for signing in on this machine. See\ndocs/dashboard.md. Ctrl-C stops it.",
  options: {
    port: { type: "string", value: "PORT", help: `listen on this port (default: ${DEFAULT_PORT})` },
    host: { type: "string", value: "HOST", help: `listen on this address (default: ${DEFAULT_HOST})` },
    local: { type: "boolean", help: "ignore KODIAI_DASHBOARD_URL; only this machine can open it" },
  },
  examples: [
    { line: "kodiai dashboard", comment: "open the dashboard on this machine" },
    {
      line: "kodiai dashboard --host 0.0.0.0 --port 8080",
      comment: "behind a proxy, with KODIAI_DASHBOARD_URL",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const port = readNumber(dashboard, options, "port", { min: 0, max: 65_535 });
  const { host } = options;
  const running = await deps.installation.serveDashboard({
    host: typeof host === "string" ? host : DEFAULT_HOST,
    port: port ?? DEFAULT_PORT,
    isLocal: options["local"] === true,
  });
  return untilStopped(running, deps, "shutting down");
}
