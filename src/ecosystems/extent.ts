/** Whether a change does nothing but change dependencies, decided by its content. */
import type { ChangedFile } from "../review/change/change.ts";
import { walkHunk } from "../review/change/walk-hunks.ts";
import { formatOf } from "./all-ecosystems.ts";
import type { DependencyChanges, PackageChange } from "./package-change.ts";

export type BumpExtent = "pure" | "mixed" | "none";

/** `isGenerated`: files that tools write, such as checksums and vendored copies. */
export function extentOf(
  files: readonly ChangedFile[],
  { packages }: DependencyChanges,
  isGenerated: (file: ChangedFile) => boolean,
): BumpExtent {
  if (packages.length === 0) return "none";
  const isPure = files.every((file) => {
    const format = formatOf(file.path);
    if (format === null) return isGenerated(file);
    return format.kind === "lockfile" || isExplained(file, packages);
  });
  return isPure ? "pure" : "mixed";
}

/** A bump of a hundred packages makes fewer. A manifest that needs more isn't looked at line by line. */
const MAX_COMPARISONS = 1_000_000;

/** Every changed line of a manifest has a part in a changed package: its line, its name or its version. */
function isExplained(
  { path, hunks, unreadable, status, addedLines, removedLines }: ChangedFile,
  packages: readonly PackageChange[],
): boolean {
  if (unreadable !== null || status === "deleted" || status === "added") return false;
  const own = packages.filter(({ places }) => places.some((place) => place.path === path));
  const texts = own.flatMap(({ name, places, from, to }) => [
    name,
    ...[from, to].flatMap((side) => (side === null ? [] : [side.version, refOf(side)])),
    ...places.flatMap((place) => (place.path === path ? [place.from, place.to] : [])),
  ]);
  const known = texts.filter((text) => text !== null && text !== "");
  if (known.length * (addedLines + removedLines) > MAX_COMPARISONS) return false;
  return hunks.every((hunk) =>
    walkHunk(hunk).every(
      ({ kind, text }) =>
        kind === "context" || !/\w/.test(text) || known.some((each) => text.includes(each ?? "")),
    ),
  );
}

const refOf = ({ origin }: NonNullable<PackageChange["to"]>): string | null =>
  origin.kind === "git" ? origin.ref : null;
