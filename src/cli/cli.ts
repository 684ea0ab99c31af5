/**
 * The command line: finds the command, loads only that command, runs it, and turns errors into messages and exit codes.
 */
import { KodiaiError } from "../base/errors.ts";
import { printable } from "../base/printable.ts";
import type { CliDeps, Command } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import type { OTHER_COMMANDS } from "./other-commands.ts";
import { parseArguments } from "./parse-arguments.ts";
import { type CommandLine, renderCommandGroup, renderCommandHelp, renderCommandList } from "./render-help.ts";

type CommandEntry = CommandLine & { readonly load: () => Promise<Command> };

const COMMANDS: readonly CommandEntry[] = [
  {
    name: "review",
    summary: "review the current branch, a commit, a range, a diff or a pull request",
    load: async () => (await import("./review.ts")).review,
  },
  {
    name: "ask",
    summary: "answer a question from the code, with a model that reads it",
    load: () => loadOther("ask"),
  },
  {
    name: "deep-review",
    summary: "ask a long-thinking model a question about a change and the code around it",
    load: () => loadOther("deepReview"),
  },
  {
    name: "deps",
    summary: "show what a change does to dependencies",
    load: () => loadOther("deps"),
  },
  {
    name: "advisories download",
    summary: "copy OSV's advisories for machines without a network",
    load: () => loadOther("advisoriesDownload"),
  },
  {
    name: "pack",
    summary: "write a change and the code around it into one file for a model",
    load: async () => (await import("./pack.ts")).pack,
  },
  {
    name: "setup",
    summary: "create a GitHub App and store its settings",
    load: () => loadOther("setup"),
  },
  {
    name: "serve",
    summary: "run the GitHub App: receive webhooks and review pull requests",
    load: () => loadOther("serve"),
  },
  {
    name: "worker",
    summary: "run jobs that a server has queued",
    load: () => loadOther("worker"),
  },
  {
    name: "dashboard",
    summary: "show what Kodiai did, cost and learned, in a browser",
    load: () => loadOther("dashboard"),
  },
  {
    name: "doctor",
    summary: "check the installation and say what to do",
    load: () => loadOther("doctor"),
  },
  {
    name: "eval fetch",
    summary: "clone a public set of pull requests with known answers",
    load: () => loadOther("evalFetch"),
  },
  {
    name: "eval mine",
    summary: "build a set from a repository's merged pull requests",
    load: () => loadOther("evalMine"),
  },
  {
    name: "jobs show",
    summary: "show everything recorded about a job or a delivery",
    load: () => loadOther("jobsShow"),
  },
  {
    name: "jobs retry",
    summary: "requeue a failed, skipped or cancelled job",
    load: () => loadOther("jobsRetry"),
  },
  {
    name: "jobs",
    summary: "list jobs and deliveries with their state and reason",
    load: () => loadOther("jobs"),
  },
  {
    name: "eval run",
    summary: "review pull requests with known answers and keep the reviews",
    load: () => loadOther("evalRun"),
  },
  {
    name: "eval score",
    summary: "show what a run found of what is known, and where findings were lost",
    load: () => loadOther("evalScore"),
  },
  {
    name: "eval compare",
    summary: "compare two runs on the same pull requests",
    load: () => loadOther("evalCompare"),
  },
  {
    name: "report",
    summary: "add up reviews, findings, acceptance, time and cost",
    load: () => loadOther("report"),
  },
  {
    name: "memory list",
    summary: "list what is remembered about each repository",
    load: () => loadOther("memoryList"),
  },
  {
    name: "memory show",
    summary: "show everything about a memory, a learning or a suppression",
    load: () => loadOther("memoryShow"),
  },
  {
    name: "memory add",
    summary: "add a learning to a repository",
    load: () => loadOther("memoryAdd"),
  },
  {
    name: "memory edit",
    summary: "change a learning",
    load: () => loadOther("memoryEdit"),
  },
  {
    name: "memory forget",
    summary: "forget single items, or everything about a repository",
    load: () => loadOther("memoryForget"),
  },
  {
    name: "memory export",
    summary: "write what is remembered to a file",
    load: () => loadOther("memoryExport"),
  },
  {
    name: "memory import",
    summary: "read a file that `memory export` wrote",
    load: () => loadOther("memoryImport"),
  },
  {
    name: "memory propose",
    summary: "write learnings to .kodiai/learnings.yml for a pull request",
    load: () => loadOther("memoryPropose"),
  },
  {
    name: "memory replay",
    summary: "show which past findings a suppression or a learning would have hidden",
    load: () => loadOther("memoryReplay"),
  },
  {
    name: "show",
    summary: "show one finding of the last review of this branch with its code",
    load: () => loadOther("show"),
  },
  {
    name: "mcp",
    summary: "serve tools and reviews of this repository over MCP",
    load: () => loadOther("mcp"),
  },
  {
    name: "backup",
    summary: "copy the SQLite database of a running installation to a file",
    load: () => loadOther("backup"),
  },
  {
    name: "migrate",
    summary: "move an installation from SQLite to PostgreSQL",
    load: () => loadOther("migrate"),
  },
  {
    name: "replay",
    summary: "rerun a recorded review offline and compare the results",
    load: () => loadOther("replay"),
  },
  {
    name: "action",
    summary: "run as a step of GitHub Actions",
    load: async () => (await import("../action/action.ts")).action,
  },
  {
    name: "init",
    summary: "write a commented .kodiai.yml",
    load: () => loadOther("init"),
  },
  {
    name: "config check",
    summary: "validate .kodiai.yml and list problems with line numbers",
    load: () => loadOther("configCheck"),
  },
  {
    name: "config explain",
    summary: "show the effective configuration for a path and where each value comes from",
    load: () => loadOther("configExplain"),
  },
  {
    name: "rules",
    summary: "list the rules and their state in this repository, or explain one",
    load: () => loadOther("rules"),
  },
];

