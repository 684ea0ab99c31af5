/**
 * The Model port: a prompt and tools in, an outcome out. What a model finds does not come back from here: it records
 * findings with tools while it works, so that nothing is lost however it ends.
 *
 * `run` never rejects for a model's failure; the outcome says what became of it. It rejects when `signal` is aborted, with the
 * signal's reason, since then nobody wants the answer any more; and when the meter fails, which is not the model's doing.
 */

import type { Ending, Outcome, OutcomeKind, PassStep, Tokens } from "./outcome.ts";

export type { Ending, Outcome, OutcomeKind, PassStep, Tokens };

export const NO_TOKENS: Tokens = { input: 0, cachedInput: 0, output: 0 };

export type JsonSchema = { readonly [key: string]: unknown };

export type ToolAnswer = {
  /** For the model. */
  readonly text: string;
  /** The call was wrong; the text says how. */
  readonly isError: boolean;
  /** Not null: the run ends here. */
  readonly ends: Ending | null;
};

export type ModelTool = {
  readonly name: string;
  readonly description: string;
  /** Of its arguments, an object. The tool itself checks them. */
  readonly parameters: JsonSchema;
  /** Never rejects. Arguments are whatever the model sent; what is no JSON at all comes as a string. */
  call(args: unknown): Promise<ToolAnswer>;
};

export type ModelPrompt = { readonly system: string; readonly user: string };

export type ModelLimits = {
  /** From the beginning of the run. Smaller than any limit around it. */
  readonly deadlineMs: number;
  /** Silence of the provider within an answer, after which it counts as stalled. */
  readonly stallMs: number;
  /** How long an overloaded provider is asked again. */
  readonly overloadMs: number;
  readonly maxTurns: number;
  /** Of one answer. */
  readonly maxOutputTokens: number;
};

/** What the money says. */
export type Meter = {
  /** Asked before each call with the most it can take: how many output tokens it may have, at most as many; 0: no further call. */
  admit(atMost: { readonly inputTokens: number; readonly outputTokens: number }): Promise<number>;
  /** Told after each call, also one that failed in mid-stream. */
  add(tokens: Tokens): void;
};

export type ModelEvent =
  | { readonly kind: "turn"; readonly turn: number }
  | { readonly kind: "tool"; readonly name: string }
  /** What the model wrote in an answer that is over or broke off, for recordings. Not both are empty. */
  | ({ readonly kind: "said" } & Said);

/** Words of a model, as it sent them: at most MAX_SAID_CHARS of each. */
export type Said = {
  readonly text: string;
  /** What the provider shows of its thinking; "" for none. */
  readonly thinking: string;
};

/** An answer has 32,000 tokens, and hardly more than 130,000 characters; a provider that never ends must not fill the memory. */
export const MAX_SAID_CHARS = 200_000;

export type ModelTask = {
  readonly prompt: ModelPrompt;
  readonly tools: readonly ModelTool[];
  /**
   * Answers the calls of one answer that reach no tool, by the names they have; none for calls that could not be read. Together they
   * count as one malformed call: the model has heard of none of them before.
   */
  readonly strayCalls: (names: readonly string[]) => ToolAnswer;
  readonly limits: ModelLimits;
  readonly meter: Meter;
  readonly onEvent: (event: ModelEvent) => void;
  /** Called when the model stops although no tool has ended the run: what it is told before one more turn; null: the run is over. */
  readonly remind?: () => string | null;
};

export type Model = {
  /** `provider:name`. */
  readonly id: string;
  run(task: ModelTask, signal: AbortSignal): Promise<Outcome>;
};
