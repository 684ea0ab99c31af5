/**
 * The command line: finds the command, loads only it, runs it, turns failures into messages and exit codes. One line per
 * command in COMMANDS.
 */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { CliDeps, Command } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { OTHER_COMMANDS } from "./other-commands.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type CommandLine, renderCommandHelp, renderCommandList } from "./render-help.ts";

type CommandEntry = CommandLine & { readonly load: () => Promise<Command> };

const COMMANDS: readonly CommandEntry[] = [
  {
    name: "review",
    summary: "review a change: the current branch, a commit, a range, a diff, a pull request",
    load: async () => (await import("./review.ts")).review,
  },
  {
    name: "serve",
    summary: "run the GitHub App: take webhooks and review pull requests",
    load: () => loadOther("serve"),
  },
  {
    name: "worker",
    summary: "run jobs of the GitHub App that a server has queued",
    load: () => loadOther("worker"),
  },
  {
    name: "jobs show",
    summary: "show all that is recorded about a job or a delivery",
    load: () => loadOther("jobsShow"),
  },
  {
    name: "jobs retry",
    summary: "queue a job again that failed, was skipped or was cancelled",
    load: () => loadOther("jobsRetry"),
  },
  {
    name: "jobs",
    summary: "list what came in, what became of it, and why",
    load: () => loadOther("jobs"),
  },
  {
    name: "mcp",
    summary: "serve this repository's tools and reviews to other programs over MCP",
    load: () => loadOther("mcp"),
  },
  {
    name: "migrate",
    summary: "move an installation from SQLite to PostgreSQL",
    load: () => loadOther("migrate"),
  },
  {
    name: "replay",
    summary: "run a recorded review again, offline, and compare",
    load: () => loadOther("replay"),
  },
  {
    name: "init",
    summary: "write a commented .kodiai.yml",
    load: () => loadOther("init"),
  },
  {
    name: "config check",
    summary: "check .kodiai.yml: errors with line numbers and the nearest known key",
    load: () => loadOther("configCheck"),
  },
  {
    name: "config explain",
    summary: "show the effective configuration of a path and where each value comes from",
    load: () => loadOther("configExplain"),
  },
];

/** All but `review` are in one piece: each piece more costs every start of `review` time, and they are seldom waited for. */
async function loadOther(name: keyof typeof OTHER_COMMANDS): Promise<Command> {
  const { OTHER_COMMANDS: commands } = await import("./other-commands.ts");
  return commands[name];
}

/** Runs one command line (without the program's name). Never throws. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<ExitCode> {
  try {
    return await dispatch(argv, deps);
  } catch (error) {
    return report(error, deps);
  }
}

async function dispatch(argv: readonly string[], deps: CliDeps): Promise<ExitCode> {
  const [first = "--help", second = ""] = argv;
  if (first === "--version" || first === "-V") {
    deps.stdout.write(`${deps.version}\n`);
    return EXIT.ok;
  }
  if (first === "--help" || first === "-h" || (first === "help" && second === "")) {
    deps.stdout.write(renderCommandList(COMMANDS, deps.version));
    return EXIT.ok;
  }
  if (first === "help") return dispatch([...argv.slice(1), "--help"], deps);
  const entry = COMMANDS.find(({ name }) => name === `${first} ${second}` || name === first);
  if (entry === undefined) throw await unknownCommand(first, second);
  const rest = argv.slice(entry.name.split(" ").length);
  const command = await entry.load();
  if (rest.includes("--help") || rest.includes("-h")) {
    deps.stdout.write(renderCommandHelp(command));
    return EXIT.ok;
  }
  return command.run(await parseArguments(rest, command), deps);
}

async function unknownCommand(first: string, second: string): Promise<KodiaiError> {
  const { nearest } = await import("../base/nearest.ts");
  const names = COMMANDS.map(({ name }) => name);
  const typed = names.some((name) => name.startsWith(`${first} `)) ? `${first} ${second}`.trim() : first;
  const near = nearest(typed, names) ?? names.find((name) => name.startsWith(`${first} `)) ?? null;
  return new KodiaiError(
    "usage",
    `unknown command "${printable(typed)}"${near === null ? "" : `; did you mean "${near}"?`}`,
    {
      hint: "See `kodiai --help` for the commands there are.",
    },
  );
}

function report(error: unknown, deps: CliDeps): ExitCode {
  if (deps.signal.aborted) {
    deps.stderr.write("kodiai: stopped; nothing was written\n");
    return EXIT.interrupted;
  }
  if (error instanceof KodiaiError) {
    deps.stderr.write(`kodiai: ${error.message}\n  ${error.hint}\n`);
    return exitCodeOf(error);
  }
  const said = error instanceof Error ? (error.stack ?? error.message) : String(error);
  deps.stderr.write(`kodiai: this is a defect of Kodiai, please report it with the lines below\n${said}\n`);
  return EXIT.failure;
}

function exitCodeOf(error: KodiaiError): ExitCode {
  switch (error.code) {
    case "git":
    case "io":
    case "network":
    case "forbidden":
    case "not-found":
    case "suspended":
    case "rate-limited":
    case "bad-json":
    case "bad-payload":
    case "database":
      return EXIT.failure;
    case "too-large":
      return EXIT.incomplete;
    case "cancelled":
      return EXIT.interrupted;
    case "usage":
    case "config":
    case "not-a-repository":
    case "no-commits":
    case "unknown-ref":
    case "no-merge-base":
    case "bad-diff":
      return EXIT.usage;
  }
}