/** All commands but `review` share one bundle chunk: every extra chunk slows down the start of `review`. */
async function loadOther(name: keyof typeof OTHER_COMMANDS): Promise<Command> {
  const { OTHER_COMMANDS: commands } = await import("./other-commands.ts");
  return commands[name];
}

/** A signal for a whole group of processes reaches them within microseconds, but this one may have to wait for its turn. */
const MAX_SIGNAL_LAG_MS = 200;

/** Runs one command line (without the program's name). Never throws. */
export async function runCli(argv: readonly string[], deps: CliDeps): Promise<ExitCode> {
  try {
    return await dispatch(argv, deps);
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "git") await awaitInterrupt(deps.signal);
    return report(error, deps);
  }
}

/** Ctrl-C ends git too, sometimes before this process learns of it. */
function awaitInterrupt(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, MAX_SIGNAL_LAG_MS);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      resolve();
    });
    if (signal.aborted) resolve();
  });
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
  const group = COMMANDS.filter(({ name }) => name.startsWith(`${first} `));
  if (entry === undefined && group.length > 0 && ["", "--help", "-h"].includes(second)) {
    deps.stdout.write(renderCommandGroup(first, group));
    return EXIT.ok;
  }
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
      hint: "Run `kodiai --help` for a list of commands.",
    },
  );
}

function report(error: unknown, deps: CliDeps): ExitCode {
  if (deps.signal.aborted) {
    deps.stderr.write("kodiai: interrupted; nothing was written\n");
    return EXIT.interrupted;
  }
  if (error instanceof KodiaiError) {
    deps.stderr.write(`kodiai: ${error.message}\n  ${error.hint}\n`);
    return exitCodeOf(error);
  }
  const details = error instanceof Error ? (error.stack ?? error.message) : String(error);
  deps.stderr.write(`kodiai: internal error; please report it with the lines below\n${details}\n`);
  return EXIT.failure;
}

function exitCodeOf(error: KodiaiError): ExitCode {
  switch (error.code) {
    case "git":
    case "io":
    case "disk-full":
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
    case "bad-sarif":
      return EXIT.usage;
  }
}
