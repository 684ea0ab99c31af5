/**
 * The only place where failures are tolerated. An optional step returns its value; if it fails, it returns null and
 * records a degradation, which the review shows.
 */
import { messageOf } from "../../base/errors.ts";
import type { Degradation } from "../../review/publication/publication.ts";

export type Degradations = {
  /** Runs the step. A failure is noted and returns null, unless the job was stopped: then the error is rethrown. */
  optional<Value>(what: string, step: () => Promise<Value>): Promise<Value | null>;
  note(what: string, message: string): void;
  list(): readonly Degradation[];
};

/** Enough for the message itself. Readers of a review have no use for a stack trace or a parser's context. */
const MAX_MESSAGE_CHARS = 300;

/** Limit per step. Two models without a key are two problems to fix; a rule that fails in a thousand files is one. */
const MAX_MESSAGES = 5;

export function createDegradations(signal: AbortSignal): Degradations {
  const noted = new Map<string, Degradation[]>();
  const note = (what: string, given: string): void => {
    const message = given.slice(0, MAX_MESSAGE_CHARS);
    const known = noted.get(what) ?? [];
    noted.set(what, known);
    const same = known.findIndex((each) => each.message === message);
    const at = same === -1 && known.length >= MAX_MESSAGES ? 0 : same;
    const counted = known[at];
    if (counted === undefined) known.push({ what, message, count: 1 });
    else known[at] = { ...counted, count: counted.count + 1 };
  };
  return {
    async optional(what, step) {
      try {
        return await step();
      } catch (error) {
        if (signal.aborted) throw error;
        note(what, messageOf(error));
        return null;
      }
    },
    note,
    list: () => [...noted.values()].flat(),
  };
}
