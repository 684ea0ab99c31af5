/** `kodiai eval run`: reviews the pull requests of a set and keeps everything about the reviews in a folder. */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { hashParts } from "../../base/hash.ts";
import { printable } from "../../base/printable.ts";
import { CONFIG_READ_BYTES } from "../../config/repo-config/config-file.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { EvaluationSources } from "../../evaluation/run/evaluation-sources.ts";
import type { RunFile, RunSettings } from "../../evaluation/run/run-file.ts";
import type { EvaluationEnd } from "../../evaluation/run/run-evaluation.ts";
import type { GivenConfig } from "../../jobs/gathering/gather-config.ts";
import { describeUsd } from "../../review/publication/words.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { readNumber } from "../number-options.ts";
import { usage } from "../parse-arguments.ts";
import { createRunProgress } from "./run-progress.ts";

/** A larger set doesn't exist. */
const MAX_LIMIT = 10_000;
const MAX_REPEAT = 20;
const MAX_CONCURRENCY = 16;
const DEFAULT_CONCURRENCY = 2;

/** Too long for anyone to guess. */
const SALT_BYTES = 16;

/** In the run's settings, it says only whether the file is the same. */
const CONFIG_HASH_CHARS = 16;

export const evalRun: Command = {
  name: "eval run",
  argumentNames: "",
  positionals: { min: 0, max: 0 },
  description:
    "Reviews the pull requests of a set with known answers, and keeps each review with its recording in a folder, for\n`kodiai eval score`. Linters run; look-ups and memory don't take part, so that everyone gets the same.\n\nRun the same command again to continue after Ctrl-C or a crash: finished reviews are kept, and answers of models that have\narrived are never paid for again. Failed reviews are tried again. Without --model, the model is chosen as for\n`kodiai review`, and announced before it is used.\n\nExits with 0 when all reviews have a result, 3 when some failed or weren't run, and 130 after Ctrl-C.",
  options: {
    set: {
      type: "string",
      value: "SET",
      help: "injected, martian, aacr, or the folder of a set (default: injected)",
    },
    data: { type: "string", value: "DIR", help: "a clone of the public set, for martian and aacr" },
    repositories: {
      type: "string",
      value: "DIR",
      help: "the folder with clones of the reviewed repositories, for sets with commits",
    },
    out: {
      type: "string",
      value: "DIR",
      help: "the folder of the run: new, empty, or the one to continue (required)",
    },
    model: {
      type: "string",
      value: "PROVIDER:NAME",
      help: "review with this model, or floor for built-in rules only",
    },
    verify: {
      type: "string",
      value: "WHICH",
      choices: ["off", "doubtful", "all"],
      help: "which findings a second conversation with the model tries to refute (default: from configuration)",
    },
    passes: {
      type: "string",
      value: "N",
      help: "how often the model reads a change, 1 to 3 (default: from configuration)",
    },
    config: { type: "string", value: "FILE", help: "use this file instead of each repository's .kodiai.yml" },
    repeat: { type: "string", value: "N", help: "review each pull request N times (default: 1)" },
    limit: {
      type: "string",
      value: "N",
      help: "only N pull requests, spread over languages, defects and sound changes; the same ones each time",
    },
    "budget-usd": {
      type: "string",
      value: "AMOUNT",
      help: "limit for the cost of the whole run in US dollars, continued runs included (default: none)",
    },
    concurrency: {
      type: "string",
      value: "N",
      help: `reviews at the same time, at most ${MAX_CONCURRENCY} (default: ${DEFAULT_CONCURRENCY})`,
    },
  },
  examples: [
    { line: "kodiai eval run --model floor --out floor", comment: "score the built-in rules, without a key" },
    {
      line: "kodiai eval run --model anthropic:claude-sonnet-4-5 --limit 20 --budget-usd 5 --out sonnet",
      comment: "try a model on 20 pull requests",
    },
    {
      line: "kodiai eval run --set ./our-set --repositories ~/src --out ours",
      comment: "run a set of your own pull requests",
    },
  ],
  run,
};

async function run({ options }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const { out } = options;
  if (typeof out !== "string") throw usage(evalRun, "--out DIR is required: the folder that keeps the run");
  const numbers = readNumbers(options);
  const config = await readConfig(options["config"], deps);
  const source = {
    set: textOf(options, "set") ?? "injected",
    data: textOf(options, "data"),
    repositories: textOf(options, "repositories"),
  };
  const sources = await deps.openEvaluation(source);
  try {
    // The option's choices are those of the configuration key.
    const verify = textOf(options, "verify") as RepoConfig["review"]["verify"] | null;
    const model = await chooseModel(textOf(options, "model"), deps);
    const settings: RunSettings = {
      model,
      verify,
      passes: numbers.passes,
      config:
        config === null ? null : hashParts([Buffer.from(config.bytes).toString("latin1")], CONFIG_HASH_CHARS),
      repeat: numbers.repeat,
      limit: numbers.limit,
    };
    return await runIn(out, { sources, settings, config, verify, ...numbers }, deps);
  } finally {
    await sources.close();
  }
}

