/** Fetches a repository with its whole default branch and some refs or commits into a bare clone, or what is missing of them. */
import { rm } from "node:fs/promises";
import { KodiaiError } from "../../base/errors.ts";
import { makeFolders } from "../../base/make-folders.ts";
import { copyEnvironment } from "./cache/cached-copy.ts";
import { runFetch } from "./cache/run-fetch.ts";
import { findCommit, isFullId } from "./refs.ts";
import { type GitOptions, runGit } from "./run-git.ts";

/** The largest repositories have a few gigabytes. */
const MAX_CLONE_MS = 60 * 60_000;

/** Git's HEAD in the clone names it. */
const DEFAULT_BRANCH = "main";

export type WantedClone = {
  readonly address: URL;
  /** Of the bare clone. */
  readonly folder: string;
  /** Full refs and ids of commits. */
  readonly wanted: readonly string[];
};

/** Returns what the host doesn't have. Refs and commits that are there aren't fetched again. */
export async function fetchClone(
  { address, folder, wanted }: WantedClone,
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const isNew = makeFolders(folder);
  const git: GitOptions = { cwd: folder, environment: copyEnvironment({ folder }, environment), signal };
  await runGit(["init", "--quiet", "--bare", "--template=", `--initial-branch=${DEFAULT_BRANCH}`], git);
  const remote = { address, access: { url: address.href, credential: null } };
  const fetchAll = (refspecs: readonly string[]): Promise<void> =>
    runFetch(remote, { depth: null, refspecs, maxMs: MAX_CLONE_MS }, git);
  try {
    if ((await findCommit("HEAD", git)) === null) await fetchAll([`HEAD:refs/heads/${DEFAULT_BRANCH}`]);
  } catch (error) {
    // An empty clone would pass for the repository.
    if (isNew) await rm(folder, { recursive: true, force: true });
    throw error;
  }
  const missing: string[] = [];
  for (const each of wanted) if ((await findCommit(each, git)) === null) missing.push(each);
  const refused: string[] = [];
  // One by one, because a host that lacks one of them sends none.
  for (const each of missing) {
    try {
      await fetchAll([`${each}:${isFullId(each) ? `refs/kodiai/${each}` : each}`]);
    } catch (error) {
      if (!(error instanceof KodiaiError) || error.code !== "not-found") throw error;
      refused.push(each);
    }
  }
  return refused;
}
