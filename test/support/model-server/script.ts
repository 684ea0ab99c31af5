/**
 * The language of scripts: what the model of the server says, turn by turn, and what goes wrong on the way. The same script is
 * played in every protocol.
 */

export type ScriptedCall = {
  /** As the tool is called here; the server finds the offered tool, also where its name has a prefix. */
  readonly name: string;
  /** A string is sent as it is: this is how arguments that are no JSON are sent. */
  readonly args: unknown;
};

export type ScriptedUsage = {
  /** All that went in, what came from a cache included. */
  readonly input: number;
  readonly cachedInput?: number;
  /** Only Anthropic counts what it writes to its cache. */
  readonly cacheWriteInput?: number;
  readonly output: number;
};

export type Fault = (
  | {
      /** Refused before anything is sent. */
      readonly kind: "status";
      readonly status: number;
      /** Value of the `retry-after` header; none when left out. */
      readonly retryAfterSeconds?: number;
      /** What the provider says about it. */
      readonly words?: string;
    }
  /** The prompt is longer than the model's window, in the words of the protocol. */
  | { readonly kind: "context-overflow" }
  /** The account has no credit left, in the words of the protocol. */
  | { readonly kind: "no-credit" }
  /** The request is taken and nothing is ever answered. */
  | { readonly kind: "silence" }
  /** The answer stops in the middle, the connection stays. */
  | { readonly kind: "stall" }
  /** The connection is cut in the middle of the answer. */
  | { readonly kind: "reset" }
  /** The answer ends in the middle as if it were complete. */
  | { readonly kind: "cut" }
  /** An error in the stream, after it began with HTTP 200. */
  | { readonly kind: "error-event"; readonly isOverloaded?: boolean }
) & {
  /** How many attempts at this turn it meets; 1 when left out. */
  readonly times?: number | "always";
};

export type ModelTurn = {
  /** What the model thinks before it speaks; a provider wants it back with the next call, signed as `SIGNATURE`. */
  readonly thinking?: string;
  readonly text?: string;
  readonly toolCalls?: readonly ScriptedCall[];
  /** Comes after the others, and only half of it: sent when a fault breaks the answer off. Google sends calls whole or not at all. */
  readonly halfCall?: ScriptedCall;
  /** "none": the provider says nothing about it. */
  readonly usage?: ScriptedUsage | "none";
  /** Left out: the end of the turn, or the tool calls. */
  readonly stop?: "length" | "refusal";
  /** Met one after the other by the attempts at this turn; afterwards it succeeds. */
  readonly faults?: readonly Fault[];
  /** Between the pieces of the answer. */
  readonly pauseMs?: number;
  /** The answer comes in pieces of so many bytes, which cuts characters in two. */
  readonly splitBytes?: number;
};

/** A request as a script sees it. */
export type ScriptedRequest = {
  /** How many answers of the model are in the history. */
  readonly turn: number;
  /** The first conversation is 1. */
  readonly conversation: number;
  readonly model: string;
  readonly system: string;
  /** The first message of the user. */
  readonly prompt: string;
  /** Names of the tools, as they were offered. */
  readonly tools: readonly string[];
  /** Answers of tools, all of them, in order. */
  readonly toolResults: readonly string[];
};

/** After the last turn of a list the model says that it is done. */
export type ModelScript = readonly ModelTurn[] | ((request: ScriptedRequest) => ModelTurn);

export const DEFAULT_USAGE: Required<ScriptedUsage> = {
  input: 100,
  cachedInput: 0,
  cacheWriteInput: 0,
  output: 10,
};

/** What a provider puts on thoughts, to know them again. */
export const SIGNATURE = "signed-by-the-scripted-provider";

export const LAST_TURN: ModelTurn = { text: "Done." };

export function turnOf(script: ModelScript, request: ScriptedRequest): ModelTurn {
  return typeof script === "function" ? script(request) : (script[request.turn] ?? LAST_TURN);
}

/** The same for ever: a model that never comes to an end. */
export function forever(turn: ModelTurn): ModelScript {
  return () => turn;
}

/**
 * A model that goes on from what it sees: if it hears nothing of a call, it makes it again. A reset connection may take along what the
 * other side has not read yet. Faults meet the first attempt at a turn.
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

/** The fault that an attempt at a turn meets; attempts count from 0. */
export function faultOf(turn: ModelTurn, attempt: number): Fault | null {
  let before = 0;
  for (const fault of turn.faults ?? []) {
    if (fault.times === "always") return fault;
    before += fault.times ?? 1;
    if (attempt < before) return fault;
  }
  return null;
}
