/**
 * Lines of the head around an added line, as far as the hunks show them. Read once per file and remembered, because a
 * line rule asks for every line anew.
 */
import type { ChangedFile } from "../../change/change.ts";
import type { FileView } from "../rule.ts";
import { visibleLines } from "./visible-lines.ts";

const remembered = new WeakMap<ChangedFile, ReadonlyMap<number, string>>();

/** Line number to text; a line that no hunk shows is missing. */
export function shownLines({ file }: FileView): ReadonlyMap<number, string> {
  const known = remembered.get(file);
  if (known !== undefined) return known;
  const lines = new Map(visibleLines(file).map(({ line, text }) => [line, text]));
  remembered.set(file, lines);
  return lines;
}
