/** Shows a model's answer while it arrives: the reasoning line by line and the count of tokens, on standard error. */
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import type { TextSink } from "./command.ts";
import type { Progress } from "./progress.ts";

export type AnswerDisplay = {
  /** The step that begins. Logs get a line for it, because they show no progress. */
  stage(text: string): void;
  piece(piece: DisplayedPiece): void;
  /** Shows the rest of a line that has no end. */
  end(): void;
};

type DisplayedPiece = {
  readonly kind: "text" | "thinking";
  readonly delta: string;
  readonly outputTokens: number;
};

/** A provider that sends no line feed must not fill the memory. */
const MAX_LINE_CHARS = 2_000;

export function createAnswerDisplay(progress: Progress, stderr: Pick<TextSink, "isTerminal">): AnswerDisplay {
  let line = "";
  let isAnswering = false;
  const printLines = (): void => {
    for (;;) {
      const end = line.indexOf("\n");
      const length = end === -1 ? MAX_LINE_CHARS : end;
      if (end === -1 && line.length < MAX_LINE_CHARS) return;
      progress.print(`${printable(line.slice(0, length))}\n`);
      line = line.slice(end === -1 ? length : end + 1);
    }
  };
  const printRest = (): void => {
    if (line !== "") progress.print(`${printable(line)}\n`);
    line = "";
  };
  const stage = (text: string): void => {
    progress.update(text);
    if (!stderr.isTerminal) progress.print(`kodiai: ${text}\n`);
  };
  return {
    stage,
    piece({ kind, delta, outputTokens }) {
      if (kind === "thinking") {
        line += delta;
        printLines();
      } else if (!isAnswering) {
        isAnswering = true;
        printRest();
        stage("answering");
      }
      progress.update(`${isAnswering ? "answering" : "thinking"}, ${count(outputTokens, "token")}`);
    },
    end: printRest,
  };
}
