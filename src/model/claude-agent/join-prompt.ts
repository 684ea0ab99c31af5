/** The user's part of a prompt as one text, because the agent program starts with a single message. */
import type { ModelPrompt } from "../model.ts";

export function joinPrompt({ user, question }: ModelPrompt): string {
  return question === undefined ? user : `${user}\n\n${question}`;
}
