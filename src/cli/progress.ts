/** Shows progress as one line on standard error, only on a terminal and only after a second. The line is cleared at the end. */
import type { CliDeps } from "./command.ts";

/** Shorter work finishes before a user could read the line. */
const SHOW_AFTER_MS = 1_000;
const REDRAW_EVERY_MS = 200;

export type Progress = {
  update(text: string): void;
  /** Writes whole lines. Progress continues below them. */
  print(lines: string): void;
  /** Hides the line until the next update. */
  pause(): void;
  clear(): void;
};

export function createProgress({
  stderr,
  settings,
  now,
}: Pick<CliDeps, "stderr" | "settings" | "now">): Progress {
  if (settings.isCi || !stderr.isTerminal)
    return { update: () => {}, print: (lines) => stderr.write(lines), pause: () => {}, clear: () => {} };
  const startedAt = now();
  let line = "";
  let isShown = false;
  let isPaused = false;
  const draw = (): void => {
    const elapsedMs = now() - startedAt;
    if (elapsedMs < SHOW_AFTER_MS || isPaused) return;
    isShown = true;
    stderr.write(`\r\u001b[K${line}, ${Math.round(elapsedMs / 1_000)} s`);
  };
  const erase = (): void => {
    if (isShown) stderr.write("\r\u001b[K");
    isShown = false;
  };
  // Redrawn on a timer, so that a long wait for git shows too.
  const timer = setInterval(draw, REDRAW_EVERY_MS);
  timer.unref();
  return {
    update(text) {
      line = text;
      isPaused = false;
    },
    print(lines) {
      erase();
      stderr.write(lines);
    },
    pause() {
      isPaused = true;
      erase();
    },
    clear() {
      clearInterval(timer);
      erase();
    },
  };
}
