/** Reads a stored stop reason. Earlier versions stored words; only this file knows them. */
import { PlainStopReason, StopReason } from "./stop-reason.ts";

/** The words of earlier versions that differ from today's kinds by more than their hyphens. */
const EARLIER_WORDS: ReadonlyMap<string, PlainStopReason> = new Map([
  ["by hand", "interrupted"],
  ["budget", "budget-exhausted"],
  ["budget not known", "budget-unavailable"],
  ["its price is not known", "price-unknown"],
  ["program ended", "process-exited"],
  ["no tool was used", "no-tool-calls"],
  ["defect", "internal-error"],
  ["not in the recording", "not-recorded"],
]);

/** Never throws: a reason that this version doesn't know is kept as text. */
export function parseStoredStopReason(stored: unknown): StopReason {
  if (typeof stored === "string") return parseWords(stored);
  const parsed = StopReason.safeParse(stored);
  return parsed.success ? parsed.data : { kind: "other", text: JSON.stringify(stored) ?? "" };
}

function parseWords(words: string): StopReason {
  const status = /^HTTP ([45]\d\d)$/.exec(words)?.[1];
  if (status !== undefined) return { kind: "http-error", status: Number(status) };
  const hyphenated = words.replaceAll(" ", "-");
  const kind = EARLIER_WORDS.get(words) ?? PlainStopReason.options.find((known) => known === hyphenated);
  return kind === undefined ? { kind: "other", text: words } : { kind };
}
