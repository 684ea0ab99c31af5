/**
 * The notebook of a review: everything that its passes record, in order, never changed afterwards. A review that ends early
 * is a shorter notebook; one that starts again goes on with what is there.
 */
import type { Outcome, PassStep } from "../model/model.ts";
import type { Finding } from "../review/findings/finding.ts";
import type { LeftOut } from "../review/publication/publication.ts";

export type NotebookEntry =
  | {
      readonly kind: "finding";
      readonly pass: string;
      readonly finding: Finding;
      /** Number of an earlier entry that this one says better: the model has quoted the line again. */
      readonly replaces: number | null;
    }
  /** The model says it has read them; they were shown to it. */
  | { readonly kind: "reviewed"; readonly pass: string; readonly paths: readonly string[] }
  | { readonly kind: "summary"; readonly pass: string; readonly text: string }
  /** A pass, or an attempt at it, has ended. */
  | {
      readonly kind: "outcome";
      readonly pass: string;
      readonly step: PassStep;
      readonly outcome: Outcome;
      /** Null when the price of the model is not known. */
      readonly costUsd: number | null;
      /** How many files it was to read. */
      readonly files: number;
      /** Paths whose changes were shown to the model, in the prompt or by a tool. */
      readonly shownPaths: readonly string[];
      /** What the prompt had no room for; left out for nothing. */
      readonly leftOut?: readonly LeftOut[];
      /** The pass is over: whoever takes the review up again does not repeat it. */
      readonly isLast: boolean;
    };

export type NumberedEntry = NotebookEntry & { readonly number: number };

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

/** What was found and not said better later. */
export function foundIn(notebook: Notebook): readonly Finding[] {
  const found = notebook.entries().filter((entry) => entry.kind === "finding");
  const replaced = new Set(found.map(({ replaces }) => replaces));
  return found.filter(({ number }) => !replaced.has(number)).map(({ finding }) => finding);
}
