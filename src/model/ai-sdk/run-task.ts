/**
 * The loop of a run: call the provider, execute tools, call again, until the model is done, a tool ends the run, or a limit is hit. The
 * meter admits each call and counts it afterwards.
 */
import { type Ending, type ModelTask, NO_TOKENS, type Outcome } from "../model.ts";
import { askProvider, type ProviderAttempt, type Asking } from "./ask-provider.ts";
import type { Failure } from "./classify-failure.ts";
import type { AiSdkOptions, ProviderConnection } from "./connect-provider.ts";
import { type ProviderConversation, createConversation } from "./conversation.ts";
import { type Demands, giveUp, roomOf } from "./demands.ts";
import { reportSaid } from "../report-said.ts";
import { addTokens, estimateTokens } from "../tokens.ts";
import { type Answer, type CallTool, contentOf, saidIn } from "./read-answer.ts";
import { createWatch, type RunWatch } from "./watch.ts";

/** The first wait when the provider sends no retry-after; doubled each time. */
const FIRST_WAIT_MS = 500;

// A longer wait would cost the review more time than a call does.
const MAX_WAIT_MS = 8_000;

// A third lost connection in one turn is no accident.
const MAX_LOST = 2;

type Run = {
  readonly task: ModelTask;
  readonly asking: Omit<Asking, keyof Demands>;
  /** Lowered when the provider rejects them. */
  demands: Demands;
  readonly conversation: ProviderConversation;
  readonly watch: RunWatch;
};

const OUT_OF_BUDGET: Ending = { kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } };

const isEnding = (value: ProviderAttempt | Ending): value is Ending => "stopReason" in value;

/** How long to wait before a retry; null for no retry. */
function waitMs(failure: Failure, tries: { readonly count: number; readonly leftMs: number }): number | null {
  const usualMs = Math.min(FIRST_WAIT_MS * 2 ** tries.count, MAX_WAIT_MS);
  if (failure.retry !== "lost" && failure.retry !== "overload") return null;
  if (failure.retry === "lost") return tries.count < MAX_LOST ? usualMs : null;
  if (failure.retryAfterMs !== null) {
    // A provider that sends retry-after 0 and rejects again would be called a thousand times a second.
    const ms = Math.max(failure.retryAfterMs, tries.count === 0 ? 0 : FIRST_WAIT_MS);
    return ms <= tries.leftMs ? ms : null;
  }
  return tries.leftMs > 0 ? Math.min(usualMs, tries.leftMs) : null;
}

/** One turn: the call with its retries. */
async function takeTurn(run: Run, turn: number): Promise<ProviderAttempt | Ending> {
  const { task, watch, conversation } = run;
  const startedAt = performance.now();
  for (let count = 0; ; count++) {
    const atMost = {
      inputTokens: estimateTokens(conversation.size()),
      outputTokens: run.demands.maxOutputTokens,
    };
    const maxOutputTokens = await watch.race(task.meter.admit(atMost));
    if (maxOutputTokens === 0) return OUT_OF_BUDGET;
    if (count === 0) task.onEvent({ kind: "turn", turn });
    const attempt = await askProvider(
      { ...run.asking, ...run.demands, maxOutputTokens },
      conversation,
      watch,
    );
    if (attempt.failure === null) return attempt;
    const less = giveUp(run.demands, attempt.failure.retry);
    if (less !== null) {
      run.demands = less;
      continue;
    }
    if (task.tools.length === 0 && attempt.answer.isBegun) return attempt;
    const leftMs = startedAt + task.limits.overloadMs - performance.now();
    const ms = waitMs(attempt.failure, { count, leftMs });
    if (ms === null) return attempt;
    // Tools that ran have had their effect: the model gets their results and continues from there.
    keepCalls(conversation, attempt.answer);
    await watch.sleep(ms);
  }
}

function keepCalls(conversation: ProviderConversation, answer: Answer): void {
  if (answer.results.length > 0) conversation.add(contentOf(answer), answer.results);
}

