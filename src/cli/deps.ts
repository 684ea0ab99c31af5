/** `kodiai deps`: what a change does to dependencies, without a review of its code. */
import type { DependencyReport } from "../ecosystems/dependency-report.ts";
import { isTampering } from "../ecosystems/supply-chain/signal.ts";
import type { DependencyReview } from "../jobs/review-dependencies.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { createProgress } from "./progress.ts";
import { DEFAULT_WIDTH } from "./print-review.ts";

/** Each includes those before it. */
const FAIL_LEVELS = ["none", "tampering", "low", "medium"] as const;

const FORMATS = ["terminal", "markdown", "json"] as const;

export const deps: Command = {
  name: "deps",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Shows what a change does to dependencies: each package from version to version, advisories, breaking notes, removed exports\nand where this repository uses them, signs of tampering, and how far the facts speak for merging. Compares the current\nbranch and your uncommitted work with the base. Names and versions of public packages are looked up in their registries;\nprivate packages never are.",
  options: {
    base: {
      type: "string",
      value: "REF",
      help: "compare with this branch, tag or commit (default: detected)",
    },
    format: { type: "string", short: "f", value: "FORMAT", choices: FORMATS, help: "output format" },
    offline: { type: "boolean", help: "send no request; KODIAI_ADVISORIES and kept answers are still used" },
    "fail-on": {
      type: "string",
      value: "LEVEL",
      choices: FAIL_LEVELS,
      help: "exit with 1 on signs of tampering, or if merge confidence is at most this (default: tampering)",
    },
  },
  examples: [
    { line: "kodiai deps", comment: "show the dependency changes of the current branch" },
    { line: "kodiai deps --base v1.2.0 --format markdown", comment: "for release notes" },
    { line: "kodiai deps --offline --format json", comment: "only what the files say, as JSON" },
    {
      line: "kodiai deps --fail-on low",
      comment: "in CI: fail on tampering, grave advisories and affected call sites",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, cli: CliDeps): Promise<ExitCode> {
  const progress = createProgress(cli);
  progress.update("reading the change");
  const { base = null } = options;
  const [repository, reader] = await Promise.all([
    cli.code.openRepository(),
    cli.code.openReader(cli.signal),
  ]);
  try {
    const { reviewDependencies } = await import("../jobs/review-dependencies.ts");
    const change = await repository.readChange({
      kind: "current",
      base: typeof base === "string" ? base : null,
    });
    progress.update("comparing dependencies");
    const review = await reviewDependencies(change, {
      repository,
      reader,
      signal: cli.signal,
      lookups: cli.lookups({ isOffline: options["offline"] === true }),
      readPastBumps: null,
    });
    progress.clear();
    cli.stdout.write(await render(review, options["format"], cli));
    for (const { what, message } of review.degradations) cli.stderr.write(`kodiai: ${what}: ${message}\n`);
    // The choices of the option are the levels.
    const failOn = (options["fail-on"] ?? "tampering") as FailLevel;
    if (review.report !== null && isFailing(review.report, failOn)) return EXIT.findings;
    // Everything else was compared. A companion's packages aren't this change's.
    const isComplete = review.report?.unread.every(({ isCompanion }) => isCompanion === true) ?? true;
    return isComplete ? EXIT.ok : EXIT.incomplete;
  } finally {
    progress.clear();
    reader.close();
    repository.close();
  }
}

type FailLevel = (typeof FAIL_LEVELS)[number];

/** The confidence of the whole change is that of its worst package, and tampering makes it low. */
function isFailing({ confidence, packages }: DependencyReport, failOn: FailLevel): boolean {
  if (failOn === "none") return false;
  if (packages.some(({ signals }) => signals.some(isTampering))) return true;
  if (failOn === "low") return confidence.level === "low";
  return failOn === "medium" && confidence.level !== "high";
}

async function render(
  { report }: DependencyReview,
  format: string | true | undefined,
  cli: CliDeps,
): Promise<string> {
  if (format === "json") {
    const { stringifySafe } = await import("../review/publication/render/safe-json.ts");
    return stringifySafe({ version: 1, dependencies: report });
  }
  if (format === "markdown") {
    const { renderDependencies } = await import("../review/publication/render/dependency-blocks.ts");
    return report === null ? "This change touches no dependency.\n" : renderDependencies(report);
  }
  const { renderTerminalDependencies } =
    await import("../review/publication/render/terminal-dependencies.ts");
  const { settings, stdout } = cli;
  const color = settings.forceColor || (stdout.isTerminal && !settings.noColor);
  return renderTerminalDependencies(report, { color, width: stdout.columns ?? DEFAULT_WIDTH });
}
