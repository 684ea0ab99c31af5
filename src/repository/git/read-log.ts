/** The commits of a range, newest first. */
import type { Commit } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** Intent is sampled from commits; a thousand is past what any sample needs. */
const MAX_COMMITS = 1_000;

/** A longer message is cut: tags and footers stand at the ends, and nobody writes 10,000 characters. */
const MAX_BODY_CHARS = 10_000;

/** `range` is `id..id` or one id with `maxCommits` 1. */
export async function readLog(
  range: string,
  git: GitOptions,
  maxCommits = MAX_COMMITS,
): Promise<readonly Commit[]> {
  const format = "--format=%H%n%an%n%s%n%b";
  const listing = await runGit(
    ["log", "-z", "--no-show-signature", `--max-count=${maxCommits}`, format, range, "--"],
    git,
  );
  return listing
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [id = "", author = "", subject = "", ...body] = record.split("\n");
      return {
        id,
        author: decodeBytes(author),
        subject: decodeBytes(subject),
        body: decodeBytes(body.join("\n").trim()).slice(0, MAX_BODY_CHARS),
      };
    });
}
