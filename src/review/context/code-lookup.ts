/** Answers a model's questions about names and files from the code index. Failures are values: null for no answer. */

export type CodeLookup = {
  /** `among`: the files that contain the name. Null when the index has no answer in time. */
  readonly findName: (name: string, among: readonly string[]) => Promise<NameFacts | null>;
  /** At most `MAX_RELATED_FILES`. Null when the repository can't be listed in time. */
  readonly findRelated: (path: string) => Promise<RelatedFileList | null>;
};

export type NameFacts = {
  readonly definitions: readonly {
    readonly path: string;
    readonly line: number;
    readonly kind: string;
  }[];
  /** Files that import one of the definitions by exact rules, and what stands for it there: "total" or "cart.total". */
  readonly imports: readonly { readonly path: string; readonly alias: string }[];
  /** The files whose facts are known. */
  readonly known: readonly string[];
};

/** The other file tests this one, is tested by it, imports it, is imported by it, or is changed by the same commits. */
export const RELATED_REASONS = ["test", "tested", "importer", "imported", "changed-together"] as const;
export type RelatedReason = (typeof RELATED_REASONS)[number];

export type RelatedFileList = {
  readonly files: readonly {
    readonly path: string;
    /** In the order of `RELATED_REASONS`. */
    readonly reasons: readonly RelatedReason[];
    /** Commits that changed both, among those that were read. */
    readonly commits: number;
  }[];
  /** Files that didn't fit. */
  readonly omitted: number;
  /** Sources that couldn't be read in time. */
  readonly gaps: readonly ("imports" | "history")[];
};

/** In one answer. */
export const MAX_RELATED_FILES = 50;

/** A use of a name as far as imports show it: certain in the file that defines it, or in one that imports it. */
export function isCertainPlace(
  { path, text }: { readonly path: string; readonly text: string },
  { definitions, imports }: NameFacts,
): boolean {
  if (definitions.some((definition) => definition.path === path)) return true;
  return imports.some((imported) => imported.path === path && text.includes(imported.alias));
}
