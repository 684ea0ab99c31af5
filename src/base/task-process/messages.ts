/**
 * Messages between a process that performs tasks and its parent: one line of JSON each, over standard input and output. Node's IPC
 * channel would load network code in both, a quarter of the start time. Both sides are the same version of the program.
 */

export type TaskMessage = { readonly task: string; readonly takes: unknown };

export type AnswerMessage = {
  /** The CPU time that the process has used so far. The next task begins there. */
  readonly cpuMs: number;
  readonly answer:
    /** Sent once, when everything is loaded. */
    | { readonly kind: "ready" }
    /** The answer to the oldest unanswered task. */
    | { readonly kind: "read"; readonly value: unknown }
    | { readonly kind: "failed"; readonly message: string };
};

/** Sets and maps are sent as objects with this single key, which no task or answer uses. */
const SET = "\0set";
const MAP = "\0map";

/** Includes the final line feed. Lone surrogates, which represent undecodable bytes of paths, are escaped and survive. */
export function encodeMessage(message: TaskMessage | AnswerMessage): string {
  const written = JSON.stringify(message, (_, value: unknown) => {
    if (value instanceof Set) return { [SET]: [...value] };
    return value instanceof Map ? { [MAP]: [...value] } : value;
  });
  return `${written}\n`;
}

/** `line` comes from `encodeMessage` of the other side. */
export function decodeMessage(line: string): unknown {
  return revive(JSON.parse(line));
}

/** Restores sets and maps in place. JSON.parse could do it too, but calling a function for every value takes five times as long. */
function revive(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  // Parsed JSON has no other fields.
  const fields = value as Record<string | number, unknown>;
  for (const key of Array.isArray(value) ? value.keys() : Object.keys(value)) {
    const field = fields[key];
    const revived = revive(field);
    if (revived !== field) fields[key] = revived;
  }
  if (SET in value && Array.isArray(value[SET])) return new Set(value[SET]);
  return MAP in value && Array.isArray(value[MAP]) ? new Map(value[MAP]) : value;
}
