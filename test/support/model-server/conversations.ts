/**
 * Which conversation a request belongs to. A request carries its whole history, so the ids of the tool calls in it tell; a first
 * request has none, and counts as another attempt as long as the same one was not answered yet.
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
  /** Its first turn was answered: the same request again is another conversation. */
  isBegun: boolean;
};

export type Conversations = {
  find(request: ReadRequest, choose: (number: number) => ModelScript): Conversation;
  /** From now on a request with this call in its history belongs to it. */
  remember(callId: string, conversation: Conversation): void;
};

/** How often the model has spoken: parts of one answer may stand side by side. */
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
      // Without ids (Google may send none) the beginning is all there is to go by.
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
