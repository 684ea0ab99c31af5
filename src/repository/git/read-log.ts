/** The commits of a range, newest first. */
import type { Commit } from "../../review/change/change.ts";
import { decodeBytes } from "../../review/change/decode-bytes.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** Intent is sampled from commits; a thousand is past what any sample needs. */
const MAX_COMMITS = 1_000;

/** A longer message is cut: tags and footers stand at the ends, and nobody writes 10,000 characters. */
const MAX_BODY_CHARS = 10_000;

/** One commit. */
export async function readCommitMessage(id: string, git: GitOptions): Promise<readonly Commit[]> {
  return (await readRecords(["--max-count=1", id], git)).map(({ commit }) => commit);
}

export type BranchLog = {
  /** Commits that are in `head` and not in `base`, newest first. */
  readonly commits: readonly Commit[];
  /** Where the branch left the base, when the log alone shows it: a branch of many or merged commits may need more. */
  readonly fork: string | null;
};

export async function readBranchLog(base: string, head: string, git: GitOptions): Promise<BranchLog> {
  const records = await readRecords(["--boundary", `--max-count=${MAX_COMMITS}`, `${base}..${head}`], git);
  const { true: edges = [], false: inner = [] } = Object.groupBy(records, ({ isEdge }) => `${isEdge}`);
  // With one edge there is one way out of the branch, so that is where it began.
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
