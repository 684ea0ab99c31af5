/** Lists the entries that differ between two commits, as git reads them from the objects. */
import { decodePath } from "../../../review/change/decode-bytes.ts";
import type { TreeEntryChange } from "../../repository-writer.ts";
import { type GitOptions, runGit } from "../run-git.ts";

const NO_MODE = "000000";

/** Both must be full ids. */
export async function readTreeChanges(
  from: string,
  to: string,
  git: GitOptions,
): Promise<readonly TreeEntryChange[]> {
  const listing = await runGit(
    ["diff-tree", "-r", "-z", "--raw", "--no-abbrev", "--no-renames", from, to, "--"],
    git,
  );
  const fields = listing.split("\0");
  const changes: TreeEntryChange[] = [];
  // `:100644 100755 OLD NEW M`, then the path.
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const [oldMode = "", newMode = "", , blob = ""] = (fields[at] ?? "").slice(1).split(" ");
    changes.push({
      path: decodePath(fields[at + 1] ?? ""),
      oldMode: oldMode === NO_MODE ? null : oldMode,
      newMode: newMode === NO_MODE ? null : newMode,
      newBlob: newMode === NO_MODE ? null : blob,
    });
  }
  return changes;
}
