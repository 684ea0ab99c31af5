/**
 * The loop of a run: ask, let tools answer, ask again, until the model is done, a tool ends it, or a limit is met. Before each call
 * the meter is asked, after each it is told.
 */
import { type Ending, type ModelTask, NO_TOKENS, type Outcome } from "../model.ts";
import { askProvider, type ProviderAttempt, type Asking } from "./ask-provider.ts";
import type { Failure } from "./classify-failure.ts";
import type { AiSdkOptions, ProviderConnection } from "./connect-provider.ts";
import { type Conversation, createConversation } from "./conversation.ts";
import { type Demands, giveUp, roomOf } from "./demands.ts";
import { reportSaid } from "../report-said.ts";
import { addTokens, estimateTokens } from "../tokens.ts";
import { type Answer, type CallTool, contentOf, saidIn } from "./read-answer.ts";
import { createWatch, type RunWatch } from "./watch.ts";

/** Waits of a provider that says nothing about them: doubled each time. */
const FIRST_WAIT_MS = 500;

// Longer waits would waste the time of a review more than a call.
const MAX_WAIT_MS = 8_000;

// A connection that is lost a third time in one turn is no accident.
const MAX_LOST = 2;

type Run = {
  readonly task: ModelTask;
  readonly asking: Omit<Asking, keyof Demands>;
  /** Less, once the provider has refused it. */
  demands: Demands;
  readonly conversation: Conversation;
  readonly watch: RunWatch;
};

const OUT_OF_BUDGET: Ending = { kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } };

const isEnding = (value: ProviderAttempt | Ending): value is Ending => "stopReason" in value;

/** How long until the same call may be made again; null when it may not. */
function waitMs(failure: Failure, tries: { readonly count: number; readonly leftMs: number }): number | null {
  const usualMs = Math.min(FIRST_WAIT_MS * 2 ** tries.count, MAX_WAIT_MS);
  if (failure.retry !== "lost" && failure.retry !== "overload") return null;
  if (failure.retry === "lost") return tries.count < MAX_LOST ? usualMs : null;
  if (failure.retryAfterMs !== null) {
    // Who asks for no wait at all and refuses again would be asked a thousand times a second.
    const ms = Math.max(failure.retryAfterMs, tries.count === 0 ? 0 : FIRST_WAIT_MS);
    return ms <= tries.leftMs ? ms : null;
  }
  return tries.leftMs > 0 ? Math.min(usualMs, tries.leftMs) : null;
}

/** One turn: the call, made again while there is hope. */
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
    const leftMs = startedAt + task.limits.overloadMs - performance.now();
    const ms = waitMs(attempt.failure, { count, leftMs });
    if (ms === null) return attempt;
    // What tools have done is done: the model hears of it, and goes on from there.
    keepCalls(conversation, attempt.answer);
    await watch.sleep(ms);
  }
}

function keepCalls(conversation: Conversation, answer: Answer): void {
  if (answer.results.length > 0) conversation.add(contentOf(answer), answer.results);
}

/** How the run ends after an answer; null when it goes on. */
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

/** Google passes no call on whose arguments are no JSON; it ends the answer with this. */
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
      // Providers refuse a history with an empty answer in it.
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

/** How a run ends that the watch has ended. What neither it nor the provider did, a meter that fails, is no outcome of the model. */
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
  const { id, name, effort } = model.options;
  const asking: Run["asking"] = {
    model: model.options,
    connection: model.connection,
    tools: task.tools,
    callTool: createCallTool(task),
    strayCalls: task.strayCalls,
    onCalled(spent, isAnswered) {
      if (isAnswered) turns++;
      tokens = addTokens(tokens, spent);
      task.meter.add(spent);
    },
    onSaid: (content) => reportSaid(saidIn(content), task),
  };
  const demands = { maxOutputTokens: roomOf(name, task.limits.maxOutputTokens), effort };
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
