/**
 * Reads which paths each of the last commits changed. It compares trees only, so it works in a partial clone. The commit
 * at the edge of a shallow clone counts as one without a parent.
 */
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { WithDeadline } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { SMALL_MEMORY, streamUntil } from "./run-git.ts";

/** Limits all paths together. The last 5,000 commits of a busy repository are about 1 MB. */
const MAX_CHARS = 64 * 1024 * 1024;

/** An empty record starts a commit, because no path is empty. The record after it has the parents that git knows of. */
const FORMAT = "--format=%x00%P";

const OPTIONS = ["--no-merges", "--no-renames", "--no-show-signature", "--ignore-submodules", "--name-only"];

export function readCoChanges(
  commit: string,
  maxCommits: number,
  runInTime: WithDeadline,
): Promise<readonly (readonly string[])[]> {
  const args = ["log", "-z", ...OPTIONS, `--max-count=${maxCommits}`, FORMAT, commitOf({ commit }), "--"];
  return runInTime(async (git) => {
    const pieces: string[] = [];
    let chars = 0;
    const limited = { ...git, settings: [...(git.settings ?? []), ...SMALL_MEMORY] };
    const isCut = await streamUntil(args, limited, (chunk) => {
      chars += chunk.length;
      pieces.push(chunk);
      return chars > MAX_CHARS;
    });
    const commits = parseCommits(pieces.join(""));
    // The last commit may have been cut.
    return isCut ? commits.slice(0, -1) : commits;
  });
}

function parseCommits(listing: string): readonly (readonly string[])[] {
  const commits: string[][] = [];
  let current: string[] = [];
  const records = listing.split("\0");
  for (let index = 0; index < records.length; index++) {
    const record = records[index] ?? "";
    if (record === "") {
      current = [];
      // Without a parent, every file is new, which says nothing about files that change together.
      if ((records[++index] ?? "") !== "") commits.push(current);
    } else {
      // A line feed precedes the first path.
      current.push(decodePath(current.length === 0 ? record.slice(1) : record));
    }
  }
  return commits;
}
