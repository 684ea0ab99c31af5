/**
 * An edit as the lines that it adds, so that it can be stored: the rest of a file may hold secrets, which no database gets. Together
 * with the file before it, it gives the exact text after it. Pure.
 */
import { alignLines } from "../../base/align.ts";
import type { ProposedEdit } from "./edit.ts";

/** A number of lines that stay or go, or lines that are new. */
type Step = { readonly keep: number } | { readonly drop: number } | { readonly add: readonly string[] };

export type KeptEdit = {
  readonly path: string;
  /** Whether there was a file before. */
  readonly isNew: boolean;
  /** Null deletes the file. */
  readonly steps: readonly Step[] | null;
  readonly isExecutable?: boolean;
};

export function keepEdit({ isExecutable, ...edit }: ProposedEdit): KeptEdit {
  return { ...keepText(edit), ...(isExecutable !== undefined && { isExecutable }) };
}

function keepText({ path, before, after }: ProposedEdit): KeptEdit {
  const isNew = before === null;
  if (after === null) return { path, isNew, steps: null };
  const [old, lines] = [(before ?? "").split("\n"), after.split("\n")];
  const from = alignLines(old, lines);
  const steps: Step[] = [];
  let adding: string[] | null = null;
  let at = 0;
  for (const [index, line] of lines.entries()) {
    const source = from[index] ?? -1;
    if (source === -1) {
      if (adding === null) steps.push({ add: (adding = []) });
      adding.push(line);
      continue;
    }
    adding = null;
    if (source > at) steps.push({ drop: source - at });
    at = source + 1;
    const now = steps.at(-1);
    if (now !== undefined && "keep" in now) steps[steps.length - 1] = { keep: now.keep + 1 };
    else steps.push({ keep: 1 });
  }
  return { path, isNew, steps };
}

/** `before` is the file that the edit was made for; null if it is new. Null if they don't belong together. */
export function restoreEdit({ isExecutable, ...kept }: KeptEdit, before: string | null): ProposedEdit | null {
  const edit = restoreLines(kept, before);
  return edit === null || isExecutable === undefined ? edit : { ...edit, isExecutable };
}

function restoreLines({ path, isNew, steps }: KeptEdit, before: string | null): ProposedEdit | null {
  if (isNew !== (before === null)) return null;
  if (steps === null) return { path, before, after: null };
  const old = (before ?? "").split("\n");
  const lines: string[] = [];
  let at = 0;
  for (const step of steps) {
    if ("add" in step) lines.push(...step.add);
    else if ("drop" in step) at += step.drop;
    else {
      lines.push(...old.slice(at, at + step.keep));
      at += step.keep;
    }
  }
  return at > old.length ? null : { path, before, after: lines.join("\n") };
}
