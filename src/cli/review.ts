/** `kodiai review`: reviews a local change and prints the result. */
import { KodiaiError } from "../base/errors.ts";
import { yieldToEventLoop } from "../base/event-loop.ts";
import { isAtLeast, SEVERITIES, type Severity } from "../base/severity.ts";
import { CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import { describeProgress } from "../jobs/describe-progress.ts";
import type { ReviewDeps } from "../jobs/gathering/prepare-review.ts";
import type { ChangeRequest, PullRequestChange, Repository } from "../repository/repository.ts";
import type { AuthorFacts } from "../review/analysis/author-tier.ts";
import type { Change } from "../review/change/change.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { Publication } from "../review/publication/publication.ts";
import { OUTPUT_FORMATS, type OutputFormat } from "../review/publication/output-format.ts";
import { count } from "../base/count.ts";
import { isComplete } from "../review/publication/words.ts";
import type { PullRequestAddress } from "./app.ts";
import type { CliDeps, Command, ModelOptions, ParsedArguments } from "./command.ts";
import { describeChoice } from "./describe-choice.ts";
import { describeModelFailure, type CommandLineModelFailure } from "./describe-model-failure.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readDiffInput } from "./read-diff-input.ts";
import { recordTo } from "./record-to.ts";

const FAIL_LEVELS = ["none", ...SEVERITIES] as const;

/** What is published is said by the base's own configuration; whoever sets one of these would wait for it in vain. */
const PRINTING_OPTIONS = [
  "format",
  "output",
  "fail-on",
  "config",
  "model",
  "budget-usd",
  "offline",
  "record",
];

/** A terminal of unknown width, and the widest line that is comfortable to read. */
export const DEFAULT_WIDTH = 80;

/** Whoever runs the command knows the repository as well as anybody. */
const UNKNOWN_AUTHOR: AuthorFacts = { association: null, mergedPullRequests: null };

export const review: Command = {
  name: "review",
  takes: "",
  positionals: { min: 0, max: 0 },
  description:
    "Reviews a change of the repository you are in: the current branch with your uncommitted work against its base, unless\nyou say otherwise. Needs no server, no account and no key. Nothing leaves the machine\nunless --pr names a pull request elsewhere, or a model reviews: the one that --model, KODIAI_MODEL, your own\n~/.config/kodiai/config.yml or the repository's .kodiai.yml names, or that a key in the environment stands for\n(ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY). Kodiai says so on standard error before it calls a model that you\ndidn't name with --model. --offline uses none. Ctrl-C while a model reads stops it, prints what was found so far and ends\nwith 130.",
  options: {
    base: {
      type: "string",
      value: "REF",
      help: "compare with this branch, tag or commit (default: found by itself)",
    },
    staged: { type: "boolean", help: "review what is staged" },
    commit: { type: "string", value: "SHA", help: "review one commit" },
    range: { type: "string", value: "A..B", help: "review from A to B; A...B: from their merge base" },
    diff: { type: "string", value: "FILE", help: "review a diff; - reads standard input" },
    pr: { type: "string", value: "URL", help: "review a pull request on GitHub; GITHUB_TOKEN helps if set" },
    publish: { type: "boolean", help: "with --pr: publish as the GitHub App does, instead of printing" },
    format: {
      type: "string",
      short: "f",
      value: "FORMAT",
      choices: OUTPUT_FORMATS,
      help: "how it is written",
    },
    output: { type: "string", short: "o", value: "FILE", help: "write to a file instead of standard output" },
    "fail-on": {
      type: "string",
      value: "LEVEL",
      choices: FAIL_LEVELS,
      help: "exit with 1 from this severity up",
    },
    model: {
      type: "string",
      value: "PROVIDER:NAME",
      help: "review with this model; floor: with none (default: by configuration and keys)",
    },
    "budget-usd": { type: "string", value: "AMOUNT", help: "most that the model may cost; 2 by default" },
    offline: { type: "boolean", help: "use no model and open no connection" },
    config: { type: "string", value: "FILE", help: "use this instead of the repository's .kodiai.yml" },
    record: { type: "string", value: "FILE", help: "write a recording to it, for `kodiai replay`" },
  },
  examples: [
    { line: "kodiai review", says: "the current branch and what is not committed yet" },
    { line: "kodiai review --staged --offline --fail-on major", says: "in a pre-commit hook" },
    { line: "kodiai review --range v1.2.0..v1.3.0 --format markdown", says: "what a release changed" },
    {
      line: "kodiai review --pr https://github.com/acme/shop/pull/7",
      says: "a pull request, printed and not published",
    },
    {
      line: "kodiai review --model anthropic:claude-sonnet-4-5 --budget-usd 0.50",
      says: "with a model that may cost half a dollar",
    },
    { line: "git diff main | kodiai review --diff -", says: "a diff from anywhere" },
    {
      line: "kodiai review --base origin/main --format sarif --output kodiai.sarif",
      says: "for code scanning in CI",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const source = changeSource(options);
  if (options["publish"] === true) {
    if (source.kind !== "pull-request") throw usage(review, "--publish goes with --pr URL");
    const idle = PRINTING_OPTIONS.filter((name) => options[name] !== undefined).map((name) => `--${name}`);
    if (idle.length > 0)
      throw usage(review, `${idle.join(" and ")} cannot be combined with --publish: nothing is printed`);
    return (await import("./publish-review.ts")).printReview(source.address, deps);
  }
  if (options["offline"] === true && source.kind === "pull-request")
    throw usage(review, "--offline cannot be combined with --pr: a pull request is elsewhere");
  const progress = createProgress(deps);
  const stopping = new AbortController();
  const troubles: CommandLineModelFailure[] = [];
  const stop = {
    signal: stopping.signal,
    onChosen: (foundCount: () => number) => keepOnStop(stopping, foundCount, { ...deps, progress }),
  };
  const models = await deps.openModels(modelOptions(options, review), {
    stop,
    tell: (trouble) => troubles.push(trouble),
    announce: (choice) => progress.say(describeChoice(choice)),
  });
  const givenConfig = await readGivenConfig(options["config"], deps);
  progress.update("reading the change");
  const reader = await deps.openReader(deps.signal);
  // It loads while git is asked.
  reader.warm();
  const { repository, author, readChange } = await openSource(source, deps, progress);
  try {
    // Git answers while the rules are loaded: together they are most of the time a small review takes.
    const loading = loadRecipe();
    const change = await readChange();
    const { createChangeReview, reviewChange } = await loading;
    const reviewDeps: ReviewDeps = {
      ...deps,
      repository,
      reader,
      onProgress: (done) => progress.update(describeProgress(done)),
    };
    const { record } = options;
    const recording = typeof record === "string" ? await recordTo(record, reviewDeps, deps) : null;
    // The person at the keyboard is the operator: their tags count.
    const asked = { isExplicit: true, tags: "all" } as const;
    const { publication, failOn } = await reviewChange(
      { change, givenConfig, ...asked, author, prior: NO_PRIOR_REVIEW },
      models,
      recording?.review ?? createChangeReview(reviewDeps),
    );
    progress.clear();
    for (const trouble of troubles) deps.stderr.write(describeModelFailure(trouble));
    await publish(publication, options, deps);
    await recording?.write();
    if (stopping.signal.aborted) return EXIT.interrupted;
    return exitCodeOf(publication, options["fail-on"] ?? failOn);
  } finally {
    progress.clear();
    reader.close();
    repository?.close();
  }
}

/** While a model reads, Ctrl-C stops it and not the review: what was found is told, because it has been paid for. */
function keepOnStop(
  stopping: AbortController,
  foundCount: () => number,
  {
    onFirstStop,
    stderr,
    progress,
  }: Pick<CliDeps, "onFirstStop" | "stderr"> & { readonly progress: Progress },
): void {
  onFirstStop(() => {
    progress.clear();
    const found = count(foundCount(), "finding");
    stderr.write(
      `kodiai: stopping the model; its ${found} so far and what the rules found are kept. Ctrl-C again ends without them\n`,
    );
    stopping.abort();
  });
}

/** Also for other commands that review. */
export function modelOptions(
  options: ParsedArguments["options"],
  command: Pick<Command, "name">,
): ModelOptions {
  const { model, offline, "budget-usd": budget, config } = options;
  const isOwnConfig = config !== undefined;
  if (offline === true && model !== undefined && model !== "floor")
    throw usage(command, "--offline and --model cannot be combined: models are elsewhere");
  const asked = offline === true ? "--offline" : typeof model === "string" ? model : null;
  if (typeof budget !== "string") return { asked, budgetUsd: null, isOwnConfig };
  const budgetUsd = Number(budget);
  if (budget.trim() === "" || !Number.isFinite(budgetUsd) || budgetUsd < 0)
    throw usage(command, "--budget-usd takes an amount in US dollars, such as 0.50");
  return { asked, budgetUsd, isOwnConfig };
}

type OpenedSource = {
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  readonly author: AuthorFacts;
  readonly readChange: () => Promise<Change>;
};

async function openSource(source: ChangeSource, deps: CliDeps, progress: Progress): Promise<OpenedSource> {
  if (source.kind === "pull-request") {
    const onStage = (stage: string): void => progress.update(stage);
    const { repository, author, change } = await deps.openPullRequest(source.address, onStage);
    return { repository, author, readChange: async () => change };
  }
  if (source.kind === "diff") {
    const readChange = () => readDiffInput(source.path, deps);
    return { repository: await openIfAny(deps), author: UNKNOWN_AUTHOR, readChange };
  }
  const repository = await deps.openRepository();
  return { repository, author: UNKNOWN_AUTHOR, readChange: () => repository.readChange(source) };
}

/** Piece by piece, so that git's answers are taken in between. */
async function loadRecipe() {
  await yieldToEventLoop();
  return import("../jobs/review-change.ts");
}

type ChangeSource =
  | Exclude<ChangeRequest, PullRequestChange>
  | { readonly kind: "diff"; readonly path: string }
  | { readonly kind: "pull-request"; readonly address: PullRequestAddress };

function changeSource(options: ParsedArguments["options"]): ChangeSource {
  const given = ["staged", "commit", "range", "diff", "base", "pr"].filter(
    (name) => options[name] !== undefined,
  );
  if (given.length > 1) {
    throw usage(
      review,
      `${given.map((name) => `--${name}`).join(" and ")} cannot be combined: each names the change`,
    );
  }
  const value = (name: string): string => String(options[name]);
  switch (given[0]) {
    case "staged":
      return { kind: "staged" };
    case "commit":
      return { kind: "commit", ref: value("commit") };
    case "range":
      return { kind: "range", range: value("range") };
    case "diff":
      return { kind: "diff", path: value("diff") };
    case "pr":
      return { kind: "pull-request", address: parseAddress(value("pr")) };
    default:
      return { kind: "current", base: options["base"] === undefined ? null : value("base") };
  }
}

/** https://github.com/acme/shop/pull/7, whatever follows the number. */
function parseAddress(text: string): PullRequestAddress {
  const url = URL.parse(text);
  // A parsed path has no dots that lead elsewhere.
  const match = /^\/([\w.-]+)\/([\w.-]+)\/pull\/(\d{1,12})(?:\/.*)?$/.exec(url?.pathname ?? "");
  const [, owner, name, number] = match ?? [];
  const isWeb = url !== null && /^https?:$/.test(url.protocol) && url.username + url.password === "";
  if (!isWeb || owner === undefined || name === undefined)
    throw usage(
      review,
      "--pr takes the address of a pull request, such as https://github.com/acme/shop/pull/7",
    );
  return { origin: url.origin, owner, name, number: Number(number) };
}

/** A diff can be reviewed outside a repository; inside one, its files can be read whole. */
async function openIfAny(deps: CliDeps): Promise<Repository | null> {
  try {
    return await deps.openRepository();
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "not-a-repository") return null;
    throw error;
  }
}

async function readGivenConfig(path: string | true | undefined, deps: CliDeps) {
  if (typeof path !== "string") return null;
  return { path, bytes: await deps.readFile(path, CONFIG_READ_BYTES) };
}

async function publish(
  publication: Publication,
  options: ParsedArguments["options"],
  deps: CliDeps,
): Promise<void> {
  const { output } = options;
  // The choices of the option are the formats.
  const format = (options["format"] ?? "terminal") as OutputFormat;
  const toFile = typeof output === "string";
  const forge = await deps.createTerminalForge({
    format,
    color: !toFile && usesColor(deps),
    width: deps.stdout.columns ?? DEFAULT_WIDTH,
    write: async (text) => {
      if (toFile) await deps.writeFile(output, text, { overwrite: true });
      else deps.stdout.write(text);
    },
  });
  await forge.publish(publication);
  if (toFile) deps.stderr.write(`kodiai: ${publication.verdict.headline}; written to ${output}\n`);
}

export function usesColor({ settings, stdout }: CliDeps): boolean {
  return settings.forceColor || (stdout.isTerminal && !settings.noColor);
}

function exitCodeOf(publication: Publication, failOn: string | true): ExitCode {
  // The choices of the option, and of the configuration's key, are the severities and "none".
  const level = failOn as Severity | "none";
  if (level !== "none" && publication.findings.some(({ severity }) => isAtLeast(severity, level)))
    return EXIT.findings;
  return isComplete(publication) ? EXIT.ok : EXIT.incomplete;
}
