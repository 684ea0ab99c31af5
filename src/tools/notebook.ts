/**
 * The notebook of a review: everything that its passes record, in order, append-only. A review that ends early has a shorter
 * notebook; a restarted review continues with the existing entries.
 */
import type { CheckedAgain } from "../review/findings/carry-prior.ts";
import type { Disputes } from "../review/findings/disputable.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { NotebookEntry, NumberedEntry } from "./notebook-entry.ts";

export type { NotebookEntry, NumberedEntry };

export type Notebook = {
  /** Resolves when the entry is kept, with its number; numbers go upwards. */
  append(entry: NotebookEntry): Promise<number>;
  /** All so far, also those of an earlier attempt of the same run, in order. */
  entries(): readonly NumberedEntry[];
};

/** `earlier`: what an earlier attempt has left. */
export function createMemoryNotebook(earlier: readonly NumberedEntry[] = []): Notebook {
  const entries: NumberedEntry[] = [...earlier];
  return {
    async append(entry) {
      const number = (entries.at(-1)?.number ?? 0) + 1;
      entries.push({ ...entry, number });
      return number;
    },
    entries: () => entries,
  };
}

/** The answers about earlier findings, by number. One that was called both fixed and still there is still there. */
export function answersIn(notebook: Notebook): ReadonlyMap<number, CheckedAgain> {
  const answers = new Map<number, CheckedAgain>();
  for (const entry of notebook.entries()) {
    if (entry.kind !== "checked" || answers.get(entry.finding)?.verdict === "still-there") continue;
    answers.set(entry.finding, { verdict: entry.verdict });
  }
  return answers;
}

export type RecordedEntry = Extract<NumberedEntry, { kind: "finding" }>;

/** The entries of findings that no later one replaces or takes back. */
export function currentEntries(notebook: Notebook): readonly RecordedEntry[] {
  const withdrawn = withdrawnIn(notebook);
  return lastEntries(notebook).filter(({ number }) => !withdrawn.has(number));
}

/** The findings that no later entry replaces. One that was taken back says why. */
export function foundIn(notebook: Notebook): readonly Finding[] {
  const withdrawn = withdrawnIn(notebook);
  return lastEntries(notebook).map(({ number, finding }) => {
    const withdrawnBecause = withdrawn.get(number);
    return withdrawnBecause === undefined ? finding : { ...finding, withdrawnBecause };
  });
}

function lastEntries(notebook: Notebook): readonly RecordedEntry[] {
  const found = notebook.entries().filter((entry) => entry.kind === "finding");
  const replaced = new Set(found.map(({ replaces }) => replaces));
  return found.filter(({ number }) => !replaced.has(number));
}

/** The reasons, by the number of the finding's entry. */
function withdrawnIn(notebook: Notebook): ReadonlyMap<number, string> {
  return new Map(
    notebook
      .entries()
      .flatMap((entry) => (entry.kind === "withdrawn" ? [[entry.finding, entry.because] as const] : [])),
  );
}

/** Disputes of models, by the key of the finding. The first dispute of each counts. */
export function disputesIn(notebook: Notebook): Disputes {
  return new Map(
    notebook
      .entries()
      .toReversed()
      .flatMap((entry) => (entry.kind === "disputed" ? [[entry.finding, entry.dispute] as const] : [])),
  );
}
