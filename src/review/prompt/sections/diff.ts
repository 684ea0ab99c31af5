/**
 * The changes themselves. A file is shown completely or not at all, riskiest first; only a file that is too large for the
 * budget is shown in part, in the remaining space. Files that aren't shown are named. The budget counts like a tokenizer, so
 * that text of any script fits.
 */
import { count } from "../../../base/count.ts";
import { sizeOf } from "../../../base/text-size.ts";
import type { ChangedFile } from "../../change/change.ts";
import { roughChars, roughSize } from "../../change/diff-size.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { filesOfPass } from "../files-of-pass.ts";
import { fitLines, leftNote } from "../fit.ts";
import type { PromptInput } from "../prompt.ts";
import { renderFileDiff, renderHunks } from "../render-file-diff.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";
import { widenHunks } from "../widen-hunks.ts";

/** A shorter part of a file isn't useful. */
const MIN_PART_CHARS = 2_000;

/** For the names of files that aren't shown. */
const MAX_NAMES_CHARS = 8_000;

export const diff: SectionRenderer = {
  name: "diff",
  budgetChars: 240_000,
  leanBudgetChars: 60_000,
  render(input, budgetChars) {
    const files = filesOfPass(input);
    if (files.length === 0) return NOTHING;
    const shown = chooseWhole(files, input, budgetChars);
    const part = choosePart(files, shown, input, budgetChars);
    const partTexts = part === null ? [] : [part.text];
    const room =
      budgetChars - [...shown.values(), ...partTexts].reduce((sum, text) => sum + sizeOf(text) + 2, 0);
    const texts = [...widenShown(shown, input, room), ...partTexts];
    const missing = files.filter((file) => !shown.has(file) && file !== part?.file);
    const missingPaths = new Set(files.filter((file) => !shown.has(file)).map(({ path }) => path));
    return {
      text: [
        "# The diff",
        texts.length === 0 ? "" : input.guard.fence("changes by file", texts.join("\n\n")),
        part === null ? "" : "The last file is too large and only shown in part. Use show_diff for the rest.",
        nameMissing(missing, input),
      ]
        .filter((each) => each !== "")
        .join("\n"),
      cutChars: missing.reduce((sum, file) => sum + roughChars(file), 0) + (part?.cutChars ?? 0),
      shownPaths: [...new Set([...shown.keys()].map(({ path }) => path))].filter(
        (path) => !missingPaths.has(path),
      ),
      shownParts: part === null ? [] : [{ path: part.file.path, hunks: part.hunks }],
    };
  },
};

/** In order of risk; after a file that doesn't fit, smaller ones are still tried. */
function chooseWhole(
  files: readonly ChangedFile[],
  input: PromptInput,
  budget: number,
): ReadonlyMap<ChangedFile, string> {
  const { guard } = input;
  const shown = new Map<ChangedFile, string>();
  let room = budget;
  for (const file of files) {
    if (roughSize(file) > room) continue;
    const text = renderFileDiff(file, guard, layoutOf(file, input));
    const size = sizeOf(text) + 2;
    if (size > room) continue;
    room -= size;
    shown.set(file, text);
  }
  return shown;
}

/** Widens hunks to short functions in the room that is left. Which files are shown stays the same. */
function widenShown(
  shown: ReadonlyMap<ChangedFile, string>,
  input: PromptInput,
  budget: number,
): readonly string[] {
  const { guard, context } = input;
  let room = budget;
  return [...shown].map(([file, text]) => {
    const layout = layoutOf(file, input);
    const wide = widenHunks(file, layout.scopes ?? [], context.code.shortFunctions);
    if (wide.file === file) return text;
    const wideText = renderFileDiff(wide.file, guard, { ...layout, scopes: wide.scopes });
    const more = sizeOf(wideText) - sizeOf(text);
    if (more > room) return text;
    room -= more;
    return wideText;
  });
}

function layoutOf({ path }: ChangedFile, { analysis, context: { scope } }: PromptInput) {
  const isAbbreviated = analysis.scale.isTriaged && analysis.byPath.get(path)?.tier === "abbreviated";
  return { scopes: scope.byPath.get(path), isAbbreviated };
}

type Part = {
  readonly file: ChangedFile;
  readonly text: string;
  readonly cutChars: number;
  /** The hunks that are complete in it. */
  readonly hunks: readonly number[];
};

function choosePart(
  files: readonly ChangedFile[],
  shown: ReadonlyMap<ChangedFile, string>,
  input: PromptInput,
  budget: number,
): Part | null {
  const { guard } = input;
  const file = files.find((each) => !shown.has(each) && roughSize(each) > budget);
  const room = budget - [...shown.values()].reduce((sum, text) => sum + sizeOf(text) + 2, 0);
  if (file === undefined || room < MIN_PART_CHARS) return null;
  const layout = layoutOf(file, input);
  const whole = renderFileDiff(file, guard, layout);
  const text = firstLines(whole, room);
  // The first line names the file.
  let left = text.split("\n").length - 1;
  const hunks = renderHunks(file, guard, layout.scopes).flatMap((lines, index) =>
    (left -= lines.length) < 0 ? [] : [index + 1],
  );
  return { file, text, cutChars: whole.length - text.length, hunks };
}

function firstLines(text: string, room: number): string {
  let end = 0;
  let size = 0;
  for (const line of text.split("\n")) {
    size += sizeOf(line) + 1;
    if (size > room) break;
    end += line.length + 1;
  }
  return text.slice(0, Math.max(0, end - 1));
}

function nameMissing(missing: readonly ChangedFile[], { guard }: PromptInput): string {
  if (missing.length === 0) return "";
  const names = missing.map(({ path }) => `- ${showPath(path, guard)}`);
  const { lines, left } = fitLines(names, { budgetChars: MAX_NAMES_CHARS });
  const fenced = guard.fence("files not shown here", lines.join("\n"));
  return `${count(missing.length, "more file")} of this pass didn't fit. Use show_diff to read them.\n${fenced}${leftNote(left)}`;
}
