/**
 * What a reader process and its parent send each other: one line of JSON for each message, over the process's standard input and
 * output. Node's own channel between processes loads its network code in both, a quarter of what a start takes. Both sides are the
 * same version of the program.
 */
import type { ReaderTask, ReaderTasks } from "../reader.ts";

export type TaskMessage<Task extends ReaderTask = ReaderTask> = {
  readonly task: Task;
  readonly takes: ReaderTasks[Task]["takes"];
};

export type AnswerMessage =
  /** Sent once, when everything is loaded. */
  | { readonly kind: "ready" }
  /** To the oldest task that has no answer yet. */
  | { readonly kind: "read"; readonly value: ReaderTasks[ReaderTask]["gives"] }
  | { readonly kind: "failed"; readonly message: string };

/** No key that a task or an answer has: sets and maps go as objects with this one key. */
const SET = "\0set";
const MAP = "\0map";

/** With the line feed that ends it. Lone surrogates, which stand for bytes of odd paths, are escaped and come back as they were. */
export function encodeMessage(message: TaskMessage | AnswerMessage): string {
  const written = JSON.stringify(message, (_, value: unknown) => {
    if (value instanceof Set) return { [SET]: [...value] };
    return value instanceof Map ? { [MAP]: [...value] } : value;
  });
  return `${written}\n`;
}

/** `line` comes from `encodeMessage` of the other side. */
export function decodeMessage(line: string): unknown {
  return JSON.parse(line, (_, value: unknown) => {
    if (typeof value !== "object" || value === null) return value;
    if (SET in value && Array.isArray(value[SET])) return new Set(value[SET]);
    return MAP in value && Array.isArray(value[MAP]) ? new Map(value[MAP]) : value;
  });
}