/** The ending after an answer; null when the run continues. */
function endOf({ finish, content, results, ends }: Answer, turn: number): Ending | null {
  if (ends !== null) return ends;
  const { unified, raw } = finish?.finishReason ?? { unified: "other", raw: undefined };
  if (unified === "content-filter") return { kind: "refused", stopReason: { kind: "refusal" } };
  if (results.length > 0) return null;
  if (raw === "model_context_window_exceeded")
    return { kind: "failed", stopReason: { kind: "context-overflow" } };
  if (unified === "length") return { kind: "failed", stopReason: { kind: "output-limit" } };
  if (raw === MALFORMED_OF_GOOGLE) return null;
  if (isEmpty(content) && turn === 1) return { kind: "failed", stopReason: { kind: "empty-answer" } };
  return { kind: "completed", stopReason: { kind: "end-of-turn" } };
}

function isEmpty(content: Answer["content"]): boolean {
  return content.every((part) => part.type !== "text" || part.text.trim() === "");
}

/** Google withholds calls whose arguments aren't JSON, and ends the answer with this reason. */
const MALFORMED_OF_GOOGLE = "MALFORMED_FUNCTION_CALL";

async function takeTurns(run: Run): Promise<Ending> {
  const { task, conversation } = run;
  for (let turn = 1; turn <= task.limits.maxTurns; turn++) {
    const attempt = await takeTurn(run, turn);
    if (isEnding(attempt)) return attempt;
    const { answer, failure } = attempt;
    if (failure !== null) return failure;
    const end = endOf(answer, turn);
    if (end !== null) {
      const reminder = end.stopReason.kind === "end-of-turn" ? (task.remind?.() ?? null) : null;
      if (reminder === null) return end;
      // Providers reject a history that contains an empty answer.
      if (!isEmpty(answer.content)) conversation.add(answer.content, []);
      conversation.say(reminder);
      continue;
    }
    if (answer.results.length > 0) keepCalls(conversation, answer);
    else {
      const { text, ends } = task.strayCalls([]);
      if (ends !== null) return ends;
      conversation.say(text);
    }
  }
  return { kind: "failed", stopReason: { kind: "turn-limit" } };
}

function createCallTool({ tools, onEvent }: ModelTask): CallTool {
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return (name, args) => {
    const tool = byName.get(name);
    if (tool === undefined) return null;
    onEvent({ kind: "tool", name });
    return tool.call(args);
  };
}

/** The ending of a run that the watch aborted. Other errors, such as a failing meter, aren't the model's and are rethrown. */
function endOfThrown(error: unknown, watch: RunWatch, signal: AbortSignal): Ending {
  const cause = watch.cause();
  if (cause === null) throw error;
  if (cause === "aborted") throw signal.reason;
  return { kind: "timed-out", stopReason: { kind: cause } };
}

export async function runTask(
  model: { readonly options: AiSdkOptions; readonly connection: ProviderConnection },
  task: ModelTask,
  signal: AbortSignal,
): Promise<Outcome> {
  signal.throwIfAborted();
  const startedAt = performance.now();
  const watch = createWatch(task.limits, signal);
  let turns = 0;
  let tokens = NO_TOKENS;
  const { id, name, effort, verbosity, summary } = model.options;
  const asking: Run["asking"] = {
    model: model.options,
    connection: model.connection,
    stallMs: task.limits.stallMs,
    tools: task.tools,
    callTool: createCallTool(task),
    strayCalls: task.strayCalls,
    onPiece: (piece) => task.onPiece?.(piece),
    onArguments: (piece) => task.onArguments?.(piece),
    onCalled(spent, isAnswered) {
      if (isAnswered) turns++;
      tokens = addTokens(tokens, spent);
      task.meter.add(spent);
    },
    onSaid: (content) => reportSaid(saidIn(content), task),
  };
  const demands = {
    maxOutputTokens: roomOf(name, task.limits.maxOutputTokens),
    effort,
    ...(verbosity !== undefined && { verbosity }),
    ...(summary !== undefined && { summary }),
  };
  const conversation = createConversation(task.prompt, task.tools);
  try {
    const end = await takeTurns({ task, asking, demands, conversation, watch }).catch((error: unknown) =>
      endOfThrown(error, watch, signal),
    );
    const { kind, stopReason } = end;
    return {
      kind,
      stopReason,
      model: id,
      turns,
      tokens,
      ms: Math.round(performance.now() - startedAt),
    };
  } finally {
    watch.close();
  }
}
