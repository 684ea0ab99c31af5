/** The conversation so far, which every call sends in full. It is kept nowhere else. */
import type { ModelPrompt, ModelTool } from "../model.ts";
import { sizeOf } from "../tokens.ts";
import type { AssistantPart, Message, ProviderOptions, ToolResultPart } from "./language-model.ts";

export type ProviderConversation = {
  /** For the next call, with marks for the provider's cache. */
  messages(cacheMark: ProviderOptions | null): Message[];
  /** The estimated size of a call, as `sizeOf` measures it. */
  size(): number;
  add(content: readonly AssistantPart[], results: readonly ToolResultPart[]): void;
  /** Adds a message of Kodiai. */
  say(text: string): void;
};

/** Marks the system and user prompt, which never change, and the last message, up to which the next call is the same. */
function marked(messages: readonly Message[], cacheMark: ProviderOptions): Message[] {
  const isMarked = (at: number): boolean => at < 2 || at === messages.length - 1;
  return messages.map((message, at) => (isMarked(at) ? { ...message, providerOptions: cacheMark } : message));
}

function questionOf({ question }: ModelPrompt): readonly Message[] {
  return question === undefined ? [] : [{ role: "user", content: [{ type: "text", text: question }] }];
}

export function createConversation(prompt: ModelPrompt, tools: readonly ModelTool[]): ProviderConversation {
  const messages: Message[] = [
    { role: "system", content: prompt.system },
    { role: "user", content: [{ type: "text", text: prompt.user }] },
    ...questionOf(prompt),
  ];
  const ofTools = tools.map(({ name, description, parameters }) => ({ name, description, parameters }));
  let size =
    sizeOf(JSON.stringify(ofTools)) +
    sizeOf(prompt.system) +
    sizeOf(prompt.user) +
    sizeOf(prompt.question ?? "");
  const push = (message: Message): void => {
    messages.push(message);
    size += sizeOf(JSON.stringify(message.content));
  };
  return {
    messages: (cacheMark) => (cacheMark === null ? [...messages] : marked(messages, cacheMark)),
    size: () => size,
    add(content, results) {
      push({ role: "assistant", content: [...content] });
      if (results.length > 0) push({ role: "tool", content: [...results] });
    },
    say: (text) => push({ role: "user", content: [{ type: "text", text }] }),
  };
}
