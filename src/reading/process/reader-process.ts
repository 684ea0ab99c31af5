/** The Reader in a separate process. */
import type { Reader } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";

/** In megabytes. Space for new objects from the start, so that a short review collects less garbage. */
const NODE_OPTIONS = ["--min-semi-space-size=16"];

/** `entry` is the module of reader-main. */
export function createReaderProcess(entry: URL, signal: AbortSignal): Reader {
  return createTaskProcess({ entry, nodeOptions: NODE_OPTIONS, purpose: "reads files" }, signal);
}
