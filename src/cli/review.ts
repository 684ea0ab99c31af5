/** `kodiai review`: reviews a change and prints or publishes the result. */
import type { OrganizationConfig } from "../jobs/gathering/gather-organization-config.ts";
import { KodiaiError } from "../base/errors.ts";
import { SEVERITIES } from "../base/severity.ts";
import type { RepoConfig } from "../config/repo-config/schema.ts";
import { CONFIG_READ_BYTES } from "../config/repo-config/config-file.ts";
import { describeProgress } from "../jobs/describe-progress.ts";
import type { CodeIndex } from "../code-index/code-index.ts";
import type { KnowledgeSources } from "../jobs/gathering/create-knowledge.ts";
import type { ReviewDeps } from "../jobs/gathering/prepare-review.ts";
import { createLazyCodeIndex } from "../jobs/gathering/related-code/lazy-code-index.ts";
import type { ChangeRequest, PullRequestChange, Repository } from "../repository/repository.ts";
import type { AuthorFacts } from "../review/analysis/author-tier.ts";
import type { Change } from "../review/change/change.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import { OUTPUT_FORMATS } from "../review/publication/output-format.ts";
import { count } from "../base/count.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import type { CliDeps, Command, ModelOptions, ParsedArguments } from "./command.ts";
import { describeModelChoice } from "./describe-model-choice.ts";
import { describeModelFailure, type CommandLineModelFailure } from "./describe-model-failure.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { usage } from "./parse-arguments.ts";
import { exitCodeOfReview, printReview, readMax } from "./print-review.ts";
import { parseAddress } from "./parse-address.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readDiffInput } from "./read-diff-input.ts";
import type { OpenedSarif } from "./read-sarif.ts";
import { recordTo } from "./record-to.ts";
import type { ReviewMemory } from "./review-memory.ts";

const FAIL_LEVELS = ["none", ...SEVERITIES] as const;

/** These have no effect with --publish. */
const UNPUBLISHED_OPTIONS = ["offline", "no-analysers", "no-memory", "record", "sarif", "verify"];

/** With the GitHub App, these have no effect either: its own settings and the base branch's configuration decide, and nothing is printed. */
const CALLERS_OPTIONS = ["format", "all", "max", "output", "fail-on", "config", "model", "budget-usd"];

/** For a local change, no facts about its author are known. */
export const UNKNOWN_AUTHOR: AuthorFacts = { association: null, mergedPullRequests: null };

