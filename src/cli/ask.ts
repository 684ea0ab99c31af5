/** `kodiai ask`: answers questions about the current change, a pull request, or the code, with a model that reads the repository. */
import { printable } from "../base/printable.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import type { QuestionEnd } from "../jobs/conversation/answer-question.ts";
import { describeAnswerUsage, printableLines } from "../jobs/deep-review/compose-answer-files.ts";
import type { GatheredConfig } from "../jobs/gathering/gather-config.ts";
import { readChangeIfAny } from "../jobs/gathering/read-change-if-any.ts";
import { createLazyCodeIndex } from "../jobs/gathering/related-code/lazy-code-index.ts";
import type { ModelAccess } from "../jobs/model-review/model-access.ts";
import type { Reader } from "../reading/reader.ts";
import type { Repository } from "../repository/repository.ts";
import type { Change } from "../review/change/change.ts";
import { MAX_QUESTION_CHARS } from "../review/prompt/conversation-prompt.ts";
import type { Guidance, ThreadComment } from "../review/prompt/surroundings/surroundings.ts";
import { describeStopReason } from "../review/publication/compose/describe-stop-reason.ts";
import { createAnswerPrinter } from "./answer-printer.ts";
import { type Exchanged, holdAskSession } from "./ask-session.ts";
import type { CliDeps, Command, ParsedArguments } from "./command.ts";
import { describeAskedModel } from "./describe-model-choice.ts";
import { describeModelFailure } from "./describe-model-failure.ts";
import { EXIT, type ExitCode } from "./exit-code.ts";
import { noModel } from "./no-model.ts";
import { readNumber } from "./number-options.ts";
import { parseAddress } from "./parse-address.ts";
import { usage } from "./parse-arguments.ts";
import { createProgress, type Progress } from "./progress.ts";
import { readQuestion } from "./read-question.ts";
import { modelOptions } from "./review.ts";

type LazyCodeIndex = ReturnType<typeof createLazyCodeIndex>;

