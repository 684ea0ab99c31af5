/**
 * Finds misplaced globs in nested files. Globs match paths from the root of the repository, so a glob that starts at the
 * nested file's folder would silently match nothing.
 */
import { printable } from "../../base/printable.ts";

/** Keys whose values are plain lists of globs. Entries of other lists contain globs. */
const GLOB_LISTS = /^(?:review\.skipPaths|fileCategories\.\w+|pack\.exclude|write\.(?:allow|deny)Paths)$/;

/** The problem with the first glob that can't match below `folder`, or null. */
export function findMisplacedGlob(key: string, value: unknown, folder: string): string | null {
  if (folder === "") return null;
  const pattern = listGlobs(key, value).find((glob) => !canMatchBelow(glob, folder));
  if (pattern === undefined) return null;
  const shown = printable(pattern);
  const better = printable(`${folder}/${pattern.replace(/^\//, "")}`);
  return `globs start at the root of the repository, so "${shown}" matches nothing in this folder; use "${better}"`;
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

/** Compares leading segments up to the first wildcard. True if they don't differ. */
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
