/** Answers a question about a change or a repository with a model that reads the code. It knows no forge and writes nothing. */
import { maskCredentials } from "../../base/secrets/mask-credentials.ts";
import type { CodeIndex } from "../../code-index/code-index.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { ModelEvent, Outcome, Tokens } from "../../model/model.ts";
import type { NoModelReason } from "../../model/no-model-reason.ts";
import type { StopReason } from "../../model/stop-reason.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository, Revision } from "../../repository/repository.ts";
import { buildConversationPrompt, type ConversationFacts } from "../../review/prompt/conversation-prompt.ts";
import type { PromptSection } from "../../review/prompt/prompt.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import type { Guard } from "../../review/untrusted/guard.ts";
import { giveAnswer } from "../../tools/give-answer.ts";
import { createShown } from "../../tools/shown.ts";
import type { AnswerContext, ReadContext } from "../../tools/tool.ts";
import type { ToolboxWords } from "../../tools/toolbox.ts";
import { ANSWER_TOOLS } from "../../tools/tools.ts";
import { createCodeView } from "../gathering/related-code/code-view.ts";
import { createCodeLookup } from "../gathering/related-code/create-code-lookup.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { watchModels } from "../model-run/watch-models.ts";
import { type AnswerStream, createAnswerStream } from "./stream-answer.ts";
import { talkToModel, type TalkState } from "./talk-to-model.ts";

/** A person is waiting. Most answers take less than a minute. */
export const ANSWER_TIMEOUT_MS = 300_000;

/** A model that needs more turns is going in circles. */
const MAX_TURNS = 40;

const WORDS: ToolboxWords = {
  work: "conversation",
  kept: "No answer was given.",
  hurry:
    "Time is nearly up. Call give_answer now with what you know, and say what you didn't check. Don't start anything new.",
};

const REMINDER =
  "The person hasn't got your answer yet: you stopped without calling give_answer. Call give_answer with the whole answer.";

/** A model that finished has an answer, even if it wrote none. */
const NO_WORDS = "The model finished without writing an answer. Ask again, or ask a narrower question.";

export type QuestionToAnswer = ConversationFacts & {
  readonly repository: Repository;
  /** Where the code is read. */
  readonly head: Revision;
  readonly config: RepoConfig;
  /** Left out: ANSWER_TIMEOUT_MS. */
  readonly timeoutMs?: number;
};

export type QuestionDeps = {
  readonly models: Pick<ModelAccess, "choice" | "money" | "randomWord">;
  readonly reader: Reader;
  /** Null: the model finds names by searching for text. */
  readonly codeIndex: CodeIndex | null;
  /** Null without a forge. */
  readonly readChecks: ReadContext["readChecks"];
  /** Milliseconds; only differences count. */
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onEvent?: (event: ModelEvent, at: TalkState) => void;
  /** Gets the answer in parts, as it arrives. Together they are its text, unless a model began twice. */
  readonly onAnswer?: (part: string) => void;
  /** The sizes of the prompt's sections, for statistics. */
  readonly onPrompt?: (sections: readonly PromptSection[]) => void;
};

type Usage = {
  readonly model: string;
  /** Of all attempts. */
  readonly tokens: Tokens;
  /** Null if the price of a model is unknown. */
  readonly costUsd: number | null;
  readonly ms: number;
};

export type QuestionEnd =
  /**
   * `text` is Markdown as the model wrote it, with secrets masked: not yet safe to publish or print. `isEmpty`: the model wrote nothing,
   * and the text says so.
   */
  | ({ readonly kind: "answered"; readonly text: string; readonly isEmpty: boolean } & Usage)
  | { readonly kind: "no-model"; readonly reason: NoModelReason | null; readonly problems: readonly string[] }
  | ({ readonly kind: "failed"; readonly stopReason: StopReason } & Usage);

/** Rejects if `signal` is aborted, or if the spending can't be recorded. */
export async function answerQuestion(asked: QuestionToAnswer, deps: QuestionDeps): Promise<QuestionEnd> {
  const guard = createGuard(deps.models.randomWord());
  const { onAnswer: show } = deps;
  if (show === undefined) return answerWith(guard, asked, deps);
  const clean = (text: string): string => maskCredentials(guard.unfence(text));
  const stream = createAnswerStream({ tool: giveAnswer.name, clean, show });
  const models = watchModels(deps.models, { onArguments: (piece) => stream.take(piece) });
  return showWhole(answerWith(guard, asked, { ...deps, models }), stream);
}

/** An answer that breaks off is shown as far as it came. */
async function showWhole(answering: Promise<QuestionEnd>, stream: AnswerStream): Promise<QuestionEnd> {
  let end: QuestionEnd | null = null;
  try {
    end = await answering;
    return end;
  } finally {
    if (end?.kind === "answered" && !end.isEmpty) stream.finish(end.text);
    else stream.breakOff();
  }
}

async function answerWith(guard: Guard, asked: QuestionToAnswer, deps: QuestionDeps): Promise<QuestionEnd> {
  const { change, repository, head, config } = asked;
  const { reader, readChecks, signal, onEvent } = deps;
  const code = openLookup(asked, deps);
  const { prompt, sections } = buildConversationPrompt(asked, guard);
  deps.onPrompt?.(sections);
  let turn = 0;
  const open = (): AnswerContext & ShownContext => ({
    change,
    repository,
    head,
    base: change.base,
    reader,
    readChecks,
    code,
    guard,
    signal,
    shown: createShown({ shownPaths: [], shownParts: [] }, () => turn),
    answer: { text: null },
  });
  const end = await talkToModel(
    {
      prompt,
      tools: ANSWER_TOOLS,
      open,
      config,
      timeoutMs: asked.timeoutMs ?? ANSWER_TIMEOUT_MS,
      maxTurns: MAX_TURNS,
      remind: () => REMINDER,
      words: WORDS,
    },
    {
      ...deps,
      onEvent(event, at) {
        if (event.kind === "turn") ({ turn } = event);
        onEvent?.(event, at);
      },
    },
  );
  if (end.kind === "no-model") return end;
  const { outcome, costUsd, said, context } = end;
  const usage = usageOf(outcome, costUsd);
  if (outcome.kind !== "completed") return { kind: "failed", stopReason: outcome.stopReason, ...usage };
  // A model that stopped without the tool was reminded once. Its last words are the answer.
  const text = maskCredentials(guard.unfence(context.answer.text ?? said)).trim();
  const isEmpty = text === "";
  return { kind: "answered", text: isEmpty ? NO_WORDS : text, isEmpty, ...usage };
}

/** Tools don't send lines again that the model already has. */
type ShownContext = { readonly shown: ReturnType<typeof createShown> };

function usageOf({ model, tokens, ms }: Outcome, costUsd: number | null): Usage {
  return { model, tokens, costUsd, ms };
}

function openLookup({ repository, head, change }: QuestionToAnswer, { codeIndex, signal }: QuestionDeps) {
  if (codeIndex === null) return null;
  const view = createCodeView({ repository, revision: head, index: codeIndex });
  const commit = typeof head === "string" ? (change.head ?? change.base) : head.commit;
  return createCodeLookup({ repository, view, commit, signal });
}
