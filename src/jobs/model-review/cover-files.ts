/** Reads the notebook: the files that a model has read, and the reason for each other file. */
import type { OutcomeKind } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { ReceiptReason } from "../../review/publication/receipt.ts";
import type { NumberedEntry } from "../../tools/notebook.ts";

const UNREAD_BECAUSE: Readonly<Record<OutcomeKind, ReceiptReason>> = {
  completed: "limit:context",
  "timed-out": "limit:time",
  "stopped-by-budget": "limit:budget",
  overloaded: "failed:model",
  refused: "failed:model",
  failed: "failed:model",
  stopped: "limit:stopped",
};

/**
 * A model that finished its review has read every file whose diff it was shown completely. A model that didn't has read only the files it
 * marked.
 */
export function coverFiles(
  passes: readonly ReviewPass[],
  entries: readonly NumberedEntry[],
): ReadonlyMap<string, ReceiptReason | null> {
  const covered = new Map<string, ReceiptReason | null>();
  for (const { name, paths } of passes) {
    const read = readPaths(name, entries);
    const why = whyUnread(name, entries);
    for (const path of paths) covered.set(path, read.has(path) ? null : why);
  }
  return covered;
}

/** An interruption ends the later parts too. */
export function wasStopped(entries: readonly NumberedEntry[]): boolean {
  return entries.some((entry) => entry.kind === "outcome" && entry.outcome.kind === "stopped");
}

function whyUnread(pass: string, entries: readonly NumberedEntry[]): ReceiptReason {
  const last = entries.filter((entry) => entry.kind === "outcome").findLast((entry) => entry.pass === pass);
  const isStopped = last === undefined ? wasStopped(entries) : last.outcome.kind === "stopped";
  if (isStopped) return UNREAD_BECAUSE.stopped;
  // The riskiest half is only tried after a timeout.
  return last === undefined || last.step === "reduced" ? "limit:time" : UNREAD_BECAUSE[last.outcome.kind];
}

/** The files that all attempts at a pass have read. */
export function readPaths(pass: string, entries: readonly NumberedEntry[]): ReadonlySet<string> {
  const read = new Set<string>();
  for (const entry of entries) {
    if (entry.pass !== pass) continue;
    if (entry.kind === "reviewed") for (const path of entry.paths) read.add(path);
    if (entry.kind === "outcome" && entry.outcome.kind === "completed")
      for (const path of entry.shownPaths) read.add(path);
  }
  return read;
}
