/** `kodiai deep-review`: asks a model that thinks for long one question about a change and the code around it. */
import { grouped } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import { SUMMARIES, VERBOSITIES } from "../config/answer-style.ts";
import { EFFORTS } from "../config/effort.ts";
import { OUTPUT_FORMATS } from "../review/publication/output-format.ts";
import { createAnswerDisplay } from "./answer-display.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { type DeepPack, openDeepPack } from "./deep-review-pack.ts";
import { describeAskedModel } from "./describe-model-choice.ts";
import { describeModelFailure } from "./describe-model-failure.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { PACK_OPTIONS } from "./make-pack.ts";
import { readNumber } from "./number-options.ts";
import type { OutputFolder } from "./output-folder.ts";
import { usage } from "./parse-arguments.ts";
import { createProgress } from "./progress.ts";
import { readQuestion } from "./read-question.ts";
import { modelOptions, stopModelOnInterrupt } from "./review.ts";

/** A longer question belongs into a file of the repository. */
const MAX_QUESTION_CHARS = 100_000;

export const deepReview: Command = {
  name: "deep-review",
  argumentNames: "QUESTION",
  positionals: { min: 1, max: 1 },
  description:
    "Answers a question about a change: packs the change with the code around it into one text, and asks a model that thinks for\nlong. QUESTION is a text, or - for standard input. The answer goes to standard output, progress and the reasoning summary\nto standard error, and both to files in a folder that is printed at the end.\n\nNeeds a model: from --model, KODIAI_MODEL, your ~/.config/kodiai/config.yml, deepReview.model in .kodiai.yml, or an API key\nin the environment (OPENAI_API_KEY, ANTHROPIC_API_KEY, GEMINI_API_KEY). Everything in the pack is sent to its provider.\n`kodiai pack` makes the pack without a model. Ctrl-C stops the model, keeps what has arrived and exits with 130.",
  options: {
    ...PACK_OPTIONS,
    "context-pack": { type: "string", value: "FILE", help: "use this pack instead of making one" },
    model: { type: "string", value: "PROVIDER:NAME", help: "ask this model" },
    effort: { type: "string", value: "LEVEL", choices: EFFORTS, help: "how much the model thinks" },
    verbosity: { type: "string", value: "LEVEL", choices: VERBOSITIES, help: "length of the answer" },
    summary: { type: "string", value: "DETAIL", choices: SUMMARIES, help: "detail of the reasoning summary" },
    timeout: { type: "string", value: "SECONDS", help: "time limit of the model (default: 1800)" },
    "budget-usd": {
      type: "string",
      value: "AMOUNT",
      help: "limit for the cost in US dollars (default: 2)",
    },
    findings: { type: "boolean", help: "report findings in the form of a review instead of an answer" },
    format: {
      type: "string",
      short: "f",
      value: "FORMAT",
      choices: OUTPUT_FORMATS,
      help: "with --findings: output format",
    },
    copy: { type: "boolean", help: "copy the answer to the clipboard" },
  },
  examples: [
    { line: 'kodiai deep-review "What could this change break?"', comment: "ask about the current branch" },
    {
      line: 'kodiai deep-review --effort xhigh --verbosity low "Is the migration safe to roll back?"',
      comment: "think longer, answer briefly",
    },
    {
      line: "kodiai deep-review --context-pack pr-context.txt - < question.txt",
      comment: "ask about an existing pack",
    },
    {
      line: 'kodiai deep-review --findings --format sarif "Which callers were forgotten?"',
      comment: "findings with lines, for code scanning",
    },
  ],
  run,
};

async function run({ options, positionals }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  if (options["format"] !== undefined && options["findings"] !== true)
    throw usage(deepReview, "--format requires --findings: an answer is a text");
  readNumber(deepReview, options, "timeout", { min: 1, max: 7_200 });
  const limits = { command: deepReview, maxChars: MAX_QUESTION_CHARS };
  const question = await readQuestion(positionals[0] ?? "", limits, deps.files);
  const { out } = options;
  // A folder that can't be used should fail before the work.
  const folder = await deps.files.openOutputFolder(typeof out === "string" ? out : null);
  try {
    return await review({ question, options, folder }, deps);
  } catch (error) {
    if (!deps.signal.aborted) throw error;
    deps.stderr.write(
      "kodiai: interrupted; there is no answer. A finished pack and what the code index has read are kept\n",
    );
    return EXIT.interrupted;
  } finally {
    await folder.discard();
  }
}

type DeepRequest = {
  readonly question: string;
  readonly options: ParsedArguments["options"];
  readonly folder: OutputFolder;
};

async function review({ question, options, folder }: DeepRequest, deps: CliDeps): Promise<ExitCode> {
  const progress = createProgress(deps);
  const display = createAnswerDisplay(progress, deps);
  const stopping = new AbortController();
  let foundCount = (): number => 0;
  try {
    const access = await deps.openModels(
      { ...modelOptions(options, deepReview), isDeep: true },
      {
        stop: { signal: stopping.signal, onChosen: (counts) => void (foundCount = counts) },
        announce: (choice) => progress.print(describeAskedModel(choice)),
        onFailure: (failure) => progress.print(describeModelFailure(failure)),
      },
    );
    display.stage(options["context-pack"] === undefined ? "packing the change" : "reading the pack");
    const opened = await openDeepPack({ command: deepReview, options, question, access, progress }, deps);
    const { pack, choice } = opened;
    for (const warning of pack.warnings) progress.print(`kodiai: ${printable(warning)}\n`);
    await folder.writeAll(pack.artifacts);
    const { text } = pack;
    if (text === null) return describeOverBudget(pack, folder, deps);
    const given = { ...choice, question, options, command: deepReview, access, pack: { ...pack, text } };
    if (options["findings"] === true) {
      const { findWithPack } = await import("./deep-findings.ts");
      stopModelOnInterrupt(stopping, () => foundCount(), { deps, progress });
      const code = await findWithPack(given, { folder, display, progress }, deps);
      return stopping.signal.aborted ? EXIT.interrupted : code;
    }
    const { askAboutPack } = await import("./deep-answers.ts");
    const [model] = choice.models;
    deps.onFirstInterrupt(() => stopping.abort());
    return await askAboutPack(
      { ...given, model, isCopied: options["copy"] === true },
      { folder, display },
      deps,
    );
  } finally {
    display.end();
    progress.clear();
  }
}

/** The lists of files are written all the same. */
function describeOverBudget({ tokens }: DeepPack, { path }: OutputFolder, { stderr }: CliDeps): ExitCode {
  const needed = grouped(tokens?.baseline ?? 0);
  const budget = grouped(tokens?.budget ?? 0);
  stderr.write(
    `kodiai: the diff alone needs ${needed} tokens, more than the budget of ${budget}; no model was asked\n  Use --budget if the model has room for more, or a base that is closer. The lists of files are in ${printable(path)}.\n`,
  );
  return EXIT.incomplete;
}
