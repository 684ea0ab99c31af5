/** Reads what the rules about edits need from the commit that they are based on. */
import { categoryOf, compileCategoryGlobs } from "../../../review/analysis/categories.ts";
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Repository } from "../../../repository/repository.ts";
import type { EditPolicy } from "../../../review/edits/check-edits.ts";
import { indexTree } from "../../../review/edits/head-tree.ts";
import { compilePathRules } from "../../../review/edits/path-rules.ts";

/** Listing as many takes seconds, and their names must fit into the memory. */
const MAX_PATHS = 300_000;

const MAX_LISTING_MS = 60_000;
const MAX_ENTRY_MS = 10_000;

/** Each costs a call of git. The kind of further ones isn't known, but they are no regular files either. */
const MAX_ASKED_ENTRIES = 100;

type PolicySources = {
  readonly repository: Repository;
  readonly signal: AbortSignal;
  /** The request says so in so many words. */
  readonly mayRemoveTests: boolean;
};

/** Null if the repository has too many files to check a path against. */
export async function readEditPolicy(
  commit: string,
  config: RepoConfig,
  { repository, signal, mayRemoveTests }: PolicySources,
): Promise<EditPolicy | null> {
  const revision = { commit };
  const paths = await repository.listPaths(revision, MAX_PATHS);
  const files = await repository.listFiles(revision, MAX_PATHS, { maxMs: MAX_LISTING_MS, signal });
  if (paths === null || files === null) return null;
  const regular = new Set(files.map(({ path }) => path));
  const special = new Map<string, "symlink" | "submodule">();
  for (const path of paths.filter((each) => !regular.has(each))) {
    const isAsked = special.size < MAX_ASKED_ENTRIES;
    const kind = isAsked ? await repository.findEntry(revision, path, { maxMs: MAX_ENTRY_MS, signal }) : null;
    special.set(path, kind === "submodule" ? "submodule" : "symlink");
  }
  const configured = compileCategoryGlobs(config.fileCategories);
  return {
    tree: indexTree(paths, special),
    rules: compilePathRules(config.write),
    mayRemoveTests,
    isTest: (path) => categoryOf(path) === "test" || categoryOf(path, configured) === "test",
  };
}
