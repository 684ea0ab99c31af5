/** How a run ends: by an answer's stop reason, a rejected call, or the program's result. Pure. */
import type { SDKAssistantMessageError, SDKResultMessage } from "@anthropic-ai/claude-agent-sdk";
import type { Ending } from "../model.ts";

/** Statuses of an overloaded provider. */
const NO_ROOM: ReadonlySet<number> = new Set([429, 503, 529]);

/** Statuses that a retry meets again. The program would retry ten times. */
export function isFinalStatus(status: number | null): boolean {
  return (
    status !== null && status >= 400 && status < 500 && status !== 408 && status !== 409 && status !== 429
  );
}

const CONTEXT_OVERFLOW: Ending = { kind: "failed", stopReason: { kind: "context-overflow" } };
export const OUTPUT_LIMIT: Ending = { kind: "failed", stopReason: { kind: "output-limit" } };
const QUOTA_EXCEEDED: Ending = { kind: "failed", stopReason: { kind: "quota-exceeded" } };

/** Statuses with a meaning of their own. */
const MEANINGS: Readonly<Record<number, Ending>> = { 402: QUOTA_EXCEEDED, 413: CONTEXT_OVERFLOW };

/** Null: no response at all. `isReached`: the provider has answered before, so the connection worked. */
export function endOfStatus(status: number | null, isReached: boolean): Ending {
  if (status === null)
    return { kind: "failed", stopReason: { kind: isReached ? "connection-lost" : "no-connection" } };
  const meaning = MEANINGS[status];
  if (meaning !== undefined) return meaning;
  return { kind: NO_ROOM.has(status) ? "overloaded" : "failed", stopReason: { kind: "http-error", status } };
}

/** The ending for the program's error word; null: the status decides. */
export function endOfError(error: SDKAssistantMessageError | undefined): Ending | null {
  return error === "billing_error" ? QUOTA_EXCEEDED : null;
}

export type AnswerEnd = {
  readonly stopReason: string | null;
  readonly hasText: boolean;
  readonly hasToolCalls: boolean;
  /** It is the first answer of the run. */
  readonly isFirst: boolean;
};

/** Null: the run continues with tools, or the program's result decides. */
export function endOfAnswer({ stopReason, hasText, hasToolCalls, isFirst }: AnswerEnd): Ending | null {
  if (stopReason === "refusal") return { kind: "refused", stopReason: { kind: "refusal" } };
  if (stopReason === "model_context_window_exceeded") return CONTEXT_OVERFLOW;
  if (hasToolCalls) return null;
  // The program would request the rest, or retry after an empty answer, with calls that the meter has not admitted.
  if (stopReason === "max_tokens") return OUTPUT_LIMIT;
  if (hasText) return null;
  return isFirst
    ? { kind: "failed", stopReason: { kind: "empty-answer" } }
    : { kind: "completed", stopReason: { kind: "end-of-turn" } };
}

/** The ending for the program's last message. `isCut`: the answer before it was cut off. `isReached`: see `endOfStatus`. */
export function endOfResult(
  result: SDKResultMessage,
  { isCut, isReached }: { readonly isCut: boolean; readonly isReached: boolean },
): Ending {
  if (result.stop_reason === "refusal") return { kind: "refused", stopReason: { kind: "refusal" } };
  if (result.terminal_reason === "prompt_too_long" || result.terminal_reason === "blocking_limit")
    return CONTEXT_OVERFLOW;
  if (result.subtype === "error_max_turns") return { kind: "failed", stopReason: { kind: "turn-limit" } };
  if (result.subtype === "success" && !result.is_error)
    return { kind: "completed", stopReason: { kind: "end-of-turn" } };
  const status = result.subtype === "success" ? (result.api_error_status ?? null) : null;
  return status === null && !isCut
    ? { kind: "failed", stopReason: { kind: "provider-error" } }
    : endOfStatus(status, isReached);
}
