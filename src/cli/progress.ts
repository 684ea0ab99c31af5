/** Progress on standard error: one line, only on a terminal, only for work that takes more than a second, gone when done. */
import type { CliDeps } from "./command.ts";

/** Shorter work is over before a person reads the line. */
const SHOW_AFTER_MS = 1_000;
const UPDATE_EVERY_MS = 100;

export type Progress = {
  update(stage: string, done: number, total: number): void;
  clear(): void;
};

export function createProgress({
  stderr,
  settings,
  now,
}: Pick<CliDeps, "stderr" | "settings" | "now">): Progress {
  const startedAt = now();
  const isShown = stderr.isTerminal && !settings.isCi;
  let shownAt = 0;
  return {
    update(stage, done, total) {
      const time = now();
      if (!isShown || time - startedAt < SHOW_AFTER_MS || time - shownAt < UPDATE_EVERY_MS) return;
      shownAt = time;
      const seconds = Math.round((time - startedAt) / 1000);
      stderr.write(`\r\u001b[K${stage}${total > 0 ? ` ${done} of ${total} files` : ""}, ${seconds} s`);
    },
    clear() {
      if (shownAt > 0) stderr.write("\r\u001b[K");
    },
  };
}
