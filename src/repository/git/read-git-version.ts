/** The output of `git --version`, for a report about this machine. */
import { tmpdir } from "node:os";
import { type GitOptions, runGit } from "./run-git.ts";

export function readGitVersion(environment: GitOptions["environment"], signal: AbortSignal): Promise<string> {
  // The answer doesn't depend on a repository.
  return runGit(["--version"], { cwd: tmpdir(), environment, signal });
}
