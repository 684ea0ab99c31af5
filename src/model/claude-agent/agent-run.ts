/**
 * One run of the agent program. The program holds the conversation and calls the provider; this module follows its messages, executes
 * tools for it, has each further call admitted by the meter, and decides when the run is over. The first decision holds.
 */
import { setImmediate } from "node:timers/promises";
import type {
  HookCallback,
  PostToolBatchToolCall,
  SDKAPIRetryMessage,
  SDKMessage,
  SDKResultMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { Ending, ModelTask, ModelTool, StreamedPiece, Tokens, ToolAnswer } from "../model.ts";
import { reportSaid } from "../report-said.ts";
import { CHARS_PER_TOKEN, sizeOf } from "../tokens.ts";
import { TOOL_SERVER } from "./agent-options.ts";
import { createAnswerReader, type FinishedAnswer } from "./answer-reader.ts";
import {
  endOfAnswer,
  endOfError,
  endOfResult,
  endOfStatus,
  isFinalStatus,
  OUTPUT_LIMIT,
} from "./run-ending.ts";
import { createUsageCounter, isCount } from "./usage-counter.ts";
import { startWatch } from "./watch.ts";

export type AgentRun = {
  /** Never rejects. */
  readonly ended: Promise<Ending>;
  /** Has the first call admitted; false: the run has ended. */
  admit(): Promise<boolean>;
  /** Output tokens that one answer may have, once the first call is admitted. */
  maxOutputTokens(): number;
  onMessage(message: SDKMessage): void;
  /** The program has sent its last message. */
  readonly onProgramEnd: () => void;
  readonly callTool: (tool: ModelTool, args: unknown) => Promise<Pick<ToolAnswer, "text" | "isError">>;
  readonly betweenCalls: HookCallback;
  /** The model has stopped: it gets a reminder if the task has one. */
  readonly onStop: HookCallback;
  /** Stops the timers and counts an answer that was cut off. */
  stop(): { readonly turns: number; readonly tokens: Tokens };
};

const OUT_OF_BUDGET: Ending = { kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } };
const BUDGET_UNKNOWN: Ending = { kind: "failed", stopReason: { kind: "budget-unavailable" } };

/** After tool calls the program retries a cut answer forever. A third one in a row is no accident. */
const MAX_CUTS = 2;

/** Arguments that aren't JSON: the program withholds the call, answers the model itself, and passes the text on like this. */
function unparsedText(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("__unparsedToolInput" in input)) return null;
  const unparsed = input.__unparsedToolInput;
  const isText = typeof unparsed === "object" && unparsed !== null && "raw" in unparsed;
  return isText && typeof unparsed.raw === "string" ? unparsed.raw : "";
}

function sumOf({ modelUsage }: SDKResultMessage): Tokens {
  // If the provider counts nothing, these aren't numbers.
  const sum = (counts: readonly number[]): number =>
    counts.filter(isCount).reduce((total, count) => total + count, 0);
  const used = Object.values(modelUsage);
  const cachedInput = sum(used.map(({ cacheReadInputTokens }) => cacheReadInputTokens));
  return {
    input:
      cachedInput +
      sum(
        used.flatMap(({ inputTokens, cacheCreationInputTokens }) => [inputTokens, cacheCreationInputTokens]),
      ),
    cachedInput,
    output: sum(used.map(({ outputTokens }) => outputTokens)),
  };
}

