/** Reads the commits of a range, newest first. */
import type { Commit } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** The analysis samples commits for the intent of a change, and no sample needs more than this. */
const MAX_COMMITS = 1_000;

/** Longer messages are truncated. Real messages don't reach 10,000 characters. */
const MAX_BODY_CHARS = 10_000;

/** Reads a single commit. */
export async function readCommitMessage(id: string, git: GitOptions): Promise<readonly Commit[]> {
  return (await readRecords(["--max-count=1", id], git)).map(({ commit }) => commit);
}

export type BranchLog = {
  /** Commits that are in `head` and not in `base`, newest first. */
  readonly commits: readonly Commit[];
  /** Where the branch left the base. Null if the log alone doesn't show it, as for long branches or merges. */
  readonly fork: string | null;
};

export async function readBranchLog(base: string, head: string, git: GitOptions): Promise<BranchLog> {
  const records = await readRecords(["--boundary", `--max-count=${MAX_COMMITS}`, `${base}..${head}`], git);
  const { true: edges = [], false: inner = [] } = Object.groupBy(records, ({ isEdge }) => `${isEdge}`);
  // A single edge is the only way out of the branch, so the branch started there.
  const fork = edges.length === 1 && records.length < MAX_COMMITS ? (edges[0]?.commit.id ?? null) : null;
  return { commits: inner.map(({ commit }) => commit), fork };
}

async function readRecords(args: readonly string[], git: GitOptions) {
  const format = "--format=%m%H%n%an%n%s%n%b";
  const listing = await runGit(["log", "-z", "--no-show-signature", format, ...args, "--"], git);
  return listing
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [first = "", author = "", subject = "", ...body] = record.split("\n");
      const commit: Commit = {
        id: first.slice(1),
        author: decodeBytes(author),
        subject: decodeBytes(subject),
        body: decodeBytes(body.join("\n").trim()).slice(0, MAX_BODY_CHARS),
      };
      return { commit, isEdge: first.startsWith("-") };
    });
}
