/** Local repositories with git. Git gets the folder and PATH, and reads no settings of the user or the system. */
import type { LocalRepositories } from "../local-repositories.ts";
import { copyEnvironment } from "./cache/cached-copy.ts";
import { openRepository } from "./open-repository.ts";
import { findCommit, isFullId } from "./refs.ts";
import type { GitOptions } from "./run-git.ts";
import { createTextRepository } from "./write/create-text-repository.ts";

export function createGitLocalRepositories(
  environment: Readonly<Record<string, string>>,
  signal: AbortSignal,
): LocalRepositories {
  const at = (folder: string): GitOptions => {
    return { cwd: folder, environment: copyEnvironment({ folder }, environment), signal };
  };
  return {
    open: (folder) => openRepository(folder, at(folder).environment, signal),
    hasCommit: async (folder, commit) =>
      isFullId(commit) && (await findCommit(commit, at(folder))) === commit,
    create: (folder, base) => createTextRepository(base, at(folder)),
  };
}
