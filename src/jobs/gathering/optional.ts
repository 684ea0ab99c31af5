/**
 * The one place where a failure is tolerated: a step that may be missing gives its value, or null and a degradation that
 * is counted and shown with the review.
 */
import { messageOf } from "../../base/errors.ts";
import type { Degradation } from "../../review/publication/publication.ts";

export type Degradations = {
  /** Runs the step; a failure other than being stopped is noted and gives null. */
  optional<Value>(what: string, step: () => Promise<Value>): Promise<Value | null>;
  note(what: string, message: string): void;
  list(): readonly Degradation[];
};

/** A message is for people; more of a stack or a parser's context helps nobody here. */
const MAX_MESSAGE_CHARS = 300;

/** Of one step: two models without a key are two things to mend; a rule that fails in each of a thousand files is one. */
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
