/**
 * Shows a model's answer while it arrives: on a terminal its lines on standard output, and the reasoning line by line and the count of
 * tokens on standard error.
 */
import { count } from "../base/count.ts";
import { printable } from "../base/printable.ts";
import type { TextSink } from "./command.ts";
import type { Progress } from "./progress.ts";

type DisplaySink = Pick<TextSink, "isTerminal" | "write">;

export type AnswerDisplay = {
  /** The step that begins. Logs get a line for it, because they show no progress. */
  stage(text: string): void;
  piece(piece: DisplayedPiece): void;
  /** The next line of the answer. Shown at once on a terminal; otherwise the caller prints the whole answer at the end. */
  answerLine(line: string): void;
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

export function createAnswerDisplay(
  progress: Progress,
  { stdout, stderr }: { readonly stdout: DisplaySink; readonly stderr: Pick<TextSink, "isTerminal"> },
): AnswerDisplay {
  let line = "";
  let hasAnswer = false;
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
    answerLine(answered) {
      hasAnswer ||= answered.trim() !== "";
      if (!stdout.isTerminal || !hasAnswer) return;
      // Both streams are the same terminal: the line of progress makes room.
      progress.print("");
      stdout.write(`${printable(answered)}\n`);
    },
    end: printRest,
  };
}