export const ask: Command = {
  name: "ask",
  argumentNames: "[QUESTION]",
  positionals: { min: 0, max: 1 },
  description:
    "Answers a question from the code. A model reads the current branch with your uncommitted work, and cites places as\npath:line. Where nothing has changed, the question is about the code as it is. QUESTION is a text, or - for standard input.\nWithout it, Kodiai takes one question after the other, one per line, until Ctrl-D, and remembers what was said before.\nThe answer goes to standard output while it arrives, as Markdown that is rendered on a terminal. Progress and cost go to\nstandard error. Ctrl-C keeps what came.\n\nNeeds a model: from --model, KODIAI_MODEL, your ~/.config/kodiai/config.yml, model in .kodiai.yml, or an API key in the\nenvironment (ANTHROPIC_API_KEY, OPENAI_API_KEY, GEMINI_API_KEY). Everything it reads is sent to its provider. It can only\nread: nothing is changed. For a question that needs long thinking about the whole change, use `kodiai deep-review`.",
  options: {
    base: {
      type: "string",
      value: "REF",
      help: "compare with this branch, tag or commit (default: detected)",
    },
    pr: {
      type: "string",
      value: "URL",
      help: "ask about a pull request on GitHub; uses GITHUB_TOKEN if set",
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
    { line: "kodiai ask", comment: "ask several questions, one after the other" },
    {
      line: 'kodiai ask --pr https://github.com/acme/shop/pull/7 "What does this change for callers of load?"',
      comment: "ask about a pull request",
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
  const source = chooseSource(options, deps);
  const limits = { command: ask, maxChars: MAX_QUESTION_CHARS };
  const [given] = positionals;
  const question = given === undefined ? null : await readQuestion(given, limits, deps.files);
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
    const [about, reader] = await Promise.all([
      openSource(source, deps, progress),
      deps.code.openReader(deps.signal),
    ]);
    const codeIndex = createLazyCodeIndex(() =>
      deps.code.openCodeIndex({ repository: about.repository, reader }),
    );
    try {
      const opened = { ...about, reader, models, progress, codeIndex, timeout };
      if (question !== null) return (await exchange(question, [], opened, deps)).code;
      progress.pause();
      return await holdAskSession((asked, earlier) => exchange(asked, earlier, opened, deps), deps);
    } finally {
      codeIndex.close();
      reader.close();
      about.repository.close();
    }
  } finally {
    progress.clear();
  }
}

type AskSource =
  | { readonly kind: "current"; readonly base: string | null }
  | { readonly kind: "pull-request"; readonly address: PullRequestAddress };

function chooseSource({ base, pr }: ParsedArguments["options"], { code }: Pick<CliDeps, "code">): AskSource {
  if (typeof pr !== "string") return { kind: "current", base: typeof base === "string" ? base : null };
  if (base !== undefined) throw usage(ask, "--base and --pr can't be combined: each chooses a change");
  return { kind: "pull-request", address: parseAddress(pr, ask, code) };
}

/** The code that the questions are about. */
type Subject = {
  readonly kind: "change" | "pull-request";
  readonly repository: Repository;
  readonly change: Change;
  readonly guidance: Guidance;
};

async function openSource(source: AskSource, deps: CliDeps, progress: Progress): Promise<Subject> {
  const { code } = deps;
  const { gatherConfig } = await import("../jobs/gathering/gather-config.ts");
  if (source.kind === "pull-request") {
    const { repository, change, organization } = await code.openPullRequest(source.address, (stage) =>
      progress.update(stage),
    );
    const config = await gatherConfig(change, [], { repository, given: null, organization });
    const guidance = await gatherGuidance({ change, config, repository }, deps, progress);
    return { kind: "pull-request", repository, change, guidance };
  }
  const repository = await code.openRepository();
  const { base } = source;
  // A base that the user names must exist.
  const change =
    base === null
      ? await readChangeIfAny(repository, null)
      : await repository.readChange({ kind: "current", base });
  for (const note of change.notes) progress.print(`kodiai: ${printable(note)}\n`);
  const config = await gatherConfig(change, [], { repository, given: null });
  const guidance = await gatherGuidance({ change, config, repository }, deps, progress);
  return { kind: "change", repository, change, guidance };
}

/** The guideline files of the base. Learnings are in the database of a server. */
async function gatherGuidance(
  { repository, ...policy }: Pick<Subject, "repository" | "change"> & { readonly config: GatheredConfig },
  { signal }: Pick<CliDeps, "signal">,
  progress: Progress,
): Promise<Guidance> {
  const [{ readGuidelines }, { createDegradations }] = await Promise.all([
    import("../jobs/gathering/read-guidelines.ts"),
    import("../jobs/gathering/optional.ts"),
  ]);
  const degradations = createDegradations(signal);
  const guidelines = await readGuidelines({ ...policy, degradations }, { repository, signal });
  for (const { what, message } of degradations.list())
    progress.print(`kodiai: ${printable(`${what}: ${message}`)}\n`);
  return { config: policy.config.tree.root.values, guidelines, learnings: [] };
}

type Opened = Subject & {
  readonly reader: Reader;
  readonly models: ModelAccess;
  readonly progress: Progress;
  readonly codeIndex: LazyCodeIndex;
  /** Seconds; null for the default. */
  readonly timeout: number | null;
};

/** Asks the model and shows its answer. */
async function exchange(
  question: string,
  thread: readonly ThreadComment[],
  { kind, repository, change, guidance, reader, models, progress, codeIndex, timeout }: Opened,
  deps: CliDeps,
): Promise<Exchanged> {
  const [{ headOf }, { answerQuestion }] = await Promise.all([
    import("../jobs/gathering/gather-listing.ts"),
    import("../jobs/conversation/answer-question.ts"),
  ]);
  progress.update("asking the model");
  let turn = 0;
  const shown = createAnswerPrinter(progress, deps);
  try {
    const end = await answerQuestion(
      {
        intent: "ask",
        question,
        subject: { kind, title: change.title, description: change.body },
        change,
        thread,
        hunk: null,
        finding: null,
        mention: null,
        repository,
        head: headOf(change),
        config: guidance.config,
        guidance,
        ...(timeout !== null && { timeoutMs: timeout * 1_000 }),
      },
      {
        models,
        reader,
        codeIndex,
        readChecks: null,
        now: deps.now,
        signal: deps.signal,
        onAnswer: (part) => shown.take(part),
        onEvent(event, { model }) {
          if (event.kind === "turn") ({ turn } = event);
          const tool = event.kind === "tool" ? `, ${event.name}` : "";
          progress.update(`${printable(model)}, turn ${turn}${tool}`);
        },
      },
    );
    shown.end();
    return finish(end, deps);
  } finally {
    shown.end();
    progress.pause();
  }
}

function finish(end: QuestionEnd, { stderr }: CliDeps): Exchanged {
  if (end.kind === "no-model")
    throw noModel(
      "`kodiai ask`",
      { noModel: end.reason, problems: end.problems },
      "`kodiai review` needs none.",
    );
  const usageLine = `kodiai: ${describeAnswerUsage(end)}\n`;
  if (end.kind === "failed") {
    stderr.write(`kodiai: no answer: ${describeStopReason(end.stopReason)}\n${usageLine}`);
    return { code: EXIT.failure, answer: null };
  }
  if (end.isEmpty) stderr.write(`kodiai: ${printableLines(end.text)}\n`);
  stderr.write(usageLine);
  return end.isEmpty ? { code: EXIT.incomplete, answer: null } : { code: EXIT.ok, answer: end.text };
}
