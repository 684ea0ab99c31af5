/** Lets the diffs of several runs share the files that are the same in them. */
import type { ChangedFile } from "./change.ts";
import { isSameDiff } from "./compare-scope.ts";

/** Returns a function that replaces each file with an equal one that it has seen before. */
export function createSharing(
  first: readonly ChangedFile[],
): (files: readonly ChangedFile[]) => readonly ChangedFile[] {
  const known = new Map<string, ChangedFile>();
  const share = (file: ChangedFile): ChangedFile => {
    const key = `${file.path}\0${file.oldPath}\0${file.oldBlob}\0${file.newBlob}`;
    const same = known.get(key);
    if (same !== undefined && isSameDiff(file, same)) return same;
    known.set(key, file);
    return file;
  };
  first.forEach(share);
  return (files) => files.map(share);
}