/** One closure: each message, tool call and timer may end the run, and all of them must see that it is over. */
export function startAgentRun(task: ModelTask): AgentRun {
  const usage = createUsageCounter(task);
  const reader = createAnswerReader(usage, {
    onBegin: () => task.onEvent({ kind: "turn", turn: usage.turns() }),
    onSaid: (said) => reportSaid(said, task),
    onPiece: reportPiece,
    onArguments: (piece) => task.onArguments?.(piece),
  });
  function reportPiece(kind: StreamedPiece["kind"], delta: string): void {
    task.onPiece?.({ kind, delta, outputTokens: usage.received() });
  }
  /** A run without tools is one answer. */
  const maxCuts = task.tools.length === 0 ? 0 : MAX_CUTS;
  const ended = Promise.withResolvers<Ending>();
  let isOver = false;
  /** Set by a tool while its answer is still streaming. */
  let chosen: Ending | null = null;
  /** The model refused after calls of the same answer, which arrive on another channel. */
  let refusal: Ending | null = null;
  /** Output tokens of one answer. The program gets the limit once, at its start, so that every call needs as many. */
  let room: number | null = null;
  /** Number of consecutive answers that were cut off, including the last one. */
  let cuts = 0;
  /** The last answer hit its output limit. */
  let isFull = false;

  const isReached = (): boolean => usage.turns() > 0;

  function end(ending: Ending): void {
    isOver = true;
    ended.resolve(chosen ?? refusal ?? ending);
  }

  const watch = startWatch(task.limits, {
    onDeadline: () => end({ kind: "timed-out", stopReason: { kind: "deadline" } }),
    onSilence: () => end({ kind: "timed-out", stopReason: { kind: "stalled" } }),
  });

  async function admit(): Promise<boolean> {
    if (isOver) return false;
    try {
      const atMost = usage.atMost();
      const allowed = await task.meter.admit({ ...atMost, outputTokens: room ?? atMost.outputTokens });
      if (allowed < (room ?? 1)) end(OUT_OF_BUDGET);
      room ??= allowed;
    } catch {
      // The spending records can't be read, so nothing is spent.
      end(BUDGET_UNKNOWN);
    }
    return !isOver;
  }

  function onAnswer(answer: FinishedAnswer): void {
    watch.rest();
    if (answer.stopReason === null) return onCut(answer);
    cuts = 0;
    isFull = answer.stopReason === "max_tokens";
    watch.answered();
    const ending = endOfAnswer({ ...answer, isFirst: usage.turns() === 1 });
    if (ending?.kind === "refused" && answer.hasToolCalls) refusal = ending;
    else if (ending !== null) end(ending);
  }

  /** An answer without a stop reason was cut off. The program is about to request the rest. */
  function onCut({ hasToolCalls }: FinishedAnswer): void {
    if (++cuts > maxCuts || !watch.refused(0)) return end(endOfStatus(null, true));
    // If a tool was called, the meter admits the next call after the tool has run.
    if (hasToolCalls) watch.rest();
    else void admit();
  }

  /** The program is about to retry. */
  function onRetry({ error_status: status, retry_delay_ms: delayMs }: SDKAPIRetryMessage): void {
    const wasCut = reader.breakOff();
    const isOneAnswer = wasCut && task.tools.length === 0;
    if (isOneAnswer || isFinalStatus(status) || !watch.refused(delayMs))
      return end(endOfStatus(status, isReached()));
    // The cut answer has been paid for. The retry is another call.
    if (wasCut) void admit();
  }

  function onResult(result: SDKResultMessage): void {
    reader.breakOff();
    usage.settle(sumOf(result));
    end(endOfResult(result, { isCut: cuts > 0, isReached: isReached() }));
  }

  function onMessage(message: SDKMessage): void {
    if (isOver) return;
    if (message.type === "result") return onResult(message);
    if (message.type === "assistant") {
      const ending = endOfError(message.error);
      if (ending !== null) end(ending);
    }
    if (message.type === "stream_event") {
      watch.listen();
      const answer = reader.read(message.event);
      if (answer !== null) onAnswer(answer);
    }
    if (message.type !== "system") return;
    if (message.subtype === "status" && message.status === "requesting") watch.listen();
    if (message.subtype === "api_retry") onRetry(message);
    // Hidden thinking sends nothing else. Its tokens count if the answer is cut off.
    if (message.subtype === "thinking_tokens") {
      watch.listen();
      usage.receive(message.estimated_tokens_delta * CHARS_PER_TOKEN);
      reportPiece("thinking", "");
    }
  }

  async function callTool(tool: ModelTool, args: unknown): Promise<ToolAnswer> {
    // Tool calls and messages arrive on different channels. After this, earlier messages have been read.
    await setImmediate();
    if (isOver || chosen !== null) return { text: "The review is over.", isError: true, ends: null };
    task.onEvent({ kind: "tool", name: tool.name });
    const answer = await tool.call(args);
    usage.grow(sizeOf(answer.text));
    if (answer.ends !== null) {
      chosen ??= answer.ends;
      // The rest of the answer is on its way, with the usage of the call.
      await reader.over();
      end(answer.ends);
    }
    return answer;
  }

  const toolOf = ({ tool_name }: PostToolBatchToolCall): ModelTool | undefined =>
    task.tools.find(({ name }) => tool_name === `mcp__${TOOL_SERVER}__${name}`);

  /**
   * Counts calls that the program withheld: arguments that aren't JSON, and tools that don't exist. The program has already answered
   * the model. Our answers aren't passed on, because here they could only be sent as system messages.
   */
  async function countWithheld(calls: readonly PostToolBatchToolCall[]): Promise<void> {
    for (const call of calls) {
      const [tool, text] = [toolOf(call), unparsedText(call.tool_input)];
      if (tool !== undefined && text !== null) await callTool(tool, text);
    }
    const strays = calls.filter((call) => toolOf(call) === undefined);
    const ends = strays.length === 0 ? null : task.strayCalls(strays.map(({ tool_name }) => tool_name)).ends;
    if (ends !== null) end(ends);
  }

  /** A call that the output limit cut off isn't malformed. If there is no other call, the run ends. */
  async function passBatch(calls: readonly PostToolBatchToolCall[]): Promise<void> {
    const whole = isFull ? calls.filter(({ tool_input }) => unparsedText(tool_input) === null) : calls;
    if (isFull && whole.length === 0) end(OUTPUT_LIMIT);
    if (!isOver) await countWithheld(whole);
  }

  const betweenCalls: HookCallback = async (input) => {
    await setImmediate();
    watch.rest();
    await reader.over();
    if (refusal !== null) end(refusal);
    if (input.hook_event_name === "PostToolBatch") await passBatch(input.tool_calls);
    if (usage.turns() >= task.limits.maxTurns) end({ kind: "failed", stopReason: { kind: "turn-limit" } });
    return { continue: await admit() };
  };

  const onStop: HookCallback = async () => {
    await setImmediate();
    watch.rest();
    await reader.over();
    const reminder = isOver ? null : (task.remind?.() ?? null);
    if (reminder === null) return {};
    usage.grow(sizeOf(reminder));
    return (await admit()) ? { decision: "block", reason: reminder } : { continue: false };
  };

  return {
    ended: ended.promise,
    admit,
    maxOutputTokens: () => room ?? task.limits.maxOutputTokens,
    onMessage,
    onProgramEnd: () => end({ kind: "failed", stopReason: { kind: "process-exited" } }),
    callTool,
    betweenCalls,
    onStop,
    stop() {
      isOver = true;
      watch.stop();
      reader.breakOff();
      return { turns: usage.turns(), tokens: usage.tokens() };
    },
  };
}
