/** The sources of the importers of public sets: the data of the set and clones of the reviewed repositories, all on this machine. */
import { findGitFolder } from "../set/open-case.ts";
import type { RepositoryHistory } from "../../repository/repository-history.ts";

export type ImportSources = {
  /** A checkout or a bare clone of the set's repository. */
  readonly data: string;
  /** The folder with clones of the reviewed repositories. */
  readonly repositories: string;
  readonly openHistory: (folder: string) => Promise<RepositoryHistory>;
};

/** A ref or a commit of a reviewed repository. */
export type RepositoryNeed = { readonly repository: string; readonly wanted: string };

/** Opens each clone once. Null for one that isn't there. */
export function openClones({ repositories, openHistory }: ImportSources) {
  const opened = new Map<string, Promise<RepositoryHistory> | null>();
  return (repository: string): Promise<RepositoryHistory> | null => {
    const known = opened.get(repository);
    if (known !== undefined) return known;
    const folder = findGitFolder(repositories, repository);
    const opening = folder === null ? null : openHistory(folder);
    opened.set(repository, opening);
    return opening;
  };
}
