/** The Reader in a separate process. */
import type { Reader } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";

/** `entry` is the module of reader-main. */
export function createReaderProcess(entry: URL, signal: AbortSignal): Reader {
  return createTaskProcess({ entry, purpose: "reads files" }, signal);
}
