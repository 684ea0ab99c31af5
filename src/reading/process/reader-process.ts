/** The Reader in a separate process. */
import type { Reader } from "../reader.ts";
import { createTaskProcess } from "../../base/task-process/task-process.ts";

/** Space for new objects from the start. V8 begins with one megabyte and collects garbage twenty times while a small review runs. */
const NODE_OPTIONS = ["--min-semi-space-size=16"];

/** `entry` is the module of reader-main. */
export function createReaderProcess(entry: URL, signal: AbortSignal): Reader {
  return createTaskProcess({ entry, nodeOptions: NODE_OPTIONS, purpose: "reads files" }, signal);
}