type Wanted = Numbers & {
  readonly sources: EvaluationSources;
  readonly settings: RunSettings;
  readonly config: GivenConfig | null;
  readonly verify: RepoConfig["review"]["verify"] | null;
};

async function runIn(out: string, wanted: Wanted, deps: CliDeps): Promise<ExitCode> {
  const [{ runEvaluation }, { readResults }, { sampleCases }] = await Promise.all([
    import("../../evaluation/run/run-evaluation.ts"),
    import("../../evaluation/run/run-folder.ts"),
    import("../../evaluation/run/sample-cases.ts"),
  ]);
  const { sources, settings, config } = wanted;
  const { set } = sources;
  for (const { where, problem } of set.problems)
    deps.stderr.write(`kodiai: left out ${printable(where)}: ${printable(problem)}\n`);
  if (set.cases.length === 0)
    throw new KodiaiError("config", `the set ${printable(set.name)} has no usable case`, {
      hint: set.problems.length === 0 ? "Add cases to it." : "Fix the problems above.",
    });
  const cases = sampleCases(set.cases, settings.limit);
  const runFile = await openRun(out, { sources, settings, cases }, deps);
  const { runs, problems } = await readResults(out, runFile);
  for (const { where, problem } of problems)
    deps.stderr.write(`kodiai: ${printable(where)} can't be read, so that review runs again: ${problem}\n`);
  const units = Array.from({ length: settings.repeat }, (_, at) =>
    cases.map((each) => ({ case: each.id, repeat: at + 1, set: each })),
  ).flat();
  const stopping = new AbortController();
  const progress = createRunProgress(deps);
  deps.onFirstInterrupt(() => {
    progress.print(
      "kodiai: stopping; answers that are under way are kept when they arrive. Press Ctrl-C again to stop at once\n",
    );
    stopping.abort();
  });
  const reader = await deps.code.openReader(deps.signal);
  try {
    const end = await runEvaluation(
      {
        folder: out,
        units,
        kept: runs,
        model: settings.model,
        verify: wanted.verify,
        passes: wanted.passes,
        config,
        salt: runFile.salt,
        budgetUsd: wanted.budgetUsd,
        concurrency: wanted.concurrency,
        onProgress: (made) => progress.update(made),
        onFailure: (unit, failure) => progress.print(`kodiai: ${unit.case} failed: ${printable(failure)}\n`),
        stop: stopping.signal,
        signal: deps.signal,
      },
      {
        openCode: (given) => sources.openCode(given),
        openCodeIndex: deps.code.openCodeIndex,
        reader,
        analysers: await deps.code.openAnalysers(),
        openModels: (exchange) =>
          deps.openModels(
            { requested: settings.model, budgetUsd: null, isOwnConfig: config !== null },
            { exchange, onFailure: () => {} },
          ),
        version: deps.version,
        now: deps.now,
        wallClock: deps.wallClock,
      },
    );
    progress.clear();
    return report(end, { out, model: settings.model }, deps);
  } finally {
    progress.clear();
    reader.close();
  }
}

/** Creates the run, or checks that the one in the folder is the same. */
async function openRun(
  out: string,
  {
    sources,
    settings,
    cases,
  }: Pick<Wanted, "sources" | "settings"> & { readonly cases: EvaluationSources["set"]["cases"] },
  deps: CliDeps,
): Promise<RunFile> {
  const [{ createRun, readRunFile }, { RUN_KIND }, { RUN_FORMAT }] = await Promise.all([
    import("../../evaluation/run/run-folder.ts"),
    import("../../evaluation/run/run-file.ts"),
    import("../../evaluation/run/case-run.ts"),
  ]);
  const { name, version, problems } = sources.set;
  const earlier = readRunFile(out);
  if (earlier !== null) {
    const now: RunFile = { ...earlier, reviewer: deps.version, set: { name, version }, settings };
    const changed = differences(earlier, now);
    if (changed.length === 0) return earlier;
    throw new KodiaiError("usage", `${printable(out)} has a run with other settings: ${changed.join("; ")}`, {
      hint: "Use the same settings to continue it, or another folder with --out for a new run.",
    });
  }
  const created: RunFile = {
    kind: RUN_KIND,
    format: RUN_FORMAT,
    reviewer: deps.version,
    set: { name, version },
    settings,
    salt: process.getBuiltinModule("node:crypto").randomBytes(SALT_BYTES).toString("hex"),
    problems: [...problems],
    cases: cases.map(({ id, title, language, isSound, answers }) => ({
      id,
      title,
      language,
      isSound,
      answers,
    })),
  };
  await createRun(out, created);
  return created;
}

