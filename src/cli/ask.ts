/** `kodiai ask`: answers a question about the current change, or about the code, with a model that reads the repository. */
import { printable } from "../base/printable.ts";
import type { QuestionEnd } from "../jobs/conversation/answer-question.ts";
import { describeAnswerUsage, printableLines } from "../jobs/deep-review/compose-answer-files.ts";
import { readChangeIfAny } from "../jobs/gathering/read-change-if-any.ts";
import { createLazyCodeIndex } from "../jobs/gathering/related-code/lazy-code-index.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import type { Reader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import { MAX_QUESTION_CHARS } from "../review/prompt/conversation-prompt.ts";
import { describeStopReason } from "../review/publication/compose/describe-stop-reason.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { describeAskedModel } from "./describe-model-choice.ts";
import { describeModelFailure } from "./describe-model-failure.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { noModel } from "./no-model.ts";
import { readNumber } from "./number-options.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readQuestion } from "./read-question.ts";
import { modelOptions } from "./review.ts";

export const ask: Command = {
  name: "ask",
  argumentNames: "QUESTION",
  positionals: { min: 1, max: 1 },
  description:
    "Answers a question from the code. A model reads the current branch with your uncommitted work, and cites places as\npath:line. Where nothing has changed, the question is about the code as it is. QUESTION is a text, or - for standard input.\nThe answer goes to standard output as Markdown, progress and cost to standard error.\n\nNeeds a model: from --model, KODIAI_MODEL, your ~/.config/kodiai/config.yml, model in .kodiai.yml, or an API key in the\nenvironment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY). Everything it reads is sent to its provider. It can only\nread: nothing is changed. For a question that needs long thinking about the whole change, use `kodiai deep-review`.",
  options: {
    base: {
      type: "string",
      value: "REF",
      help: "compare with this branch, tag or commit (default: detected)",
    },
    model: { type: "string", value: "PROVIDER:NAME", help: "ask this model" },
    timeout: { type: "string", value: "SECONDS", help: "time limit of the model (default: 300)" },
    "budget-usd": {
      type: "string",
      value: "AMOUNT",
      help: "limit for the cost in US dollars (default: 2)",
    },
  },
  examples: [
    { line: 'kodiai ask "Who calls load, and does each caller wait for it?"', comment: "ask about the code" },
    {
      line: 'kodiai ask --base v1.2.0 "Which of these changes break the public API?"',
      comment: "ask about everything since a release",
    },
    { line: "kodiai ask - < question.txt > answer.md", comment: "read the question from a file" },
    {
      line: 'kodiai ask --model anthropic:claude-sonnet-4-5 --budget-usd 0.20 "Where is the session checked?"',
      comment: "choose the model, and limit its cost",
    },
  ],
  run,
};

async function run({ options, positionals }: ParsedArguments, deps: CliDeps): Promise<ExitCode> {
  const timeout = readNumber(ask, options, "timeout", { min: 1, max: 7_200 });
  const limits = { command: ask, maxChars: MAX_QUESTION_CHARS };
  const question = await readQuestion(positionals[0] ?? "", limits, deps.files);
  const progress = createProgress(deps);
  try {
    const models = await deps.openModels(
      { ...modelOptions(options, ask), isNeeded: true },
      {
        announce: (choice) => progress.print(describeAskedModel(choice)),
        onFailure: (failure) => progress.print(describeModelFailure(failure)),
      },
    );
    progress.update("reading the change");
    const [repository, reader] = await Promise.all([
      deps.code.openRepository(),
      deps.code.openReader(deps.signal),
    ]);
    try {
      const { base } = options;
      const wish = { question, base: typeof base === "string" ? base : null, timeout };
      const end = await answer(wish, { repository, reader, models, progress }, deps);
      progress.clear();
      return print(end, deps);
    } finally {
      reader.close();
      repository.close();
    }
  } finally {
    progress.clear();
  }
}

type Wish = {
  readonly question: string;
  readonly base: string | null;
  /** Seconds; null for the default. */
  readonly timeout: number | null;
};

type Opened = {
  readonly repository: Repository;
  readonly reader: Reader;
  readonly models: ModelAccess;
  readonly progress: Progress;
};

async function answer(
  { question, base, timeout }: Wish,
  { repository, reader, models, progress }: Opened,
  deps: CliDeps,
): Promise<QuestionEnd> {
  // A base that the user names must exist.
  const change =
    base === null
      ? await readChangeIfAny(repository, null)
      : await repository.readChange({ kind: "current", base });
  for (const note of change.notes) progress.print(`kodiai: ${printable(note)}\n`);
  const [{ gatherConfig }, { headOf }, { answerQuestion }] = await Promise.all([
    import("../jobs/gathering/gather-config.ts"),
    import("../jobs/gathering/gather-listing.ts"),
    import("../jobs/conversation/answer-question.ts"),
  ]);
  const config = await gatherConfig(change, [], { repository, given: null });
  const codeIndex = createLazyCodeIndex(() => deps.code.openCodeIndex({ repository, reader }));
  progress.update("asking the model");
  let turn = 0;
  try {
    return await answerQuestion(
      {
        intent: "ask",
        question,
        subject: { kind: "change", title: change.title, description: change.body },
        change,
        thread: [],
        hunk: null,
        finding: null,
        mention: null,
        repository,
        head: headOf(change),
        config: config.tree.root.values,
        ...(timeout !== null && { timeoutMs: timeout * 1_000 }),
      },
      {
        models,
        reader,
        codeIndex,
        readChecks: null,
        now: deps.now,
        signal: deps.signal,
        onEvent(event, { model }) {
          if (event.kind === "turn") ({ turn } = event);
          const tool = event.kind === "tool" ? `, ${event.name}` : "";
          progress.update(`${printable(model)}, turn ${turn}${tool}`);
        },
      },
    );
  } finally {
    codeIndex.close();
  }
}

function print(end: QuestionEnd, { stdout, stderr }: CliDeps): ExitCode {
  if (end.kind === "no-model")
    throw noModel(
      "`kodiai ask`",
      { noModel: end.reason, problems: end.problems },
      "`kodiai review` needs none.",
    );
  const usage = `kodiai: ${describeAnswerUsage(end)}\n`;
  if (end.kind === "failed") {
    stderr.write(`kodiai: no answer: ${describeStopReason(end.stopReason)}\n${usage}`);
    return EXIT.failure;
  }
  const text = `${printableLines(end.text)}\n`;
  (end.isEmpty ? stderr : stdout).write(end.isEmpty ? `kodiai: ${text}` : text);
  stderr.write(usage);
  return end.isEmpty ? EXIT.incomplete : EXIT.ok;
}
