/**
 * Assigns requests to conversations. A request contains its whole history, so the ids of its tool calls identify the conversation. A
 * first request has none, and counts as another attempt until an equal request was answered.
 */
import { createHash } from "node:crypto";
import type { ReadRequest } from "./protocol.ts";
import type { ModelScript } from "./script.ts";

export type Conversation = {
  /** The first is 1. */
  readonly number: number;
  readonly script: ModelScript;
  /** Attempts so far, by turn. */
  readonly attempts: Map<number, number>;
  /** Whether its first turn was answered: an equal request then starts another conversation. */
  isBegun: boolean;
};

export type Conversations = {
  find(request: ReadRequest, choose: (number: number) => ModelScript): Conversation;
  /** From now on, a request with this call in its history belongs to this conversation. */
  remember(callId: string, conversation: Conversation): void;
};

/** The number of answers; adjacent parts belong to one answer. */
export function turnsIn({ speakers }: ReadRequest): number {
  return speakers.filter((speaker, at) => speaker === "model" && speakers[at - 1] !== "model").length;
}

export function createConversations(): Conversations {
  const byCall = new Map<string, Conversation>();
  const byBeginning = new Map<string, Conversation>();
  let count = 0;
  const beginning = ({ system, prompt, tools, model }: ReadRequest): string =>
    createHash("sha256")
      .update(JSON.stringify([model, system, prompt, tools]))
      .digest("hex");
  return {
    find(request, choose) {
      const known = request.callIds
        .map((id) => byCall.get(id))
        .find((conversation) => conversation !== undefined);
      if (known !== undefined) return known;
      const key = beginning(request);
      const open = byBeginning.get(key);
      // Without ids (Google may send none), only the start of the conversation identifies it.
      if (open !== undefined && (!open.isBegun || turnsIn(request) > 0)) return open;
      const number = ++count;
      const begun = { number, script: choose(number), attempts: new Map<number, number>(), isBegun: false };
      byBeginning.set(key, begun);
      return begun;
    },
    remember(callId, conversation) {
      byCall.set(callId, conversation);
    },
  };
}
