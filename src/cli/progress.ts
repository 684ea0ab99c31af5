/** Progress on standard error: one line, only on a terminal, only for work that takes more than a second, gone when done. */
import type { CliDeps } from "./command.ts";

/** Shorter work is over before a person reads the line. */
const SHOW_AFTER_MS = 1_000;
const REDRAW_EVERY_MS = 200;

export type Progress = {
  update(text: string): void;
  /** Writes whole lines; progress goes on below them. */
  say(lines: string): void;
  clear(): void;
};

export function createProgress({
  stderr,
  settings,
  now,
}: Pick<CliDeps, "stderr" | "settings" | "now">): Progress {
  if (settings.isCi || !stderr.isTerminal)
    return { update: () => {}, say: (lines) => stderr.write(lines), clear: () => {} };
  const startedAt = now();
  let line = "";
  let isShown = false;
  const draw = (): void => {
    const elapsedMs = now() - startedAt;
    if (elapsedMs < SHOW_AFTER_MS) return;
    isShown = true;
    stderr.write(`\r\u001b[K${line}, ${Math.round(elapsedMs / 1_000)} s`);
  };
  const erase = (): void => {
    if (isShown) stderr.write("\r\u001b[K");
    isShown = false;
  };
  // Redrawn by itself, so that a long wait for git shows too.
  const timer = setInterval(draw, REDRAW_EVERY_MS);
  timer.unref();
  return {
    update(text) {
      line = text;
    },
    say(lines) {
      erase();
      stderr.write(lines);
    },
    clear() {
      clearInterval(timer);
      erase();
    },
  };
}
