/** Reads the history of a repository with git, without any setting of the user and without running anything that the repository configures. */
import { existsSync } from "node:fs";
import { join } from "node:path";
import { decodeBytes, decodePath, unquotePath } from "../../review/change/decode-bytes.ts";
import { parseDiff } from "../../review/change/parse-diff.ts";
import type { HistoryCommit, LineOrigin, RepositoryHistory } from "../repository-history.ts";
import { copyEnvironment } from "./cache/cached-copy.ts";
import { findRepository } from "./find-repository.ts";
import { findCommit, findMergeBase } from "./refs.ts";
import { type GitOptions, runGit, SMALL_MEMORY, tryGit } from "./run-git.ts";

/** Blaming one file of a large repository with copy detection takes seconds. */
const MAX_CPU_SECONDS = 120;

const FORMAT = "--format=%H%n%P%n%ct%n%an%n%ae%n%s%n%b";

const DIFF = [
  "diff",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  "--unified=0",
  "--diff-algorithm=histogram",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--submodule=short",
];

/** These variables of a hook name another repository than the given one. */
const OF_A_HOOK = new Set(["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE"]);

export async function openHistory(
  folder: string,
  given: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<RepositoryHistory> {
  const environment = Object.fromEntries(Object.entries(given).filter(([name]) => !OF_A_HOOK.has(name)));
  // Git's own folder is taken as it is. No command here looks at a work tree.
  const isGitFolder = ["HEAD", "objects", "refs"].every((name) => existsSync(join(folder, name)));
  const { gitFolder, root } = isGitFolder
    ? { gitFolder: folder, root: null }
    : await findRepository({ cwd: folder, environment, signal });
  const git: GitOptions = {
    cwd: gitFolder,
    environment: copyEnvironment({ folder: gitFolder }, environment),
    signal,
    settings: SMALL_MEMORY,
    maxCpuSeconds: MAX_CPU_SECONDS,
  };
  return {
    gitFolder,
    root,
    findCommit: (ref) => findCommit(ref, git),
    findMergeBase: (a, b) => findMergeBase(a, b, git),
    async listMainline({ from, sinceMs, max, grep = [] }) {
      const since = sinceMs === null ? [] : [`--since=${Math.floor(sinceMs / 1_000)}`];
      const matching = grep.length === 0 ? [] : ["--fixed-strings", ...grep.map((text) => `--grep=${text}`)];
      const args = ["log", "-z", "--first-parent", FORMAT, `--max-count=${max}`, ...since, ...matching];
      return parseCommits(await runGit([...args, "--end-of-options", from, "--"], git));
    },
    async readText(commit, path, maxChars) {
      const size = await tryGit(["cat-file", "-s", `${commit}:${path}`], git);
      if (size.code !== 0 || Number(size.stdout) > maxChars) return null;
      return decodeBytes(await runGit(["cat-file", "blob", `${commit}:${path}`], git));
    },
    async listFiles(commit, below) {
      const listing = await runGit(["ls-tree", "-r", "-z", "--name-only", commit, "--", below], git);
      return listing
        .split("\0")
        .filter((path) => path !== "")
        .map(decodePath);
    },
    readDiff: async (base, head) => parseDiff(await runGit([...DIFF, base, head, "--"], git)),
    async findOrigins(commit, path, ranges) {
      if (ranges.length === 0) return [];
      const lines = ranges.flatMap(({ first, last }) => ["-L", `${first},${last}`]);
      // Without a file for revisions to ignore: a missing one is an error.
      const args = [
        "-c",
        "blame.ignoreRevsFile=",
        "blame",
        "--first-parent",
        "-w",
        "-M",
        "-C",
        "--porcelain",
      ];
      return parseOrigins(await runGit([...args, "--no-progress", ...lines, commit, "--", path], git));
    },
  };
}

function parseCommits(listing: string): readonly HistoryCommit[] {
  return listing
    .split("\0")
    .filter((record) => record !== "")
    .map((record) => {
      const [id = "", parents = "", seconds = "", author = "", authorEmail = "", subject = "", ...body] =
        record.split("\n");
      return {
        id,
        parents: parents.split(" ").filter((parent) => parent !== ""),
        atMs: Number(seconds) * 1_000,
        author: decodeBytes(author),
        authorEmail: decodeBytes(authorEmail),
        subject: decodeBytes(subject),
        body: decodeBytes(body.join("\n").trim()),
      };
    });
}

function parseOrigins(porcelain: string): readonly LineOrigin[] {
  const paths = new Map<string, string>();
  const origins: LineOrigin[] = [];
  let commit = "";
  let line = 0;
  // A commit's file name comes with each of its groups of lines, or is the last one of that commit.
  for (const text of porcelain.split("\n")) {
    const header = /^([0-9a-f]{40,64}) (\d+) \d+/.exec(text);
    if (text.startsWith("\t")) origins.push({ commit, path: paths.get(commit) ?? "", line });
    else if (header !== null) [commit, line] = [header[1] ?? "", Number(header[2])];
    else if (text.startsWith("filename "))
      paths.set(commit, decodePath(unquotePath(text.slice("filename ".length))));
  }
  return origins;
}
