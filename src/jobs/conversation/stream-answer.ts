/**
 * Shows an answer while it arrives. It arrives as the argument of `give_answer`: a string in JSON, in pieces. Only whole blocks are shown, so
 * that a secret is masked before any part of it is, and Markdown can be rendered. Pure but for the callback.
 */
import { createFenceReader } from "../../base/markdown.ts";
import type { StreamedArguments } from "../../model/model.ts";

export type AnswerStream = {
  take(piece: StreamedArguments): void;
  /** Shows what has arrived of an answer that won't be finished. */
  breakOff(): void;
  /** Shows what is missing of the answer. An answer that was shown differently is shown again as a whole. */
  finish(text: string): void;
};

export type AnswerStreamOptions = {
  readonly tool: string;
  /** Makes a part of the answer safe to show. */
  readonly clean: (text: string) => string;
  /** The parts in order are the answer. */
  readonly show: (part: string) => void;
};

/** An answer that is longer than any is shown when it is complete. */
const MAX_WATCHED_CHARS = 400_000;

export function createAnswerStream({ tool, clean, show }: AnswerStreamOptions): AnswerStream {
  let json = "";
  /** How much of the text has been shown, and how it looked. */
  let shownChars = 0;
  let shown = "";
  const showTo = (text: string, end: number): void => {
    const part = clean(text.slice(shownChars, end));
    shownChars = end;
    if (part.trim() === "") return;
    shown += part;
    show(part);
  };
  return {
    take({ tool: called, delta, isFirst }) {
      if (called !== tool) return;
      // Another attempt. The shown part of the first one stays.
      if (isFirst) {
        json = "";
        shownChars = 0;
      }
      if (json.length > MAX_WATCHED_CHARS) return;
      json += delta;
      // A line feed in JSON, which may arrive in two pieces. Without one, no block has ended.
      if (!json.slice(-delta.length - 1).includes(String.raw`\n`)) return;
      const text = textIn(json);
      const end = endOfBlocks(text);
      if (end > shownChars) showTo(text, end);
    },
    breakOff() {
      const text = textIn(json);
      showTo(text, text.length);
    },
    finish(text) {
      const isSame = shown !== "" && text.startsWith(shown.trimStart());
      const rest = isSame ? text.slice(shown.trimStart().length) : text;
      if (!isSame && shown !== "") show("\n\n---\n\n");
      if (rest !== "") show(rest);
    },
  };
}

/** The string of the only argument, as far as it has arrived. */
function textIn(json: string): string {
  const start = /^\s*\{\s*"text"\s*:\s*"/.exec(json)?.[0].length;
  if (start === undefined) return "";
  const end = /(?<!\\)(?:\\\\)*"/.exec(json.slice(start));
  const raw = end === null ? json.slice(start) : json.slice(start, start + end.index + end[0].length - 1);
  // An escape that is cut in the middle.
  const whole = raw.replace(/(?<!\\)((?:\\\\)*)\\(?:u[0-9a-f]{0,3})?$/i, "$1");
  try {
    const text: unknown = JSON.parse(`"${whole}"`);
    return typeof text === "string" ? text : "";
  } catch {
    return "";
  }
}

/** Where the last block ends that is complete: before a blank line that isn't in code. */
function endOfBlocks(text: string): number {
  const partOf = createFenceReader();
  let end = 0;
  let offset = 0;
  const lines = text.split("\n");
  // The last line may go on.
  for (const line of lines.slice(0, -1)) {
    offset += line.length + 1;
    const part = partOf(line);
    if (part === "closing" || (part !== "code" && part !== "opening" && line.trim() === "")) end = offset;
  }
  return end;
}
