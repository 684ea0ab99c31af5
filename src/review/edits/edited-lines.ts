/** The lines that an edit adds and removes. Pure. */
import { alignLines } from "../../base/align.ts";
import type { ProposedEdit } from "./edit.ts";

export type EditedLines = {
  /** Of the text after the edit; without line feeds, and without the empty rest after the last one. */
  readonly lines: readonly string[];
  /** Indexes in `lines`. */
  readonly added: ReadonlySet<number>;
  readonly removedCount: number;
};

export function editedLines({ before, after }: Pick<ProposedEdit, "before" | "after">): EditedLines {
  const [old, lines] = [linesOf(before ?? ""), linesOf(after ?? "")];
  const from = alignLines(old, lines);
  const added = new Set(from.flatMap((index, at) => (index === -1 ? [at] : [])));
  return { lines, added, removedCount: old.length - (lines.length - added.size) };
}

function linesOf(text: string): readonly string[] {
  const lines = text.split("\n");
  return lines.at(-1) === "" ? lines.slice(0, -1) : lines;
}
