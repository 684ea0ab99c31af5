/** Reads the notebook: the files and hunks that a model has read, and the reason for each other one. */
import type { OutcomeKind } from "../../model/model.ts";
import type { ReviewPass } from "../../review/analysis/analysis.ts";
import type { FilePart, HunksToRead } from "../../review/change/scope.ts";
import type { FileCoverage, ReceiptReason } from "../../review/publication/receipt.ts";
import { type HunkNumbers, joinParts, markedHunks, partsOf } from "../../tools/marked-hunks.ts";
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
 * A model that finished its review has read every hunk that it was shown completely, except in files of which it marked only
 * other hunks. A model that didn't finish has read only what it marked. Several rounds together have read what one of
 * them has read; the first one says why the rest is unread.
 */
export function coverFiles(
  passes: readonly ReviewPass[],
  entries: readonly NumberedEntry[],
  hunksToRead: HunksToRead,
): ReadonlyMap<string, FileCoverage> {
  const readBefore = new Map<string, ReadonlySet<number>>();
  const reasons = new Map<string, ReceiptReason>();
  const covered = new Map<string, FileCoverage>();
  for (const { name, paths } of passes) {
    const { read, unmarked } = readHunks(name, entries, hunksToRead);
    const why = whyUnread(name, entries);
    for (const path of paths) {
      const rest = reasons.get(path) ?? (unmarked.has(path) ? "limit:unmarked" : why);
      reasons.set(path, rest);
      const [own, before] = [read.get(path), readBefore.get(path)];
      const all = own === undefined || before === undefined ? (own ?? before) : own.union(before);
      if (all !== undefined) readBefore.set(path, all);
      covered.set(path, coverFile(hunksToRead(path), all, rest));
    }
  }
  return covered;
}

function coverFile(
  toRead: readonly number[],
  read: ReadonlySet<number> | undefined,
  rest: ReceiptReason,
): FileCoverage {
  if (read === undefined) return rest;
  const hunks = toRead.filter((hunk) => read.has(hunk));
  if (hunks.length === toRead.length) return null;
  return hunks.length === 0 ? rest : { hunks: new Set(hunks), rest };
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

type ReadHunks = {
  /** Hunks that all attempts at a pass have read. */
  readonly read: HunkNumbers;
  /** Files of which the model that finished the pass has marked only some hunks. */
  readonly unmarked: ReadonlySet<string>;
};

function readHunks(pass: string, entries: readonly NumberedEntry[], hunksToRead: HunksToRead): ReadHunks {
  const parts: FilePart[] = [];
  let unmarked: ReadonlySet<string> = new Set();
  for (const [index, entry] of entries.entries()) {
    if (entry.pass !== pass) continue;
    if (entry.kind === "reviewed") parts.push(...partsOf(entry, hunksToRead));
    if (entry.kind !== "outcome" || entry.outcome.kind !== "completed") continue;
    const marked = markedHunks(pass, entries.slice(0, index), hunksToRead);
    const shown = partsOf({ paths: entry.shownPaths, parts: entry.shownParts ?? [] }, hunksToRead);
    parts.push(...shown.filter(({ path }) => !marked.has(path)));
    unmarked = new Set(marked.keys());
  }
  return { read: joinParts(parts), unmarked };
}
