/**
 * Lines at the head around an added line, as far as the hunks show them. Cached per file, because a line rule runs once
 * per line.
 */
import type { ChangedFile } from "../../review/change/change.ts";
import type { FileView } from "../rule.ts";
import { visibleLines } from "./visible-lines.ts";

const remembered = new WeakMap<ChangedFile, ReadonlyMap<number, string>>();

/** Line number → text. Lines that no hunk shows are missing. */
export function shownLines({ file }: FileView): ReadonlyMap<number, string> {
  const known = remembered.get(file);
  if (known !== undefined) return known;
  const lines = new Map(visibleLines(file).map(({ line, text }) => [line, text]));
  remembered.set(file, lines);
  return lines;
}
