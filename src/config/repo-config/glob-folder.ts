/**
 * Globs in a nested file. All globs are matched against paths from the root of the repository, so one written as if it
 * started at the nested file's own folder would silently match nothing; this finds those.
 */
import { printable } from "../../base/printable.ts";

/** Keys whose values are lists of globs, whole; entries of other lists name theirs. */
const GLOB_LISTS = /^(?:review\.skipPaths|fileCategories\.\w+|pack\.exclude|write\.(?:allow|deny)Paths)$/;

/** What is wrong with the first glob that cannot match below `folder`, or null. */
export function findMisplacedGlob(key: string, value: unknown, folder: string): string | null {
  if (folder === "") return null;
  const pattern = listGlobs(key, value).find((glob) => !canMatchBelow(glob, folder));
  if (pattern === undefined) return null;
  const shown = printable(pattern);
  const better = printable(`${folder}/${pattern.replace(/^\//, "")}`);
  return `globs start at the root of the repository, so "${shown}" matches nothing in this folder; write "${better}"`;
}

function listGlobs(key: string, value: unknown): readonly string[] {
  if (!Array.isArray(value)) return [];
  const entries: readonly unknown[] = value;
  if (GLOB_LISTS.test(key)) return entries.filter((entry) => typeof entry === "string");
  if (key === "review.suppressions") {
    return entries
      .filter((entry) => typeof entry === "string")
      .filter((entry) => entry.startsWith("glob:"))
      .map((entry) => entry.slice("glob:".length));
  }
  if (key !== "review.pathInstructions") return [];
  return entries.flatMap((entry) =>
    typeof entry === "object" && entry !== null && "paths" in entry
      ? listGlobs("review.skipPaths", entry.paths)
      : [],
  );
}

/** Compares leading segments until one of them has a wildcard; true when they cannot be told apart. */
function canMatchBelow(pattern: string, folder: string): boolean {
  if (!pattern.includes("/")) return true;
  const parts = pattern.split("/");
  for (const [index, segment] of folder.split("/").entries()) {
    const part = parts[index];
    if (part === undefined) return false;
    if (/[*?[\]{}\\]/.test(part)) return true;
    if (part !== segment) return false;
  }
  return true;
}
