/**
 * The notebook of a run, stored in the database. An entry is durable before its writer continues, so a resumed run finds
 * all earlier entries. Secrets from the change are never stored; quoted lines are restored from the change.
 */
import { parseStoredStopReason } from "../../model/parse-stored-stop-reason.ts";
import type { Change } from "../../review/change/change.ts";
import type { FilePart } from "../../review/change/scope.ts";
import type { Verification } from "../../review/context/verification.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { Database } from "../../store/database.ts";
import { appendNotebookRow, type NotebookRow, readNotebookRows } from "../../store/repositories/notebooks.ts";
import type { Notebook, NotebookEntry, NumberedEntry } from "../../tools/notebook.ts";
import { createQuoteMask, type QuoteMask } from "./mask-quotes.ts";

export type NotebookDeps = {
  /** The change under review; every attempt of the run has the same one. */
  readonly change: Pick<Change, "files">;
  readonly database: Database;
  /** The store's clock, in milliseconds. */
  readonly now: () => number;
};

// These limits keep a stored finding below 64 KB whatever a model writes. Longer texts are of no use to readers.
const MAX_TITLE_CHARS = 500;
const MAX_TEXT_CHARS = 4_000;
const MAX_CODE_CHARS = 6_000;
const MAX_EVIDENCE = 5;
const MAX_EVIDENCE_CHARS = 500;

// About 20,000 paths, more than any change that is reviewed file by file. Paths that are left out count as not read.
const MAX_PATH_LIST_CHARS = 1_000_000;

export async function openNotebook(
  runId: number,
  { change, database, now }: NotebookDeps,
): Promise<Notebook> {
  const quotes = createQuoteMask(change);
  const rows = await readNotebookRows(runId, database);
  const entries: NumberedEntry[] = rows.flatMap((row) => parseRow(row, quotes));
  let last: Promise<unknown> = Promise.resolve();
  async function write(entry: NotebookEntry): Promise<number> {
    const { kind, pass, ...rest } = storable(entry, quotes);
    const number = await appendNotebookRow(
      { runId, kind, pass, body: JSON.stringify(rest), at: now() },
      database,
    );
    entries.push({ ...entry, number });
    return number;
  }
  return {
    // Writes are sequential, so that entries in memory are also ordered by number.
    append(entry) {
      const number = last.then(() => write(entry));
      last = number.catch(() => {});
      return number;
    },
    entries: () => entries,
  } satisfies Notebook;
}

function storable(entry: NotebookEntry, { mask }: QuoteMask): NotebookEntry {
  const text = (value: string, maxChars: number): string => cut(mask(value), maxChars);
  switch (entry.kind) {
    case "finding":
      return { ...entry, finding: storableFinding(entry.finding, text) };
    case "summary":
      return { ...entry, text: text(entry.text, MAX_TEXT_CHARS) };
    case "checked":
      return { ...entry, quote: text(entry.quote, MAX_TEXT_CHARS) };
    case "verdict":
      return { ...entry, verification: storableVerdict(entry.verification, text) };
    case "withdrawn":
      return { ...entry, because: text(entry.because, MAX_TEXT_CHARS) };
    case "disputed": {
      const { because, evidence } = entry.dispute;
      return { ...entry, dispute: { because: text(because, MAX_TEXT_CHARS), evidence } };
    }
    case "reviewed":
      return {
        ...entry,
        paths: cutList(entry.paths),
        ...(entry.parts === undefined ? {} : { parts: cutList(entry.parts) }),
      };
    case "triage":
      return { ...entry, skip: cutList(entry.skip), skim: cutList(entry.skim) };
    case "outcome":
      return {
        ...entry,
        shownPaths: cutList(entry.shownPaths),
        ...(entry.shownParts === undefined ? {} : { shownParts: cutList(entry.shownParts) }),
      };
  }
}

function storableFinding(finding: Finding, text: (value: string, maxChars: number) => string): Finding {
  const { title, body, quote, suggestion, evidence, ignoredBecause } = finding;
  return {
    ...finding,
    title: text(title, MAX_TITLE_CHARS),
    body: text(body, MAX_TEXT_CHARS),
    // Cut at a line end, because part of a line can't be matched against the change.
    quote: cutLines(text(quote, Infinity), MAX_CODE_CHARS),
    // A cut or masked suggestion would be applied as it is, so it is dropped.
    suggestion: suggestion !== null && text(suggestion, MAX_CODE_CHARS) === suggestion ? suggestion : null,
    evidence: evidence.slice(0, MAX_EVIDENCE).map((each) => text(each, MAX_EVIDENCE_CHARS)),
    ignoredBecause: ignoredBecause === null ? null : text(ignoredBecause, MAX_TITLE_CHARS),
  };
}

function storableVerdict(
  verification: Verification,
  text: (value: string, maxChars: number) => string,
): Verification {
  return verification.verdict === "failed"
    ? verification
    : { ...verification, because: text(verification.because, MAX_TITLE_CHARS) };
}

function cut(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : `${text.slice(0, maxChars - 1).toWellFormed()}…`;
}

function cutLines(text: string, maxChars: number): string {
  if (text.length <= maxChars) return text;
  const end = text.lastIndexOf("\n", maxChars);
  return text.slice(0, end === -1 ? maxChars : end);
}

function cutList<Item extends string | FilePart>(list: readonly Item[]): readonly Item[] {
  let chars = 0;
  const tooMany = list.findIndex((item) => (chars += JSON.stringify(item).length) > MAX_PATH_LIST_CHARS);
  return tooMany === -1 ? list : list.slice(0, tooMany);
}

/** Empty for an entry whose kind only a newer version knows. */
function parseRow(
  { number, kind, pass, body }: NotebookRow,
  { restore }: QuoteMask,
): readonly NumberedEntry[] {
  // Only `storable` writes these bodies, so each has the shape of its kind.
  const entry = { kind, pass, ...(JSON.parse(body) as object), number } as NumberedEntry;
  switch (entry.kind) {
    case "finding": {
      const { finding } = entry;
      return [{ ...entry, finding: { ...finding, quote: restore(finding.quote, finding) } }];
    }
    case "outcome": {
      const stopReason = parseStoredStopReason(entry.outcome.stopReason);
      return [{ ...entry, outcome: { ...entry.outcome, stopReason } }];
    }
    case "reviewed":
    case "summary":
    case "checked":
    case "verdict":
    case "withdrawn":
    case "disputed":
    case "triage":
      return [entry];
    default:
      return [];
  }
}
