/**
 * One run of the agent program, seen from here. The program holds the conversation and calls the provider; this follows what it
 * says, runs tools for it, asks for money before each further call, and decides when it is over. What it decides first holds.
 */
import { setImmediate } from "node:timers/promises";
import type {
  HookCallback,
  PostToolBatchToolCall,
  SDKAPIRetryMessage,
  SDKMessage,
  SDKResultMessage,
} from "@anthropic-ai/claude-agent-sdk";
import type { Ending, ModelTask, ModelTool, Tokens, ToolAnswer } from "../model.ts";
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
  /** Asks for the first call; false: the run has ended. */
  admit(): Promise<boolean>;
  /** Output tokens that one answer may have, once the first call is admitted. */
  maxOutputTokens(): number;
  onMessage(message: SDKMessage): void;
  /** The program says nothing more. */
  readonly onProgramEnd: () => void;
  readonly callTool: (tool: ModelTool, args: unknown) => Promise<Pick<ToolAnswer, "text" | "isError">>;
  readonly betweenCalls: HookCallback;
  /** The model has stopped: it is reminded, where the task has something to remind it of. */
  readonly onStop: HookCallback;
  /** Stops the clocks and counts what was cut. */
  stop(): { readonly turns: number; readonly tokens: Tokens };
};

const OUT_OF_BUDGET: Ending = { kind: "stopped-by-budget", stopReason: { kind: "budget-exhausted" } };
const BUDGET_UNKNOWN: Ending = { kind: "failed", stopReason: { kind: "budget-unavailable" } };

/** After calls the program asks for the rest at once, for ever. A third answer in a row that breaks off is no accident. */
const MAX_CUTS = 2;

/** Arguments that are no JSON: the program keeps them back, answers the model itself, and hands their text on like this. */
function unparsedText(input: unknown): string | null {
  if (typeof input !== "object" || input === null || !("__unparsedToolInput" in input)) return null;
  const unparsed = input.__unparsedToolInput;
  const isText = typeof unparsed === "object" && unparsed !== null && "raw" in unparsed;
  return isText && typeof unparsed.raw === "string" ? unparsed.raw : "";
}

function sumOf({ modelUsage }: SDKResultMessage): Tokens {
  // A provider that counts nothing makes these no numbers.
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

export function startAgentRun(task: ModelTask): AgentRun {
  const usage = createUsageCounter(task);
  const reader = createAnswerReader(usage, {
    onBegin: () => task.onEvent({ kind: "turn", turn: usage.turns() }),
    onSaid: (said) => reportSaid(said, task),
  });
  const ended = Promise.withResolvers<Ending>();
  let isOver = false;
  /** Said by a tool while the answer it belongs to still comes. */
  let chosen: Ending | null = null;
  /** Output tokens of one answer. The program is told once, at its start, so that each later call needs as many. */
  let room: number | null = null;
  /** How many answers broke off one after the other; the last one did unless it is 0. */
  let cuts = 0;
  /** The last answer has reached its limit. */
  let isFull = false;

  const isReached = (): boolean => usage.turns() > 0;

  function end(ending: Ending): void {
    isOver = true;
    ended.resolve(chosen ?? ending);
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
      // Who keeps the money cannot be asked: nothing is spent.
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
    if (ending !== null) end(ending);
  }

  /** An answer that ends without a reason broke off; the program is going to ask for the rest. */
  function onCut({ hasToolCalls }: FinishedAnswer): void {
    if (++cuts > MAX_CUTS || !watch.refused(0)) return end(endOfStatus(null, true));
    // With tools the meter is asked when they are done.
    if (hasToolCalls) watch.rest();
    else void admit();
  }

  /** The program is going to ask again. */
  function onRetry({ error_status: status, retry_delay_ms: delayMs }: SDKAPIRetryMessage): void {
    const wasCut = reader.breakOff();
    if (isFinalStatus(status) || !watch.refused(delayMs)) return end(endOfStatus(status, isReached()));
    // What came of the answer that was cut has been paid for; the next one is a call of its own.
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
    // A model that thinks in secret gives no other sign of life; what it has thought counts, should it be cut.
    if (message.subtype === "thinking_tokens") {
      watch.listen();
      usage.receive(message.estimated_tokens_delta * CHARS_PER_TOKEN);
    }
  }

  async function callTool(tool: ModelTool, args: unknown): Promise<ToolAnswer> {
    // Calls come by another way than messages: what the program said before has been read after this.
    await setImmediate();
    if (isOver || chosen !== null) return { text: "The review is over.", isError: true, ends: null };
    task.onEvent({ kind: "tool", name: tool.name });
    const answer = await tool.call(args);
    usage.grow(sizeOf(answer.text));
    if (answer.ends !== null) {
      chosen ??= answer.ends;
      // The rest of what the model says is on its way; it says what the call has cost.
      await reader.over();
      end(answer.ends);
    }
    return answer;
  }

  const toolOf = ({ tool_name }: PostToolBatchToolCall): ModelTool | undefined =>
    task.tools.find(({ name }) => tool_name === `mcp__${TOOL_SERVER}__${name}`);

  /**
   * Calls that the program has kept back: arguments that are no JSON, and tools that do not exist. The model has its answers already,
   * from the program: what is said here is not handed on, because from here it could only speak with the voice of the system.
   */
  async function passKeptBack(calls: readonly PostToolBatchToolCall[]): Promise<void> {
    for (const call of calls) {
      const [tool, text] = [toolOf(call), unparsedText(call.tool_input)];
      if (tool !== undefined && text !== null) await callTool(tool, text);
    }
    const strays = calls.filter((call) => toolOf(call) === undefined);
    const ends = strays.length === 0 ? null : task.strayCalls(strays.map(({ tool_name }) => tool_name)).ends;
    if (ends !== null) end(ends);
  }

  /** A call that the limit of the answer has cut is nobody's mistake; where it is the only one, the model has come to nothing. */
  async function passBatch(calls: readonly PostToolBatchToolCall[]): Promise<void> {
    const whole = isFull ? calls.filter(({ tool_input }) => unparsedText(tool_input) === null) : calls;
    if (isFull && whole.length === 0) end(OUTPUT_LIMIT);
    if (!isOver) await passKeptBack(whole);
  }

  const betweenCalls: HookCallback = async (input) => {
    await setImmediate();
    watch.rest();
    await reader.over();
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
