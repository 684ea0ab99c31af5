/**
 * The Model port: a prompt and tools in, an outcome out. Findings aren't part of the outcome: the model records them with tools while it
 * works, so that none is lost however the run ends.
 *
 * `run` never rejects for a failure of the model; the outcome describes it. It rejects with the signal's reason when `signal` is aborted,
 * and when the meter fails.
 */
import type { Ending, Outcome, OutcomeKind, PassStep, Tokens } from "./outcome.ts";

export type { Ending, Outcome, OutcomeKind, PassStep, Tokens };

export const NO_TOKENS: Tokens = { input: 0, cachedInput: 0, output: 0 };

export type JsonSchema = { readonly [key: string]: unknown };

export type ToolAnswer = {
  /** For the model. */
  readonly text: string;
  /** The call was invalid; the text explains why. */
  readonly isError: boolean;
  /** Not null: the run ends here. */
  readonly ends: Ending | null;
};

export type ModelTool = {
  readonly name: string;
  readonly description: string;
  /** Schema of the arguments, an object. The tool itself validates them. */
  readonly parameters: JsonSchema;
  /** Never rejects. Arguments are passed as the model sent them; text that isn't JSON stays a string. */
  call(args: unknown): Promise<ToolAnswer>;
};

export type ModelPrompt = {
  readonly system: string;
  readonly user: string;
  /** A second user message. Left out for none. An adapter that can send only one text joins them. */
  readonly question?: string;
};

export type ModelLimits = {
  /** From the start of the run. Shorter than any limit around it. */
  readonly deadlineMs: number;
  /** How long the provider may send nothing within an answer before it counts as stalled. */
  readonly stallMs: number;
  /** How long an overloaded provider is retried. */
  readonly overloadMs: number;
  readonly maxTurns: number;
  /** For one answer. */
  readonly maxOutputTokens: number;
};

/** Limits the cost of a run. */
export type Meter = {
  /** Called before each call with the most it can use. Returns the output tokens it may use; 0: no further call. */
  admit(atMost: { readonly inputTokens: number; readonly outputTokens: number }): Promise<number>;
  /** Called after each call, even one that failed mid-stream. */
  add(tokens: Tokens): void;
};

export type ModelEvent =
  | { readonly kind: "turn"; readonly turn: number }
  | { readonly kind: "tool"; readonly name: string }
  /** Text of an answer, complete or cut off, for recordings. At least one field isn't empty. */
  | ({ readonly kind: "said" } & Said);

/** A piece of an answer, as it arrives. Pieces of both kinds in order are the whole answer. */
export type StreamedPiece = {
  readonly kind: "text" | "thinking";
  /** "" if only the count has grown: a provider may hide its thinking. */
  readonly delta: string;
  /** Of the answer so far, thinking included. Estimated, because providers count at the end. */
  readonly outputTokens: number;
};

/** A piece of the arguments of a tool call, as it arrives: JSON. A call that is repeated begins again with `isFirst`. */
export type StreamedArguments = { readonly tool: string; readonly delta: string; readonly isFirst: boolean };

/** Text of a model, unchanged: up to MAX_SAID_CHARS of each. */
export type Said = {
  readonly text: string;
  /** The thinking that the provider shows; "" for none. */
  readonly thinking: string;
};

/** An answer has up to 32,000 tokens, or about 130,000 characters. An endless answer must not fill the memory. */
export const MAX_SAID_CHARS = 200_000;

export type ModelTask = {
  readonly prompt: ModelPrompt;
  /**
   * Empty: the run is one answer, and its text is the result. Its pieces have been shown as they arrived, so it is requested again only
   * until it has begun. If it breaks off, the run has failed.
   */
  readonly tools: readonly ModelTool[];
  /**
   * Answers the calls of one answer that match no tool. `names` is empty for calls that couldn't be parsed. Together they count as one
   * malformed call, because the model gets the answer to all of them at once.
   */
  readonly strayCalls: (names: readonly string[]) => ToolAnswer;
  readonly limits: ModelLimits;
  readonly meter: Meter;
  readonly onEvent: (event: ModelEvent) => void;
  /** Called while an answer arrives. Left out if only whole answers matter. */
  readonly onPiece?: (piece: StreamedPiece) => void;
  /** Called while the arguments of a call arrive. Left out if only whole calls matter. */
  readonly onArguments?: (piece: StreamedArguments) => void;
  /** Called when the model stops before a tool has ended the run. Returns a reminder for one more turn; null: the run is over. */
  readonly remind?: () => string | null;
};

/** The limits that the program of a model gets at its start. */
export type StartLimits = Pick<ModelLimits, "maxTurns" | "maxOutputTokens">;

/** The start of a run that may follow. */
export type Warmed = {
  /** Ends it, unless a run has taken it. */
  close(): Promise<void>;
};

export type Model = {
  /** `provider:name`. */
  readonly id: string;
  /** Starts in advance what the next run with these limits needs. It sends nothing and costs no money. Left out: there is nothing. */
  readonly warm?: (limits: StartLimits) => Warmed;
  run(task: ModelTask, signal: AbortSignal): Promise<Outcome>;
};
