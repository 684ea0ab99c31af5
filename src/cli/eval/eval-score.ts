/** `kodiai eval score`: shows what a run found of what is known. */
import { join } from "node:path";
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { AnswerJournal } from "../../evaluation/run/answer-journal.ts";
import type { RunResults } from "../../evaluation/score/score-run.ts";
import type { JudgeScore, Score } from "../../evaluation/score/score.ts";
import type { CliDeps, Command, ParsedArguments } from "../command.ts";
import { EXIT, type ExitCode } from "../exit-code.ts";
import { usage } from "../parse-arguments.ts";
import { createProgress } from "../progress.ts";
import { modelOptions } from "../review.ts";
import { EVAL_OUTPUT, renderEval, writeEval } from "./eval-output.ts";
import { parseScore, readRun, readText } from "./read-scored.ts";

/** The files that `eval score DIR` writes to DIR. */
const FILES = [
  ["score.json", "json"],
  ["score.md", "markdown"],
  ["score.html", "html"],
] as const;

export const evalScore: Command = {
  name: "eval score",
  argumentNames: "DIR",
  positionals: { min: 1, max: 1 },
  description:
    "Shows what a run of `kodiai eval run` found of what is known: recall, precision, F1 and F0.5 with intervals, findings on\nsound changes, cost and time, and where findings were lost between the model and the reader. Needs no model and no network.\n\nA finding and an answer are paired one to one: first by path, side and lines, at most 3 apart; then what is left by the\nsame topic. Without --format and --output, it also writes score.json, score.md and score.html to DIR. The same run gives the\nsame bytes.\n\nExits with 1 when a figure dropped below --baseline by more than chance explains, 3 when reviews failed, are missing or\nweren't judged, and 0 otherwise.",
  options: {
    ...EVAL_OUTPUT,
    baseline: {
      type: "string",
      value: "FILE",
      help: "a score.json to compare with: exit with 1 if recall or precision dropped, or findings on sound changes rose, beyond chance",
    },
    judge: {
      type: "string",
      value: "PROVIDER:NAME",
      help: "also let this model judge which findings mean which answers; its answers are kept in DIR and never paid for twice",
    },
    "budget-usd": {
      type: "string",
      value: "AMOUNT",
      help: "limit for the cost of the judge in US dollars (default: 2)",
    },
  },
  examples: [
    { line: "kodiai eval score sonnet", comment: "print the score and write score.html" },
    { line: "kodiai eval score sonnet --format json --output baseline.json", comment: "store a baseline" },
    { line: "kodiai eval score new --baseline baseline.json", comment: "fail in CI when quality drops" },
  ],
  run,
};

async function run(
  { options, positionals: [folder = ""] }: ParsedArguments,
  deps: CliDeps,
): Promise<ExitCode> {
  const results = await readRun(folder);
  const baseline = await readBaseline(options["baseline"], deps);
  const { judge: judgeModel } = options;
  if (options["budget-usd"] !== undefined && judgeModel === undefined)
    throw usage(evalScore, "--budget-usd limits the cost of --judge, which isn't set");
  const judge = typeof judgeModel === "string" ? await judgeRun(folder, results, { options, deps }) : null;
  const [{ scoreRun }, { reportScore }] = await Promise.all([
    import("../../evaluation/score/score-run.ts"),
    import("../../evaluation/report/report-score.ts"),
  ]);
  const score = scoreRun(results, judge);
  const report = reportScore(score);
  await writeEval(report, score, { options, deps });
  if (options["format"] === undefined && options["output"] === undefined) {
    for (const [name, format] of FILES)
      await deps.files.writeFile(join(folder, name), await renderEval(format, report, score), {
        overwrite: true,
      });
    deps.stderr.write(`kodiai: wrote ${FILES.map(([name]) => name).join(", ")} to ${printable(folder)}\n`);
  }
  if (baseline !== null && (await isBelow(baseline, score, deps))) return EXIT.findings;
  const { failed, notRun } = score.reviews;
  if (judge !== null && judge.failed > 0)
    deps.stderr.write(
      `kodiai: ${printable(judge.model)} gave no usable answer about ${count(judge.failed, "review")}; run the same command again to ask about ${judge.failed === 1 ? "it" : "them"} again\n`,
    );
  const unjudged = judge?.failed ?? 0;
  return failed + notRun + unjudged > 0 || score.problems.length > results.run.problems.length
    ? EXIT.incomplete
    : EXIT.ok;
}

async function readBaseline(path: string | true | undefined, deps: CliDeps): Promise<Score | null> {
  if (typeof path !== "string") return null;
  const score = await parseScore(await readText(path, deps), path);
  if (score !== null) return score;
  throw new KodiaiError("usage", `${printable(path)} is no score`, {
    hint: "Store one with `kodiai eval score DIR --format json --output FILE`.",
  });
}

/** Says which figures dropped; a difference that chance explains is none. */
async function isBelow(baseline: Score, score: Score, deps: CliDeps): Promise<boolean> {
  const [{ compareScores, dropsIn }, { describeDrop }] = await Promise.all([
    import("../../evaluation/score/compare-scores.ts"),
    import("../../evaluation/report/report-comparison.ts"),
  ]);
  const comparison = compareScores(baseline, score);
  const drops = dropsIn(comparison);
  for (const drop of drops) deps.stderr.write(`kodiai: below the baseline: ${describeDrop(drop)}\n`);
  if (comparison.onlyFirst > 0)
    deps.stderr.write(
      `kodiai: the baseline has ${comparison.onlyFirst} reviewed pull requests that this run lacks; they weren't compared\n`,
    );
  if (drops.length === 0)
    deps.stderr.write(`kodiai: no drop below the baseline that ${comparison.pairs} pull requests can show\n`);
  return drops.length > 0;
}

async function judgeRun(
  folder: string,
  results: RunResults,
  { options, deps }: Pick<ParsedArguments, "options"> & { readonly deps: CliDeps },
): Promise<JudgeScore> {
  const { judgeReviews } = await import("../../evaluation/score/judge-reviews.ts");
  const { budgetUsd } = modelOptions(options, evalScore);
  const requested = String(options["judge"]);
  let journal: AnswerJournal | null = null;
  const access = await deps.openModels(
    { requested, budgetUsd, isOwnConfig: false, isNeeded: true },
    { exchange: (request, send) => journal?.exchange(request, send) ?? send() },
  );
  const progress = createProgress(deps);
  try {
    const { now, signal } = deps;
    return await judgeReviews(results, requested, {
      folder,
      access,
      now,
      signal,
      useJournal: (next) => void (journal = next),
      onProgress: (done, wanted) => progress.update(`${done} of ${wanted} reviews judged`),
    });
  } finally {
    progress.clear();
  }
}
