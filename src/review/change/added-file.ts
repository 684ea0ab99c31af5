/** Files that are wholly new, made from their bytes: for files git does not track yet. */
import type { ChangedFile, Unreadable } from "./change.ts";
import { parseDiff } from "./parse-diff.ts";

/** `latin1` holds one character per byte. */
export function addedFile(path: string, mode: string, latin1: string): ChangedFile {
  const bare = newFile(path, mode, null);
  if (latin1 === "") return bare;
  const lines = (latin1.endsWith("\n") ? latin1.slice(0, -1) : latin1).split("\n");
  const diff = `--- /dev/null\n+++ b/file\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  const [parsed] = parseDiff(diff);
  return parsed === undefined ? bare : { ...parsed, path, oldPath: null, newMode: mode };
}

/** A new file that could not be read, so that it is accounted for. */
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
