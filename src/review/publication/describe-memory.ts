/** The words for what a review used of its memory. Ids are those of `kodiai memory`: `m7`, `l3`, `s12`. */
import { count } from "../../base/count.ts";
import type { Learning } from "../context/learning.ts";
import type { Memory } from "../context/memory.ts";
import type { MemoryReport, TaughtFinding } from "./publication.ts";

type SuppressionInForce = MemoryReport["suppressions"][number];

const METHODS: Readonly<Record<Memory["method"], string>> = {
  vector: "found by meaning",
  text: "found by words",
  both: "found by meaning and words",
};

const SOURCES: Readonly<Record<Learning["source"], string>> = {
  config: "from the repository",
  feedback: "learned from feedback",
  analysis: "seen in the code",
  person: "added by a person",
};

/** "accepted, distance 0.21, found by words, m7". */
export function describeSimilar({ id, outcome, distance, method }: Memory): string {
  const measured = distance === null ? [] : [`distance ${distance.toFixed(2)}`];
  return [outcome, ...measured, METHODS[method], `m${id}`].join(", ");
}

/** `acme/app#12`. */
export function placeOfSimilar({ repository, pullRequest }: Memory): string {
  return `${repository}#${pullRequest}`;
}

/** "preference, added by a person, confidence 0.5, l3". */
export function describeLearning({ id, kind, source, confidence }: Learning): string {
  return [kind, SOURCES[source], `confidence ${confidence}`, ...(id === null ? [] : [`l${id}`])].join(", ");
}

/** "until 2027-06-30, hides 2 findings here". */
export function describeSuppression({ expiresAt, hidden }: SuppressionInForce): string {
  const day = new Date(expiresAt).toISOString().slice(0, 10);
  return `until ${day}, hides ${hidden === 0 ? "nothing" : count(hidden, "finding")} here`;
}

/** One line for output without lists. */
export function describeInForce(suppression: SuppressionInForce): string {
  const { id, title } = suppression;
  return `s${id}: ${title}, ${describeSuppression(suppression)}. To undo: ${undoCommand(suppression)}`;
}

export function undoCommand({ id }: Pick<SuppressionInForce, "id">): string {
  return howToForget(`s${id}`);
}

export const TAUGHT_EFFECTS: Readonly<Record<TaughtFinding["effect"], string>> = {
  suppress: "hidden",
  lower: "one level less severe",
  list: "listed without a comment",
  note: "posted with a note",
};

/** "src/a.ts:3: Not awaited, listed without a comment. Dismissed by ben in #1: "…" (address). To undo: kodiai memory forget l1" */
export function describeTaught({ title, path, line, effect, reason, undo }: TaughtFinding): string {
  const { by, words, pullRequest, url } = reason;
  const place = line === null ? path : `${path}:${line}`;
  const address = url === null ? "" : ` (${url})`;
  const said = words === "" ? "" : `: "${words}"`;
  const because = `Dismissed by ${by} in #${pullRequest}${said}${address}`;
  return `${place}: ${title}, ${TAUGHT_EFFECTS[effect]}. ${because}. To undo: ${howToForget(undo)}`;
}

/** `item` is as `kodiai memory` names it: `l7` or `s3`. */
export function howToForget(item: string): string {
  return `kodiai memory forget ${item}`;
}
