/** Files whose content Kodiai has not seen, alone or as part of a folder. */
import type { ChangedFile, Unreadable } from "./change.ts";

const UNSEEN: ReadonlySet<Unreadable> = new Set(["too-large", "too-many-files", "filtered", "unreadable"]);

/** Whether a path is a file, or in a folder, that a limit or a failure kept from being read. */
export function isUnseen(path: string, files: readonly ChangedFile[]): boolean {
  return files.some(
    ({ unreadable, path: unseen }) =>
      unreadable !== null &&
      UNSEEN.has(unreadable) &&
      (path === unseen || path.startsWith(unseen.endsWith("/") ? unseen : `${unseen}/`)),
  );
}
