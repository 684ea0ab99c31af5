/**
 * Counts the calls of a run and their tokens. Usage arrives in pieces while an answer streams, or not at all; missing counts are estimated
 * from the texts. Sizes are those of `sizeOf`.
 */
import { type Meter, type ModelTask, NO_TOKENS, type Tokens } from "../model.ts";
import { addTokens, estimateTokens, MAX_CALL_TOKENS, sizeOf } from "../tokens.ts";
import { joinPrompt } from "./join-prompt.ts";

/** The estimated size of what the program adds to a request: its environment and the model. */
const PROGRAM_SIZE = 2000;

/** Usage as the provider sends it. The SDK's types promise more fields than arrive. */
export type ProviderUsage = {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
};

export type UsageCounter = {
  turns(): number;
  tokens(): Tokens;
  /** The most tokens that the next call can use. */
  atMost(): Parameters<Meter["admit"]>[0];
  /** Adds a tool result to the conversation. */
  grow(size: number): void;
  /** An answer begins. */
  open(usage: ProviderUsage | undefined): void;
  /** Adds a received part of it. */
  receive(size: number): void;
  /** Estimated output tokens of the open answer; 0 when none is open. */
  received(): number;
  /** Updates its usage; later values replace earlier ones. */
  update(usage: ProviderUsage | undefined): void;
  /** Ends it, complete or cut off, and adds it to the meter. Does nothing when none is open. */
  close(): void;
  /** Adds usage from the program's total that no answer has shown. */
  settle(sum: Tokens): void;
};

/** False for impossible counts. */
export function isCount(count: unknown): count is number {
  return typeof count === "number" && count >= 0 && count <= MAX_CALL_TOKENS;
}

function known(usage: ProviderUsage | undefined): ProviderUsage {
  return Object.fromEntries(Object.entries(usage ?? {}).filter(([, count]) => isCount(count)));
}

type OpenAnswer = { usage: ProviderUsage; size: number; isCounted: boolean };

function countAnswer({ usage, size, isCounted }: OpenAnswer, conversationSize: number): Tokens {
  const cachedInput = usage.cache_read_input_tokens ?? 0;
  const written = usage.cache_creation_input_tokens ?? 0;
  const input = (usage.input_tokens ?? 0) + written + cachedInput;
  const output = usage.output_tokens ?? 0;
  return {
    input: input > 0 ? input : estimateTokens(conversationSize),
    cachedInput,
    ...(written > 0 && { cacheWriteInput: written }),
    // A cut answer has only the count it started with.
    output: isCounted ? output : Math.max(output, estimateTokens(size)),
  };
}

export function createUsageCounter({ prompt, tools, limits, meter }: ModelTask): UsageCounter {
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  let conversationSize =
    PROGRAM_SIZE + sizeOf(prompt.system) + sizeOf(joinPrompt(prompt)) + sizeOf(JSON.stringify(offered));
  let total = NO_TOKENS;
  let turns = 0;
  let answer: OpenAnswer | null = null;
  const add = (tokens: Tokens): void => {
    total = addTokens(total, tokens);
    meter.add(tokens);
  };
  return {
    turns: () => turns,
    tokens: () => total,
    atMost: () => ({ inputTokens: estimateTokens(conversationSize), outputTokens: limits.maxOutputTokens }),
    grow(size) {
      conversationSize += size;
    },
    open(usage) {
      turns++;
      answer = { usage: known(usage), size: 0, isCounted: false };
    },
    receive(size) {
      if (answer !== null) answer.size += size;
    },
    received: () => estimateTokens(answer?.size ?? 0),
    update(usage) {
      if (answer === null) return;
      const counts = known(usage);
      answer.usage = { ...answer.usage, ...counts };
      answer.isCounted ||= (counts.output_tokens ?? 0) > 0;
    },
    close() {
      if (answer === null) return;
      const closed = answer;
      answer = null;
      add(countAnswer(closed, conversationSize));
      conversationSize += closed.size;
    },
    settle(sum) {
      const unseen = {
        input: Math.max(sum.input - total.input, 0),
        cachedInput: Math.max(sum.cachedInput - total.cachedInput, 0),
        output: Math.max(sum.output - total.output, 0),
      };
      if (unseen.input + unseen.output > 0) add(unseen);
    },
  };
}
