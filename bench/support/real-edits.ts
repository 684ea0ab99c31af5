/** Small edits that people committed: the replaced lines and the new lines, with the file before the edit. */
import { basename, dirname } from "node:path";
import { languageOf } from "../../src/languages/language-of.ts";
import type { ChangedFile } from "../../src/review/change/change.ts";
import { walkHunk } from "../../src/review/change/walk-hunks.ts";
import type { Chance } from "../../test/support/chance.ts";
import { drawChanges } from "./public-changes.ts";

/** The most that a reviewer would suggest; more is a rewrite. */
const MAX_EDIT_LINES = 20;

/** Kodiai refuses a larger file because of its size, which isn't about the edit. */
const MAX_TEXT_CHARS = 200_000;

export type RealEdit = {
  /** The repository, the commit and the path. */
  readonly name: string;
  readonly path: string;
  readonly language: string;
  /** The whole file before the edit. */
  readonly text: string;
  /** The first and last replaced line, from 1. */
  readonly startLine: number;
  readonly endLine: number;
  /** The replaced lines and the new lines. */
  readonly current: readonly string[];
  readonly replacement: readonly string[];
};

type Counts = { readonly commits: number; readonly perLanguage: number };

/** Uses files in which a commit changed only one place, so that the edit must be correct by itself. */
export function drawEdits(repository: string, chance: Chance, { commits, perLanguage }: Counts): RealEdit[] {
  const found: RealEdit[] = [];
  let seen = 0;
  for (const { commit, files, readLines } of drawChanges(repository, chance)) {
    if (seen++ >= commits) break;
    for (const file of files) {
      const { path } = file;
      const language = languageOf(path);
      if (found.filter((edit) => edit.language === language).length >= perLanguage) continue;
      const run = onlyRun(file);
      if (run === null) continue;
      const name = `${repositoryName(repository)} ${commit.slice(0, 10)} ${path}`;
      const edit = toEdit({ name, path, language, text: textBefore(readLines(path), run) }, run);
      if (edit !== null) found.push(edit);
    }
  }
  return found;
}

function repositoryName(path: string): string {
  return ["repo", ".git", ""].includes(basename(path)) ? basename(dirname(path)) : basename(path);
}

/** `above` is the number of the last line before the run, the same before and after the change. */
type Run = { readonly above: number; readonly removed: readonly string[]; readonly added: readonly string[] };

function onlyRun({ status, hunks }: ChangedFile): Run | null {
  const [hunk] = hunks;
  if (status !== "modified" || hunk === undefined || hunks.length > 1) return null;
  const lines = walkHunk(hunk);
  const first = lines.findIndex(({ kind }) => kind !== "context");
  const changed = lines.slice(first, lines.findLastIndex(({ kind }) => kind !== "context") + 1);
  if (first === -1 || changed.some(({ kind }) => kind === "context")) return null;
  const textsOf = (wanted: string): string[] =>
    changed.filter(({ kind }) => kind === wanted).map(({ text }) => text);
  const [removed, added] = [textsOf("removed"), textsOf("added")];
  if (removed.length > MAX_EDIT_LINES || added.length > MAX_EDIT_LINES) return null;
  return { above: lines[first - 1]?.oldLine ?? 0, removed, added };
}

function textBefore(after: readonly string[], { above, removed, added }: Run): string {
  const lines = after.map((line) => line.replace(/\r$/, ""));
  return lines.toSpliced(above, added.length, ...removed).join("\n");
}

type Place = Pick<RealEdit, "name" | "path" | "language" | "text">;

/** A longer line is generated, and a diff may have cut it. */
const MAX_LINE_CHARS = 500;

/** Returns null for edits that no reviewer suggests: blank lines or indentation only, generated code. */
function toEdit(place: Place, { above, removed, added }: Run): RealEdit | null {
  if (place.text.length > MAX_TEXT_CHARS || place.text.includes("\0")) return null;
  if ([...removed, ...added].some((line) => line.length > MAX_LINE_CHARS)) return null;
  const lines = place.text.split("\n");
  const edit =
    removed.length === 0 ? insertion(lines, above, added) : replacing(lines, above, removed.length, added);
  const textOf = (some: readonly string[]): string => some.join("").replace(/\s/g, "");
  return edit === null || textOf(edit.current) === textOf(edit.replacement) ? null : { ...place, ...edit };
}

type Edit = Pick<RealEdit, "startLine" | "endLine" | "current" | "replacement">;

function replacing(
  lines: readonly string[],
  above: number,
  removed: number,
  replacement: readonly string[],
): Edit {
  return {
    startLine: above + 1,
    endLine: above + removed,
    current: lines.slice(above, above + removed),
    replacement,
  };
}

/** For a pure insertion, a reviewer quotes an adjacent line with text and repeats it in the suggestion. */
function insertion(lines: readonly string[], above: number, added: readonly string[]): Edit | null {
  const [before = "", after = ""] = [lines[above - 1], lines[above]];
  if (before.trim() !== "") return replacing(lines, above - 1, 1, [before, ...added]);
  return after.trim() === "" ? null : replacing(lines, above, 1, [...added, after]);
}
