/**
 * The language of scripts: the answers of the server's model, turn by turn, and the failures on the way. The same script works with
 * every protocol.
 */

export type ScriptedCall = {
  /** Kodiai's name of the tool; the server finds the offered tool even if its name has a prefix. */
  readonly name: string;
  /** A string is sent unchanged, so that arguments can be invalid JSON. */
  readonly args: unknown;
};

export type ScriptedUsage = {
  /** All input tokens, including those from a cache. */
  readonly input: number;
  readonly cachedInput?: number;
  /** Only Anthropic counts cache writes. */
  readonly cacheWriteInput?: number;
  readonly output: number;
};

export type Fault = (
  | {
      /** Refused before anything is sent. */
      readonly kind: "status";
      readonly status: number;
      /** Value of the `retry-after` header; default: no header. */
      readonly retryAfterSeconds?: number;
      /** The provider's error text. */
      readonly words?: string;
    }
  /** The prompt exceeds the context window, with the protocol's error text. */
  | { readonly kind: "context-overflow" }
  /** The account has no credit left, with the protocol's error text. */
  | { readonly kind: "no-credit" }
  /** The request is accepted and never answered. */
  | { readonly kind: "silence" }
  /** The answer stops in the middle; the connection stays open. */
  | { readonly kind: "stall" }
  /** The connection is cut in the middle of the answer, once `after` is true: the other side may lose what it hasn't read yet. */
  | { readonly kind: "reset"; readonly after?: () => boolean }
  /** The connection is cut before the answer begins. */
  | { readonly kind: "hang-up" }
  /** The answer ends in the middle as if it were complete. */
  | { readonly kind: "cut" }
  /** An error in the stream, after it began with HTTP 200. */
  | { readonly kind: "error-event"; readonly isOverloaded?: boolean }
) & {
  /** How many attempts at this turn it affects; default 1. */
  readonly times?: number | "always";
};

export type ModelTurn = {
  /** The model's thinking before its text. A provider requires it in the next call, signed with `SIGNATURE`. */
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** A call after the others of which only half is sent before a fault breaks the answer off. Google sends calls whole or not at all. */
  readonly halfCall?: ScriptedCall;
  /** "none": the provider reports no usage. */
  readonly usage?: ScriptedUsage | "none";
  /** Default: the end of the turn, or the tool calls. */
  readonly stop?: "length" | "refusal";
  /** Faults for the attempts at this turn, one after the other; the next attempt succeeds. */
  readonly faults?: readonly Fault[];
  /** Pause between the pieces of the answer. */
  readonly pauseMs?: number;
  /** Size of the pieces in bytes, which can split characters. */
  readonly splitBytes?: number;
};

/** A request as a script sees it. */
export type ScriptedRequest = {
  /** The number of model answers in the history. */
  readonly turn: number;
  /** The first conversation is 1. */
  readonly conversation: number;
  readonly model: string;
  readonly system: string;
  /** The first user message. */
  readonly prompt: string;
  /** Names of the offered tools. */
  readonly tools: readonly string[];
  /** All tool results, in order. */
  readonly toolResults: readonly string[];
};

/** The model's answer after the last turn of a list. */
export type ModelScript = readonly ModelTurn[] | ((request: ScriptedRequest) => ModelTurn);

export const DEFAULT_USAGE: Required<ScriptedUsage> = {
  input: 100,
  cachedInput: 0,
  cacheWriteInput: 0,
  output: 10,
};

/** The provider's signature on thinking. */
export const SIGNATURE = "signed-by-the-scripted-provider";

export const LAST_TURN: ModelTurn = { text: "Done." };

export function turnOf(script: ModelScript, request: ScriptedRequest): ModelTurn {
  return typeof script === "function" ? script(request) : (script[request.turn] ?? LAST_TURN);
}

/** Repeats one turn forever: a model that never finishes. */
export function forever(turn: ModelTurn): ModelScript {
  return () => turn;
}

/**
 * A model that continues from its history: if a call has no result, it makes the call again. A reset connection may lose data that the
 * other side hasn't read yet. Faults affect the first attempt at a turn.
 */
export function continuing(turns: readonly ModelTurn[]): ModelScript {
  const begun = new Set<ModelTurn>();
  return ({ toolResults }) => {
    const turn = turns[toolResults.length] ?? LAST_TURN;
    if (begun.has(turn)) return { ...turn, faults: [] };
    begun.add(turn);
    return turn;
  };
}

/** The fault of an attempt at a turn; attempts count from 0. */
export function faultOf(turn: ModelTurn, attempt: number): Fault | null {
  let before = 0;
  for (const fault of turn.faults ?? []) {
    if (fault.times === "always") return fault;
    before += fault.times ?? 1;
    if (attempt < before) return fault;
  }
  return null;
}
