/** Reads the diff between two states as changed files, streamed through the parser. */
import type { ChangedFile } from "../../review/change/change.ts";
import { createDiffParser } from "../../review/change/parse-diff.ts";
import { type GitOptions, gitFailure, streamGit } from "./run-git.ts";

/** Inexact rename detection compares every pair; past this many files git keeps to exact renames. */
const RENAME_LIMIT = 1_000;

/**
 * Every option that configuration could change is given. `--text` so that attributes cannot hide a file; binary files
 * are recognised by their bytes in the parser.
 */
const DIFF_OPTIONS = [
  "-p",
  "--full-index",
  "--text",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  `-l${RENAME_LIMIT}`,
  "--diff-algorithm=histogram",
  "--unified=3",
  "--inter-hunk-context=0",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--submodule=short",
  "--ignore-submodules=dirty",
];

/** `sides`: one commit or tree for "against the working tree", two for "against each other", `--cached` first for the index. */
export async function readDiff(sides: readonly string[], git: GitOptions): Promise<readonly ChangedFile[]> {
  const parser = createDiffParser();
  const args = ["diff", ...DIFF_OPTIONS, ...sides, "--"];
  const exit = await streamGit(args, git, (chunk) => parser.push(chunk));
  if (exit.code !== 0) throw gitFailure(args, exit);
  return joinTypeChanges(parser.end());
}

/** Git shows a file that became a link (or the reverse) as a deletion and an addition of the same path. */
function joinTypeChanges(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const joined: ChangedFile[] = [];
  for (const file of files) {
    const before = joined.at(-1);
    if (before?.path === file.path && before.status === "deleted" && file.status === "added") {
      joined[joined.length - 1] = {
        ...file,
        status: "type-changed",
        oldPath: before.path,
        oldMode: before.oldMode,
        oldBlob: before.oldBlob,
        removedLines: before.removedLines,
      };
    } else joined.push(file);
  }
  return joined;
}
