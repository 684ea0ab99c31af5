/** Prints an answer while it arrives: rendered on a terminal, as Markdown in a file or a pipe. */
import { printableLines } from "../jobs/deep-review/compose-answer-files.ts";
import { createPaint } from "../review/publication/render/ansi.ts";
import type { CliDeps } from "./command.ts";
import { DEFAULT_WIDTH, usesColor } from "./print-review.ts";
import type { Progress } from "./progress.ts";
import { renderTerminalMarkdown } from "./terminal-markdown.ts";

export type AnswerPrinter = {
  /** Takes whole blocks. */
  take(part: string): void;
  /** Ends the last line. Repeating it has no effect. */
  end(): void;
};

export function createAnswerPrinter(progress: Pick<Progress, "pause">, deps: CliDeps): AnswerPrinter {
  const { stdout } = deps;
  const style = { paint: createPaint(usesColor(deps)), width: stdout.columns ?? DEFAULT_WIDTH };
  let isBegun = false;
  let isLineOpen = false;
  return {
    take(part) {
      const text = isBegun ? part : part.trimStart();
      if (text === "") return;
      progress.pause();
      const shown = stdout.isTerminal ? renderTerminalMarkdown(text, style) : printableLines(text);
      stdout.write(shown);
      isBegun = true;
      isLineOpen = !shown.endsWith("\n");
    },
    end() {
      if (isLineOpen) stdout.write("\n");
      isLineOpen = false;
    },
  };
}
