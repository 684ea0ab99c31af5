/** Asks a model one question about a context pack, within the budgets and a time limit. Whatever arrived is kept, however it ends. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Model, ModelLimits, StreamedPiece } from "../../model/model.ts";
import { buildQuestionPrompt } from "../../review/prompt/question-prompt.ts";
import { createGuard } from "../../review/untrusted/create-guard.ts";
import type { Guard } from "../../review/untrusted/guard.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { runPaidModel } from "../model-run/run-paid-model.ts";
import type { DeepAnswer } from "./deep-answer.ts";
import { LONG_OUTPUT_TOKENS, LONG_STALL_MS } from "./long-thinking.ts";

/** How long an overloaded provider is retried. */
const OVERLOAD_MS = 120_000;

export type Question = {
  readonly pack: string;
  readonly question: string;
  readonly config: RepoConfig;
  readonly model: Model;
  readonly timeoutMs: number;
};

export type AskDeps = Pick<ModelAccess, "money" | "randomWord"> & {
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onPiece: (piece: StreamedPiece) => void;
  /** Called with each whole line of the answer as soon as it's there, at the end also with the last one. */
  readonly onLine: (line: string) => void;
};

/** Rejects only if `signal` is aborted, with what had arrived lost. */
export async function askModel(asked: Question, deps: AskDeps): Promise<DeepAnswer> {
  const { config, model } = asked;
  const guard = createGuard(deps.randomWord());
  const prompt = buildQuestionPrompt({ ...asked, verbosity: config.deepReview.verbosity, guard });
  const said = { text: "", thinking: "" };
  let emitted = 0;
  const emitLines = (): void => {
    for (let end = said.text.indexOf("\n", emitted); end !== -1; end = said.text.indexOf("\n", emitted)) {
      deps.onLine(guard.unfence(said.text.slice(emitted, end)));
      emitted = end + 1;
    }
  };
  const { outcome, costUsd } = await runPaidModel(
    {
      model,
      task: {
        prompt,
        tools: [],
        strayCalls: () => ({ text: "There are no tools.", isError: true, ends: NO_TOOLS }),
        limits: limitsOf(asked.timeoutMs),
        onEvent: () => {},
        onPiece(piece) {
          said[piece.kind] += piece.delta;
          deps.onPiece(piece);
          if (piece.kind === "text") emitLines();
        },
      },
      spending: deps.money.openSpending(config),
      prices: config.prices,
      operatorPrices: deps.money.operatorPrices,
    },
    deps,
  );
  if (emitted < said.text.length) deps.onLine(guard.unfence(said.text.slice(emitted)));
  return { ...unfenced(said, guard), outcome, costUsd };
}

const NO_TOOLS = { kind: "failed", stopReason: { kind: "malformed-tool-calls" } } as const;

function unfenced(said: Pick<DeepAnswer, "text" | "thinking">, guard: Guard) {
  return { text: guard.unfence(said.text), thinking: guard.unfence(said.thinking) };
}

function limitsOf(deadlineMs: number): ModelLimits {
  return {
    deadlineMs,
    stallMs: Math.min(LONG_STALL_MS, deadlineMs),
    overloadMs: Math.min(OVERLOAD_MS, deadlineMs),
    maxTurns: 1,
    maxOutputTokens: LONG_OUTPUT_TOKENS,
  };
}
