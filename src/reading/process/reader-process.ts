/** The Reader in a separate process. */
import type { Reader } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";

/**
 * In megabytes, for new objects. V8 begins with one and collects garbage twenty times while a small review runs; it ends with 16, which
 * saves little time, because a task keeps nothing, and takes 20 MB more of memory.
 */
const SEMI_SPACE_MB = 8;

const NODE_OPTIONS = [`--min-semi-space-size=${SEMI_SPACE_MB}`, `--max-semi-space-size=${SEMI_SPACE_MB}`];

/** `entry` is the module of reader-main. `cacheFolder` is the user's own; null without a home folder. */
export function createReaderProcess(
  entry: URL,
  signal: AbortSignal,
  cacheFolder: string | null = null,
): Reader {
  const args = cacheFolder === null ? [] : [cacheFolder];
  return createTaskProcess({ entry, args, nodeOptions: NODE_OPTIONS, purpose: "reads files" }, signal);
}