function differences(one: RunFile, other: RunFile): readonly string[] {
  const flat = ({ reviewer, set, settings }: RunFile) => ({
    "version of Kodiai": reviewer,
    set: set.name,
    "version of the set": set.version,
    ...settings,
  });
  const [before, after] = [Object.entries(flat(one)), new Map(Object.entries(flat(other)))];
  return before.flatMap(([key, value]) =>
    value === after.get(key)
      ? []
      : [printable(`${key} was ${String(value ?? "not set")}, now ${String(after.get(key) ?? "not set")}`)],
  );
}

/** The model that reviews all cases, whatever their repositories' configuration names. */
async function chooseModel(asked: string | null, deps: CliDeps): Promise<string> {
  const [{ parseRepoConfig }, access] = await Promise.all([
    import("../../config/repo-config/schema.ts").then(({ RepoConfigSchema }) => ({
      parseRepoConfig: () => RepoConfigSchema.parse({}),
    })),
    deps.openModels({ requested: asked, budgetUsd: null, isOwnConfig: false }),
  ]);
  const { models, problems } = await access.choice.choose(parseRepoConfig());
  for (const problem of problems) deps.stderr.write(`kodiai: ${printable(problem)}\n`);
  const [first] = models;
  if (asked === null)
    deps.stderr.write(
      first === undefined
        ? "kodiai: no model is set up, so only the built-in rules and linters review\n"
        : `kodiai: reviewing with ${first.id}; choose with --model\n`,
    );
  return first?.id ?? "floor";
}

function report(
  end: EvaluationEnd,
  { out, model }: { readonly out: string; readonly model: string },
  deps: CliDeps,
): ExitCode {
  const { kind, done, failed, notRun, costUsd, unanswered } = end;
  const parts = [
    count(done, "review"),
    ...(failed === 0 ? [] : [`${failed} failed`]),
    ...(notRun === 0 ? [] : [`${notRun} not run`]),
    ...(model === "floor" ? [] : [describeUsd(costUsd)]),
  ];
  const folder = printable(out);
  deps.stderr.write(`kodiai: ${parts.join(", ")} in ${folder}\n`);
  if (unanswered > 0)
    deps.stderr.write(
      `kodiai: ${count(unanswered, "request")} had been sent without an answer when an earlier run ended; the cost includes the most that they can have cost, and they were sent again\n`,
    );
  if (unanswered > 0 && model.startsWith("claude:"))
    deps.stderr.write(
      "kodiai: the Claude Agent SDK sends its requests itself, so interrupted reviews with it start from the beginning and are paid for again\n",
    );
  if (kind === "budget")
    deps.stderr.write(
      "kodiai: the budget doesn't cover the next request; continue with the same command and a higher --budget-usd\n",
    );
  if (kind === "stopped") deps.stderr.write("kodiai: run the same command again to continue\n");
  if (failed > 0) deps.stderr.write("kodiai: run the same command again to retry the failed reviews\n");
  deps.stderr.write(`kodiai: see what they found with \`kodiai eval score ${folder}\`\n`);
  if (kind === "stopped") return EXIT.interrupted;
  return failed + notRun > 0 ? EXIT.incomplete : EXIT.ok;
}

type Numbers = {
  readonly passes: number | null;
  readonly repeat: number;
  readonly limit: number | null;
  readonly concurrency: number;
  readonly budgetUsd: number | null;
};

function readNumbers(options: ParsedArguments["options"]): Numbers {
  const budget = options["budget-usd"];
  const budgetUsd = typeof budget === "string" && budget.trim() !== "" ? Number(budget) : null;
  if (budget !== undefined && (budgetUsd === null || !Number.isFinite(budgetUsd) || budgetUsd < 0))
    throw usage(evalRun, "--budget-usd must be an amount in US dollars, such as 5 or 0.50");
  return {
    passes: readNumber(evalRun, options, "passes", { min: 1, max: 3 }),
    repeat: readNumber(evalRun, options, "repeat", { min: 1, max: MAX_REPEAT }) ?? 1,
    limit: readNumber(evalRun, options, "limit", { min: 1, max: MAX_LIMIT }),
    concurrency:
      readNumber(evalRun, options, "concurrency", { min: 1, max: MAX_CONCURRENCY }) ?? DEFAULT_CONCURRENCY,
    budgetUsd,
  };
}

async function readConfig(path: string | true | undefined, deps: CliDeps): Promise<GivenConfig | null> {
  if (typeof path !== "string") return null;
  return { path, bytes: await deps.files.readFile(path, CONFIG_READ_BYTES) };
}

function textOf(options: ParsedArguments["options"], name: string): string | null {
  const value = options[name];
  return typeof value === "string" ? value : null;
}
