/** Creates new files from their bytes, for files that git doesn't track yet. */
import type { ChangedFile, Unreadable } from "./change.ts";
import { parseDiff } from "./parse-diff.ts";

/** `latin1` has one character per byte. */
export function addedFile(path: string, mode: string, latin1: string): ChangedFile {
  const bare = newFile(path, mode, null);
  if (latin1 === "") return bare;
  const lines = (latin1.endsWith("\n") ? latin1.slice(0, -1) : latin1).split("\n");
  const diff = `--- /dev/null\n+++ b/file\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  const [parsed] = parseDiff(diff);
  return parsed === undefined ? bare : { ...parsed, path, oldPath: null, newMode: mode };
}

/** A new file that couldn't be read, so that the receipt accounts for it. */
export function unreadFile(
  path: string,
  { mode, unreadable }: { readonly mode: string; readonly unreadable: Unreadable },
): ChangedFile {
  return newFile(path, mode, unreadable);
}

function newFile(path: string, mode: string, unreadable: Unreadable | null): ChangedFile {
  return {
    path,
    oldPath: null,
    status: "added",
    oldMode: null,
    newMode: mode,
    oldBlob: null,
    newBlob: null,
    addedLines: 0,
    removedLines: 0,
    hunks: [],
    unreadable,
    cutLines: [],
  };
}
