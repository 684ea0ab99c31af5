/** The fields of a learning as people enter them, on the command line and on the dashboard. A problem follows the name of its field. */
import { count } from "../../base/count.ts";
import { DAY_MS } from "../../base/day-ms.ts";
import { isUsableGlob } from "../../base/glob.ts";
import { printable } from "../../base/printable.ts";
import { endOfDay, MAX_LEARNING_CHARS, MAX_LEARNING_PATHS } from "../../config/learnings-file.ts";
import { cleanLearningText } from "./stated-learning.ts";

/** A learning that should apply for longer doesn't need an expiry. */
const MAX_EXPIRY_DAYS = 3_650;

export type Entered<Value> = { readonly value: Value } | { readonly problem: string };

export type LearningText = { readonly text: string; readonly isMasked: boolean };

/** One line without credentials. */
export function enterLearningText(given: string): Entered<LearningText> {
  const { text, isMasked } = cleanLearningText(given);
  if (text === "") return { problem: "can't be empty" };
  if (text.length > MAX_LEARNING_CHARS)
    return {
      problem: `has ${count(text.length, "character")}; a learning has at most ${MAX_LEARNING_CHARS}`,
    };
  return { value: { text, isMasked } };
}

export function enterLearningPaths(paths: readonly string[]): Entered<readonly string[]> {
  if (paths.length > MAX_LEARNING_PATHS) return { problem: `can be set at most ${MAX_LEARNING_PATHS} times` };
  const unusable = paths.find((path) => !isUsableGlob(path));
  return unusable === undefined
    ? { value: paths }
    : { problem: `"${printable(unusable.slice(0, 60))}" isn't a usable glob, such as src/** or *.sql` };
}

export function enterLearningExpiry(given: string, now: number): Entered<number> {
  const [, days] = /^(\d{1,5})d$/.exec(given) ?? [];
  const at = days === undefined ? endOfDay(given) : now + Number(days) * DAY_MS;
  if (at === null) return { problem: "must be a day such as 2027-06-30, or days such as 90d" };
  if (at <= now || at > now + MAX_EXPIRY_DAYS * DAY_MS)
    return { problem: "must be in the future, and within ten years" };
  return { value: at };
}
