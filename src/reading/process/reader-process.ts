/** The Reader in a separate process. */
import type { CodeTasks, ReaderTasks } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";
import type { TaskRunner } from "../../base/task-process/task-runner.ts";

/**
 * In megabytes, for new objects. V8 begins with one and collects garbage twenty times while a small review runs; it ends with 16, which
 * saves little time, because a task keeps nothing, and takes 20 MB more of memory.
 */
const SEMI_SPACE_MB = 8;

const NODE_OPTIONS = [`--min-semi-space-size=${SEMI_SPACE_MB}`, `--max-semi-space-size=${SEMI_SPACE_MB}`];

/** `entry` is the module of reader-main, or of code-reader-main with its tasks. `cacheFolder` is the user's own; null without a home folder. */
export function createReaderProcess<Tasks extends CodeTasks = ReaderTasks>(
  entry: URL,
  signal: AbortSignal,
  cacheFolder: string | null = null,
): TaskRunner<Tasks> {
  const args = cacheFolder === null ? [] : [cacheFolder];
  return createTaskProcess({ entry, args, nodeOptions: NODE_OPTIONS, purpose: "reads files" }, signal);
}
