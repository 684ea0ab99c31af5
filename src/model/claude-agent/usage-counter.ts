/**
 * Counts the calls of a run and what they took. What the provider says about an answer comes in pieces while it is streamed, and
 * may not come at all; what is missing is estimated from the texts that were seen. Sizes are those of `sizeOf`.
 */
import { type Meter, type ModelTask, NO_TOKENS, type Tokens } from "../model.ts";
import { addTokens, estimateTokens, sizeOf } from "../tokens.ts";

/** About what the program adds to a request of its own: where it runs, which model it is. */
const PROGRAM_SIZE = 2000;

/** What the provider says, as far as it does; types promise more than it keeps. */
export type ProviderUsage = {
  readonly input_tokens?: number | null;
  readonly cache_creation_input_tokens?: number | null;
  readonly cache_read_input_tokens?: number | null;
  readonly output_tokens?: number | null;
};

export type UsageCounter = {
  turns(): number;
  tokens(): Tokens;
  /** The most that the next call can take. */
  atMost(): Parameters<Meter["admit"]>[0];
  /** The conversation has grown by what a tool answered. */
  grow(size: number): void;
  /** An answer begins. */
  open(usage: ProviderUsage | undefined): void;
  /** So much of it has come. */
  receive(size: number): void;
  /** The provider says more about it; what it says later holds. */
  update(usage: ProviderUsage | undefined): void;
  /** It is over, whole or cut: the meter is told. Nothing happens when none is open. */
  close(): void;
  /** The program's own sum, at the end: what was used beside the answers that were seen is added. */
  settle(sum: Tokens): void;
};

/** A hundred times what any model takes: a provider that says more is mistaken, and money is counted by it. */
const MAX_TOKENS = 100_000_000;

/** False for what no call can have taken. */
export function isCount(count: unknown): count is number {
  return typeof count === "number" && count >= 0 && count <= MAX_TOKENS;
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
    // An answer that was cut has only the count it began with.
    output: isCounted ? output : Math.max(output, estimateTokens(size)),
  };
}

export function createUsageCounter({ prompt, tools, limits, meter }: ModelTask): UsageCounter {
  const offered = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  let conversationSize =
    PROGRAM_SIZE + sizeOf(prompt.system) + sizeOf(prompt.user) + sizeOf(JSON.stringify(offered));
  let total = NO_TOKENS;
  let turns = 0;
  let answer: OpenAnswer | null = null;
  const tell = (tokens: Tokens): void => {
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
    update(usage) {
      if (answer === null) return;
      const told = known(usage);
      answer.usage = { ...answer.usage, ...told };
      answer.isCounted ||= (told.output_tokens ?? 0) > 0;
    },
    close() {
      if (answer === null) return;
      const closed = answer;
      answer = null;
      tell(countAnswer(closed, conversationSize));
      conversationSize += closed.size;
    },
    settle(sum) {
      const beside = {
        input: Math.max(sum.input - total.input, 0),
        cachedInput: Math.max(sum.cachedInput - total.cachedInput, 0),
        output: Math.max(sum.output - total.output, 0),
      };
      if (beside.input + beside.output > 0) tell(beside);
    },
  };
}
