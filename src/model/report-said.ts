/** Passes on what a model wrote, bounded. */
import { MAX_SAID_CHARS, type ModelTask, type Said } from "./model.ts";

export function reportSaid({ text, thinking }: Said, { onEvent }: Pick<ModelTask, "onEvent">): void {
  if (text.trim() === "" && thinking.trim() === "") return;
  onEvent({ kind: "said", text: bounded(text), thinking: bounded(thinking) });
}

/** Cut before the last word: half of a secret would not be recognised as one. */
function bounded(text: string): string {
  return text.length <= MAX_SAID_CHARS ? text : text.slice(0, MAX_SAID_CHARS).replace(/\S*$/, "");
}