export const review: Command = {
  name: "review",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Reviews a change in the current repository: by default, the current branch with your uncommitted work, compared with its\nbase. Needs no server, no account and no API key.\n\nNothing leaves your machine unless you use --pr or a model, or change dependencies: the names and versions of public\npackages are looked up in their registries. The model comes from --model, KODIAI_MODEL, your\n~/.config/kodiai/config.yml, the repository's .kodiai.yml, or an API key in the environment (ANTHROPIC_API_KEY,\nOPENAI_API_KEY, GEMINI_API_KEY). Before Kodiai calls a model that you didn't name with --model, it says so on standard\nerror. Use --offline to review without a model and without look-ups. Ctrl-C stops a running model, prints the findings so far and exits with\n130.",
  options: {
    base: {
      type: "string",
      value: "REF",
      help: "compare with this branch, tag or commit (default: detected)",
    },
    staged: { type: "boolean", help: "review staged changes" },
    commit: { type: "string", value: "SHA", help: "review one commit" },
    range: { type: "string", value: "A..B", help: "review from A to B, or with A...B from their merge base" },
    diff: { type: "string", value: "FILE", help: "review a diff; - reads standard input" },
    pr: { type: "string", value: "URL", help: "review a pull request on GitHub; uses GITHUB_TOKEN if set" },
    publish: {
      type: "boolean",
      help: "with --pr: publish the review, as the GitHub App if it is set up, otherwise with GITHUB_TOKEN",
    },
    full: { type: "boolean", help: "read everything again, not only what is new since the last review" },
    format: {
      type: "string",
      short: "f",
      value: "FORMAT",
      choices: OUTPUT_FORMATS,
      help: "output format",
    },
    all: { type: "boolean", help: "show findings that are still open in full, also when there are new ones" },
    max: { type: "string", value: "N", help: "show at most N findings in the terminal (default: all)" },
    output: { type: "string", short: "o", value: "FILE", help: "write to a file instead of standard output" },
    "fail-on": {
      type: "string",
      value: "LEVEL",
      choices: FAIL_LEVELS,
      help: "exit with 1 if a finding is at least this severe",
    },
    model: {
      type: "string",
      value: "PROVIDER:NAME",
      help: "review with this model, or floor for built-in rules only (default: from configuration and API keys)",
    },
    "budget-usd": {
      type: "string",
      value: "AMOUNT",
      help: "limit for the cost of models in US dollars (default: 2)",
    },
    verify: {
      type: "string",
      value: "WHICH",
      choices: ["off", "doubtful", "all"],
      help: "which findings a second conversation with the model tries to refute (default: from configuration)",
    },
    "no-analysers": { type: "boolean", help: "don't run linters" },
    "no-memory": {
      type: "boolean",
      help: "neither use nor store what the last review of the branch has read",
    },
    offline: { type: "boolean", help: "use no model and no network" },
    sarif: {
      type: "string",
      value: "FILE",
      isRepeatable: true,
      help: "include the results of another tool on changed lines (SARIF 2.1.0); - reads standard input",
    },
    config: { type: "string", value: "FILE", help: "use this file instead of the repository's .kodiai.yml" },
    record: { type: "string", value: "FILE", help: "write a recording for `kodiai replay`" },
  },
  examples: [
    { line: "kodiai review", comment: "review the current branch and uncommitted work" },
    { line: "kodiai review --staged --offline --fail-on medium", comment: "use in a pre-commit hook" },
    {
      line: "kodiai review --range v1.2.0..v1.3.0 --format markdown",
      comment: "review the changes in a release",
    },
    {
      line: "kodiai review --pr https://github.com/acme/shop/pull/7",
      comment: "review a pull request and print the result",
    },
    {
      line: "kodiai review --model anthropic:claude-sonnet-4-5 --budget-usd 0.50",
      comment: "review with a model, for at most half a dollar",
    },
    { line: "git diff main | kodiai review --diff -", comment: "review a diff from any source" },
    {
      line: "semgrep scan --sarif --output semgrep.sarif; kodiai review --sarif semgrep.sarif",
      comment: "include what Semgrep found on the changed lines",
    },
    {
      line: "kodiai review --base origin/main --format sarif --output kodiai.sarif",
      comment: "write SARIF for code scanning in CI",
    },
  ],
  run,
};

async function run({ options, lists }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const source = changeSource(options, deps);
  if (options["publish"] === true) return publishReview(source, { options, lists }, deps);
  if (options["offline"] === true && source.kind === "pull-request")
    throw usage(review, "--offline can't be combined with --pr, which needs the network");
  checkMax(options);
  const sarif = await openSarif(lists["sarif"] ?? [], options, deps);
  const progress = createProgress(deps);
  const stopping = new AbortController();
  const failures: CommandLineModelFailure[] = [];
  const models = await deps.openModels(modelOptions(options, review), {
    stop: {
      signal: stopping.signal,
      onChosen: (foundCount) => stopModelOnInterrupt(stopping, foundCount, { deps, progress }),
    },
    onFailure: (failure) => failures.push(failure),
    announce: (choice) => progress.print(describeModelChoice(choice)),
  });
  const givenConfig = await readGivenConfig(options["config"], deps);
  progress.update("reading the change");
  const reader = await deps.code.openReader(deps.signal);
  // The reader loads while git runs.
  reader.warm();
  const { repository, author, readChange, ...ofHost } = await openSource(source, deps, progress);
  const codeIndex =
    repository === null ? null : createLazyCodeIndex(() => deps.code.openCodeIndex({ repository, reader }));
  try {
    // Git compares while the rules load: together they take most of the time of a small review.
    const [change, memory] = await Promise.all([
      readChange(() => void loadRecipe()),
      openMemory(source, { options, repository, progress }, deps),
    ]);
    const [{ createReviewDeps }, { createChangeReview, reviewChange }] = await loadRecipe();
    const sources = await knowledgeSourcesOf({ repository, reader, codeIndex, progress }, options, deps);
    const reviewDeps = createReviewDeps(sources, deps.version);
    const { record } = options;
    const recording = typeof record === "string" ? await recordTo(record, reviewDeps, deps) : null;
    const { publication, leftBehind, failOn } = await reviewChange(
      {
        change,
        givenConfig,
        ...ofHost,
        // The option's choices are those of the configuration key.
        verify: (options["verify"] ?? null) as RepoConfig["review"]["verify"] | null,
        // The user is the operator, so their tags count.
        isExplicit: true,
        tags: "all",
        isFull: options["full"] === true,
        author,
        prior: memory?.recall(change) ?? NO_PRIOR_REVIEW,
        sarif: sarif?.report(change, repository?.root ?? null) ?? [],
      },
      models,
      recording?.review ?? createChangeReview(reviewDeps),
    );
    progress.clear();
    for (const failure of failures) deps.stderr.write(describeModelFailure(failure));
    await printReview(publication, options, deps);
    memory?.keep(change, leftBehind, publication.receipt);
    await recording?.write();
    if (stopping.signal.aborted) return EXIT.interrupted;
    return exitCodeOfReview(publication, options["fail-on"] ?? failOn);
  } finally {
    progress.clear();
    codeIndex?.close();
    reader.close();
    repository?.close();
  }
}

