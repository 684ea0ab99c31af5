/** The Reader in a separate process. */
import type { Reader } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";

/** In megabytes, less than V8's own. A task keeps nothing when it ends, so more room saves little time and takes 20 MB of memory. */
const SEMI_SPACE_MB = 4;

/** `entry` is the module of reader-main. */
export function createReaderProcess(entry: URL, signal: AbortSignal): Reader {
  const nodeOptions = [`--max-semi-space-size=${SEMI_SPACE_MB}`];
  return createTaskProcess({ entry, nodeOptions, purpose: "reads files" }, signal);
}
