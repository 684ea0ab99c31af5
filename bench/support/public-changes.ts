/** Real changes for measurements: randomly chosen commits of the caller's repositories, the same in every run. */
import { spawnSync } from "node:child_process";
import type { ChangedFile } from "../../src/review/change/change.ts";
import { decodeBytes } from "../../src/review/change/decode-bytes.ts";
import { parseDiff } from "../../src/review/change/parse-diff.ts";
import type { Chance } from "../../test/support/chance.ts";

/** Git directories, separated by colons. */
const REPOSITORIES = "KODIAI_BENCH_REPOSITORIES";

/** Older commits are ignored, because current code matters. */
const NEWEST_COMMITS = 3_000;

/** A larger commit is a release or a move. */
const MAX_DIFF_BYTES = 400_000;

/** Returns null and prints which variable to set if no repositories were named. */
export function publicRepositories(): readonly string[] | null {
  const named = process.env[REPOSITORIES];
  if (named !== undefined && named !== "") return named.split(":");
  console.log(`  skipped: set ${REPOSITORIES} to git directories with some history, separated by colons`);
  return null;
}

export type PublicChange = {
  readonly repository: string;
  readonly commit: string;
  readonly files: readonly ChangedFile[];
  /** A file after the change, line by line. */
  readonly readLines: (path: string) => readonly string[];
};

export function* drawChanges(repository: string, chance: Chance): Generator<PublicChange> {
  /** Returns an empty text if git fails: a copy of a repository may lack its largest files. */
  const git = (...args: readonly string[]): string => {
    const { status, stdout } = spawnSync("git", ["--git-dir", repository, ...args], {
      encoding: "latin1",
      maxBuffer: 1 << 28,
      env: { PATH: process.env["PATH"], GIT_CONFIG_NOSYSTEM: "1" },
    });
    return status === 0 ? stdout : "";
  };
  const commits = git("rev-list", "--no-merges", `--max-count=${NEWEST_COMMITS}`, "HEAD").trim().split("\n");
  while (commits.length > 0) {
    const [commit] = commits.splice(chance.below(commits.length), 1);
    if (commit === undefined) return;
    const diff = git("show", "--format=", "--no-ext-diff", "--no-color", "--find-renames", commit);
    if (diff.length <= MAX_DIFF_BYTES)
      yield {
        repository,
        commit,
        files: parseDiff(diff),
        readLines: (path) => decodeBytes(git("show", `${commit}:${path}`)).split("\n"),
      };
  }
}
