/**
 * The LocalRepositories port: repositories on this machine that are given by their git folder, without any setting of the user. Failures
 * that a user can fix are KodiaiErrors.
 */
import type { Repository } from "./repository.ts";

export type LocalRepositories = {
  /** Opens a git folder, which may be that of a work tree. */
  open(gitFolder: string): Promise<Repository>;
  /** False also for an abbreviated id. */
  hasCommit(gitFolder: string, commit: string): Promise<boolean>;
  /** Makes a bare repository in a folder that doesn't exist yet. The same texts have the same commit ids on every machine. */
  create(gitFolder: string, base: Readonly<Record<string, string>>): Promise<TextRepository>;
};

export type TextRepository = {
  /** The id of the commit with the base, on the branch main. */
  readonly base: string;
  /** Adds a commit whose parent is the base and returns its id. Texts by path; null deletes the file. */
  commit(changes: Readonly<Record<string, string | null>>, message: string): Promise<string>;
};
