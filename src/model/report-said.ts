/** Reports the text of an answer, bounded. */
import { MAX_SAID_CHARS, type ModelTask, type Said } from "./model.ts";

export function reportSaid({ text, thinking }: Said, { onEvent }: Pick<ModelTask, "onEvent">): void {
  if (text.trim() === "" && thinking.trim() === "") return;
  onEvent({ kind: "said", text: bounded(text), thinking: bounded(thinking) });
}

/** Cuts before the last word, because half a secret wouldn't be recognized. */
function bounded(text: string): string {
  return text.length <= MAX_SAID_CHARS ? text : text.slice(0, MAX_SAID_CHARS).replace(/\S*$/, "");
}
