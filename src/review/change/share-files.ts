/** Lets the diffs of several runs share the files that are the same in them. */
import type { ChangedFile } from "./change.ts";
import { isSameDiff } from "./compare-scope.ts";

export type ShareFile = (file: ChangedFile) => ChangedFile;

/** Returns a function that replaces a file with an equal one that it has seen before. */
export function createSharing(first: readonly ChangedFile[]): ShareFile {
  const known = new Map<string, ChangedFile>();
  const share = (file: ChangedFile): ChangedFile => {
    const key = `${file.path}\0${file.oldPath}\0${file.oldBlob}\0${file.newBlob}`;
    const same = known.get(key);
    if (same !== undefined && isSameDiff(file, same)) return same;
    known.set(key, file);
    return file;
  };
  first.forEach(share);
  return share;
}
