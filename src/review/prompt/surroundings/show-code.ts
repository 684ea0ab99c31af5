/** The changed files and their diff, as far as it fits. The model reads the rest with tools. */
import type { Change, ChangedFile } from "../../change/change.ts";
import { roughSize } from "../../change/diff-size.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { cutNote, fitLines, leftNote } from "../fit.ts";
import { renderFileDiff } from "../render-file-diff.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import { listCommits } from "./show-subject.ts";
import type { Surroundings } from "./surroundings.ts";

/** About a hundred names. The model can list the rest. */
const MAX_FILE_LIST_CHARS = 4_000;

/** Most pull requests of a day's work fit. */
export const MAX_DIFF_CHARS = 8_000;

/** A push after a review is smaller than the pull request. */
const MAX_SINCE_CHARS = 4_000;

/** A file that is this many times as large as the room isn't rendered. */
const MAX_ROUGH_FACTOR = 4;

export function showChangedFiles({ change }: Surroundings, guard: Guard): RenderedSection {
  if (change.files.length === 0) return NOTHING;
  const { text, cutChars } = listFiles(change, guard);
  return { text: `# Changed files\n${text}`, cutChars };
}

function listFiles({ files }: Pick<Change, "files">, guard: Guard): RenderedSection {
  const listed = files.map(
    ({ path, status, addedLines, removedLines }) =>
      `- ${showPath(path, guard)} (${status}, +${addedLines} -${removedLines})`,
  );
  const { lines, left, cutChars } = fitLines(listed, { budgetChars: MAX_FILE_LIST_CHARS });
  return { text: `${guard.fence("changed files", lines.join("\n"))}${leftNote(left)}`, cutChars };
}

/** The file under discussion comes first. */
export function showChangeDiff({ change, finding, hunk }: Surroundings, guard: Guard): RenderedSection {
  const discussed = hunk?.path ?? finding?.path;
  const files = change.files.toSorted((a, b) => Number(b.path === discussed) - Number(a.path === discussed));
  const { text, cutChars } = fitDiff(files, MAX_DIFF_CHARS, guard);
  const more = cutChars === 0 ? "" : "\nUse show_diff for the rest.";
  return text === "" ? { text, cutChars } : { text: `# The diff\n${text}${more}`, cutChars };
}

export function showDiffSinceReview({ known }: Surroundings, guard: Guard): RenderedSection {
  const since = known?.sinceReview ?? null;
  if (since === null || (since.files.length === 0 && since.commits.length === 0)) return NOTHING;
  const commits = listCommits(since, guard);
  const files = listFiles(since, guard);
  const diff = fitDiff(since.files, MAX_SINCE_CHARS, guard);
  const texts = ["# What changed since your last review", commits.text, files.text, diff.text];
  return {
    text: texts.filter((text) => text !== "").join("\n"),
    cutChars: commits.cutChars + files.cutChars + diff.cutChars,
  };
}

/** Whole files in their order; after one that doesn't fit, smaller ones are still tried. If none fits, the top of the first is shown. */
function fitDiff(files: readonly ChangedFile[], budgetChars: number, guard: Guard): RenderedSection {
  // Cleaning a file costs more than its share of the prompt is worth.
  const readable = files.filter((file) => roughSize(file) <= MAX_ROUGH_FACTOR * budgetChars);
  const texts = readable.map((file) => renderFileDiff(file, guard));
  const huge = files.filter((file) => !readable.includes(file));
  const { lines, cutChars } = fitLines(texts, { budgetChars });
  const [first = ""] = texts;
  const shown = lines.length > 0 ? lines.join("\n\n") : topOf(first, budgetChars);
  const cut =
    huge.reduce((sum, file) => sum + roughSize(file), 0) + cutChars - (lines.length > 0 ? 0 : shown.length);
  if (shown === "") return { text: "", cutChars: cut };
  return { text: `${guard.fence("diff", shown)}${cutNote(cut)}`, cutChars: cut };
}

function topOf(text: string, budgetChars: number): string {
  if (text.length <= budgetChars) return text;
  const end = text.lastIndexOf("\n", budgetChars);
  return end === -1 ? "" : text.slice(0, end);
}