/** `--publish`: the App reviews, as if an event had requested it, or the same recipe with the user's token. */
async function publishReview(
  source: ChangeSource,
  { options, lists }: Pick<ParsedArguments, "options" | "lists">,
  deps: CliDeps,
): Promise<ExitCode> {
  if (source.kind !== "pull-request") throw usage(review, "--publish requires --pr URL");
  const given = (names: readonly string[]): string =>
    names
      .filter((name) => options[name] !== undefined || lists[name] !== undefined)
      .map((name) => `--${name}`)
      .join(" and ");
  const unused = given(UNPUBLISHED_OPTIONS);
  if (unused !== "") throw usage(review, `${unused} can't be combined with --publish`);
  const isFull = options["full"] === true;
  const { publishAsApp, publishWithToken } = await import("./publish-review.ts");
  if (!(await deps.installation.hasApp())) {
    const { requested, budgetUsd } = modelOptions(options, review);
    const config = await readGivenConfig(options["config"], deps);
    checkMax(options);
    return publishWithToken(source.address, { isFull, model: requested, budgetUsd, config, options }, deps);
  }
  const callers = given(CALLERS_OPTIONS);
  if (callers !== "")
    throw usage(
      review,
      `${callers} can't be combined with --publish as the GitHub App, which prints nothing and uses its own settings and the base branch's configuration; unset GITHUB_APP_ID to publish with GITHUB_TOKEN`,
    );
  return publishAsApp(source.address, isFull, deps);
}

type OpenedReview = Pick<ReviewDeps, "repository" | "reader"> & {
  readonly codeIndex: CodeIndex | null;
  readonly progress: Progress;
};

async function knowledgeSourcesOf(
  { repository, reader, codeIndex, progress }: OpenedReview,
  options: ParsedArguments["options"],
  { now, signal, code, lookups }: CliDeps,
): Promise<KnowledgeSources> {
  return {
    repository,
    reader,
    analysers: options["no-analysers"] === true ? null : await code.openAnalysers(),
    lookups: lookups({ isOffline: options["offline"] === true }),
    readPastBumps: null,
    codeIndex,
    now,
    signal,
    onProgress: (done) => progress.update(describeProgress(done)),
  };
}

/** Checked before the review, which may take minutes. */
function checkMax(options: ParsedArguments["options"]): void {
  if (readMax(options) !== null && (options["format"] ?? "terminal") !== "terminal")
    throw usage(review, "--max limits the terminal's output; the other formats have all findings");
}

/** While a model runs, Ctrl-C stops the model but not the review: its findings are already paid for, so they're reported. */
export function stopModelOnInterrupt(
  stopping: AbortController,
  foundCount: () => number,
  { deps, progress }: { readonly deps: CliDeps; readonly progress: Progress },
): void {
  deps.onFirstInterrupt(() => {
    progress.clear();
    const found = count(foundCount(), "finding");
    deps.stderr.write(
      `kodiai: stopping the model; its ${found} and those of the built-in rules are kept. Press Ctrl-C again to discard them\n`,
    );
    stopping.abort();
  });
}

