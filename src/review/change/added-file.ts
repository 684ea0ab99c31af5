/** A file that is wholly new, made from its bytes: for files git does not track yet. */
import type { ChangedFile } from "./change.ts";
import { parseDiff } from "./parse-diff.ts";

/** `latin1` holds one character per byte; null when the file is over the limit and was not read. */
export function addedFile(path: string, mode: string, latin1: string | null): ChangedFile {
  const bare: ChangedFile = {
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
    unreadable: latin1 === null ? "too-large" : null,
    cutLines: [],
  };
  if (latin1 === null || latin1 === "") return bare;
  const lines = (latin1.endsWith("\n") ? latin1.slice(0, -1) : latin1).split("\n");
  const diff = `--- /dev/null\n+++ b/file\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join("")}`;
  const [parsed] = parseDiff(diff);
  return parsed === undefined ? bare : { ...parsed, path, oldPath: null, newMode: mode };
}
