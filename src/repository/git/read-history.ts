/** Reads the commits that changed a file, newest first. */
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import type { HistoryEntry, Revision } from "../repository.ts";
import type { WithDeadline } from "./deadline.ts";
import { commitOf } from "./revision-arguments.ts";
import { runGit } from "./run-git.ts";

const FORMAT = "--format=%H%n%an%n%as%n%s";

export function readHistory(
  revision: Revision,
  { path, maxEntries }: { readonly path: string; readonly maxEntries: number },
  runInTime: WithDeadline,
): Promise<readonly HistoryEntry[]> {
  const args = ["log", "-z", "--no-show-signature", "--follow", `--max-count=${maxEntries}`, FORMAT];
  return runInTime(async (git) => {
    const listing = await runGit([...args, commitOf(revision), "--", path], git);
    return listing
      .split("\0")
      .filter((record) => record !== "")
      .map((record) => {
        const [commit = "", author = "", date = "", subject = ""] = record.split("\n");
        return { commit, author: decodeBytes(author), date, subject: decodeBytes(subject) };
      });
  });
}
