/**
 * The only place where failures are tolerated. An optional step returns its value; if it fails, it returns null and
 * records a degradation, which the review shows. If the step is part of a check, it records a gap instead: the review is incomplete.
 */
import { messageOf } from "../../base/errors.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import { mergeGaps } from "../../review/findings/checks.ts";
import type { Degradation } from "../../review/publication/publication.ts";

export type Degradations = {
  /** Runs the step. A failure is noted and returns null, unless the job was stopped: then the error is rethrown. */
  optional<Value>(what: string, step: () => Promise<Value>): Promise<Value | null>;
  /** The same for a step that a check needs: a failure is a gap of that check. */
  checked<Value>(check: CheckNeed, step: () => Promise<Value>): Promise<Value | null>;
  note(what: string, message: string): void;
  miss(gap: CheckGap): void;
  list(): readonly Degradation[];
  gaps(): readonly CheckGap[];
};

/** The check that lacks something if a step fails. */
export type CheckNeed = Pick<CheckGap, "check" | "paths" | "rules">;

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
  const missed: CheckGap[] = [];
  const attempt = async <Value>(step: () => Promise<Value>, onFailure: (message: string) => void) => {
    try {
      return await step();
    } catch (error) {
      if (signal.aborted) throw error;
      onFailure(messageOf(error).slice(0, MAX_MESSAGE_CHARS));
      return null;
    }
  };
  return {
    optional: (what, step) => attempt(step, (message) => note(what, message)),
    checked: (check, step) =>
      attempt(step, (detail) => void missed.push({ ...check, reason: "failed", detail })),
    note,
    miss: (gap) => void missed.push(gap),
    list: () => [...noted.values()].flat(),
    gaps: () => mergeGaps(missed),
  };
}