/** Reads the options that choose a model. Also used by other commands that review. */
export function modelOptions(
  options: ParsedArguments["options"],
  command: Pick<Command, "name">,
): ModelOptions {
  const { model, offline, "budget-usd": budget, config } = options;
  const isOwnConfig = config !== undefined;
  if (offline === true && model !== undefined && model !== "floor")
    throw usage(command, "--offline can't be combined with --model, which needs the network");
  const requested = offline === true ? "--offline" : typeof model === "string" ? model : null;
  if (typeof budget !== "string") return { requested, budgetUsd: null, isOwnConfig };
  const budgetUsd = Number(budget);
  if (budget.trim() === "" || !Number.isFinite(budgetUsd) || budgetUsd < 0)
    throw usage(command, "--budget-usd must be an amount in US dollars, such as 0.50");
  return { requested, budgetUsd, isOwnConfig };
}

type OpenedSource = {
  /** Null for a diff outside a repository. */
  readonly repository: Repository | null;
  readonly author: AuthorFacts;
  readonly organization?: OrganizationConfig;
  readonly readChange: (onWaiting: () => void) => Promise<Change>;
};

async function openSource(source: ChangeSource, deps: CliDeps, progress: Progress): Promise<OpenedSource> {
  if (source.kind === "pull-request") {
    const onStage = (stage: string): void => progress.update(stage);
    const { change, ...opened } = await deps.code.openPullRequest(source.address, onStage);
    return { ...opened, readChange: async () => change };
  }
  if (source.kind === "diff") {
    const readChange = () => readDiffInput(source.path, deps.files);
    return { repository: await openIfAny(deps), author: UNKNOWN_AUTHOR, readChange };
  }
  const repository = await deps.code.openRepository();
  return {
    repository,
    author: UNKNOWN_AUTHOR,
    readChange: (onWaiting) => repository.readChange(source, onWaiting),
  };
}

/** Null for changes that aren't remembered: those of a branch are, because their author fixes them and reviews them again. */
async function openMemory(
  { kind }: ChangeSource,
  {
    options,
    repository,
    progress,
  }: Pick<ParsedArguments, "options"> & Pick<OpenedSource, "repository"> & { readonly progress: Progress },
  deps: CliDeps,
): Promise<ReviewMemory | null> {
  const checkout = repository?.checkout ?? null;
  if (checkout === null || options["no-memory"] === true) return null;
  if (kind !== "current" && kind !== "staged") return null;
  const { openReviewMemory } = await import("./review-memory.ts");
  return openReviewMemory({ ...checkout, kind }, (line) => progress.print(line), deps);
}

function loadRecipe() {
  return Promise.all([import("../jobs/gathering/create-review-deps.ts"), import("../jobs/review-change.ts")]);
}

type ChangeSource =
  | Exclude<ChangeRequest, PullRequestChange>
  | { readonly kind: "diff"; readonly path: string }
  | { readonly kind: "pull-request"; readonly address: PullRequestAddress };

function changeSource(options: ParsedArguments["options"], deps: CliDeps): ChangeSource {
  const given = ["staged", "commit", "range", "diff", "base", "pr"].filter(
    (name) => options[name] !== undefined,
  );
  if (given.length > 1) {
    throw usage(
      review,
      `${given.map((name) => `--${name}`).join(" and ")} can't be combined: each chooses a change`,
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
      return { kind: "pull-request", address: parseAddress(value("pr"), review, deps.code) };
    default:
      return { kind: "current", base: options["base"] === undefined ? null : value("base") };
  }
}

/** A diff can be reviewed outside a repository. Inside one, its files can be read in full. */
export async function openIfAny(deps: CliDeps): Promise<Repository | null> {
  try {
    return await deps.code.openRepository();
  } catch (error) {
    if (error instanceof KodiaiError && error.code === "not-a-repository") return null;
    throw error;
  }
}

/** Read before anything else, so that a wrong file costs no time and no money. Loaded only with --sarif. */
async function openSarif(
  paths: readonly string[],
  { diff }: ParsedArguments["options"],
  deps: CliDeps,
): Promise<OpenedSarif | null> {
  if (paths.length === 0) return null;
  if ([...paths, diff].filter((path) => path === "-").length > 1)
    throw usage(review, "standard input can be read only once: only one of --sarif and --diff can be -");
  return (await import("./read-sarif.ts")).readSarif(paths, deps);
}

async function readGivenConfig(path: string | true | undefined, deps: CliDeps) {
  if (typeof path !== "string") return null;
  return { path, bytes: await deps.files.readFile(path, CONFIG_READ_BYTES) };
}
