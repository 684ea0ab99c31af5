/**
 * Finds the pull request whose lines a later commit fixed. It prefers few answers that are right: the commit says that it fixes something,
 * is small, and nearly all code lines that it replaces come from one pull request.
 */
import { isCommentLine } from "../../base/is-comment-line.ts";
import { isProgramming, languageOf } from "../../languages/language-of.ts";
import type {
  HistoryCommit,
  LineOrigin,
  TracedRange,
  RepositoryHistory,
} from "../../repository/repository-history.ts";
import { categoryOf } from "../../review/analysis/categories.ts";
import { markOf } from "../../review/analysis/marks.ts";
import type { ChangedFile } from "../../review/change/change.ts";
import { removedLines } from "../../review/change/walk-hunks.ts";

/** A larger fix does more than one thing. */
const MAX_FILES = 4;
const MAX_LINES = 80;

/** The other lines may be those around the mistake. */
const MIN_SHARE = 0.8;

/** Lines this close belong to one place. */
const MAX_GAP = 3;

const FIX =
  /^(?:\[[^\]]{1,40}\]\s*|[\w./,@-]{1,40}:\s+)*(?:fix|fixes|fixed|bugfix|hotfix|bug)(?:\(([^)]*)\))?!?(?::|\s)/i;

/** Fixes of things that a reviewer of the code couldn't or needn't find. */
const NO_DEFECT =
  /\b(?:typos?|docs?|docstrings?|documentation|readme|comments?|lint\w*|clippy|eslint|format(?:ting)?|prettier|tests?|testing|e2e|flak\w*|ci|builds?|changelog|spelling|grammar|wording|links?|types|typings?|typecheck|deps|dependenc\w*|snapshots?|warnings?|deprecat\w*|imports?|examples?|bench\w*|nits?|styl\w*|css|ui|ux|renam\w*|translations?|i18n|versions?|release|bump)\b/i;

/** An import that is replaced follows another change; braces and words like `else` say nothing. */
const NO_CODE =
  /^\s*(?:import\b|from\s+\S+\s+import\b|export\s+\*|use\s|using\s|#include|package\s|require\b)|^\W*(?:else|end|return|do|then|try|finally|pass|break|continue)?\W*$/;

export function isFix({ subject }: Pick<HistoryCommit, "subject">): boolean {
  return FIX.test(subject) && !NO_DEFECT.test(subject) && !/\brevert/i.test(subject);
}

export type FixedPlace = {
  /** The commit of the mainline that the lines come from. */
  readonly commit: string;
  readonly path: string;
  readonly lines: readonly [number, number];
};

/** Null when the fix isn't about the lines of one commit. */
export async function findFixed(fix: HistoryCommit, history: RepositoryHistory): Promise<FixedPlace | null> {
  const [before] = fix.parents;
  if (before === undefined) return null;
  const files = codeOfFix(await history.readDiff(before, fix.id));
  if (files === null) return null;
  const origins: LineOrigin[] = [];
  for (const file of files)
    if (file.oldPath !== null)
      origins.push(...(await history.findOrigins(before, file.oldPath, replacedCode(file))));
  const [most] = [...Map.groupBy(origins, ({ commit }) => commit)].toSorted(
    ([a, one], [b, other]) => other.length - one.length || (a < b ? -1 : 1),
  );
  if (most === undefined || most[1].length < origins.length * MIN_SHARE) return null;
  const [largest] = placesOf(most[1]).toSorted((a, b) => b.count - a.count);
  return largest === undefined ? null : { commit: most[0], path: largest.path, lines: largest.lines };
}

/** The code of a fix that is small enough to be about one thing; null for others. */
export function codeOfFix(changed: readonly ChangedFile[]): readonly ChangedFile[] | null {
  const files = changed.filter(isOwnCode);
  const size = files.reduce((sum, { addedLines, removedLines: removed }) => sum + addedLines + removed, 0);
  return files.length === 0 || files.length > MAX_FILES || size > MAX_LINES ? null : files;
}

/** Code that people write and that isn't a test. */
export function isOwnCode(file: ChangedFile): boolean {
  const { path } = file;
  return categoryOf(path) === "source" && isProgramming(languageOf(path)) && markOf(file) === null;
}

function replacedCode(file: ChangedFile): readonly TracedRange[] {
  return removedLines(file)
    .filter(({ text }) => !isCommentLine([text], 1) && !NO_CODE.test(text))
    .map(({ line }) => ({ first: line, last: line }));
}

type Place = { readonly path: string; readonly lines: readonly [number, number]; readonly count: number };

/** Neighboring lines as one place, in the order of the files. */
function placesOf(origins: readonly LineOrigin[]): readonly Place[] {
  const places: Place[] = [];
  const sorted = origins.toSorted((a, b) => (a.path < b.path ? -1 : a.path > b.path ? 1 : a.line - b.line));
  for (const { path, line } of sorted) {
    const last = places.at(-1);
    if (last !== undefined && last.path === path && line - last.lines[1] <= MAX_GAP)
      places[places.length - 1] = { path, lines: [last.lines[0], line], count: last.count + 1 };
    else places.push({ path, lines: [line, line], count: 1 });
  }
  return places;
}
