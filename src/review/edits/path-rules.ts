/** Compiles the paths that write mode may touch, as the repository configured them. Deny wins. Pure. */
import { compileGlobs, type GlobSet } from "../../base/glob.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { foldLetters, foldPath } from "./fold-path.ts";
import { decoysOf, protectionsOf } from "./protected-paths.ts";

export type PathRules = {
  /** The glob that denies the path or a folder above it, as configured; null for none. */
  denyingGlob(path: string): string | null;
  isAllowed(path: string): boolean;
  /** The reason why the path is protected, to complete "it is …"; null if it isn't, or if the configuration names it. */
  protection(path: string): string | null;
  /** Whether the configuration allows exactly this file, and not just everything around it. */
  isNamed(path: string): boolean;
};

type DenyRule = { readonly glob: string; readonly exact: GlobSet; readonly folded: GlobSet };

export function compilePathRules({
  allowPaths,
  denyPaths,
}: Pick<RepoConfig["write"], "allowPaths" | "denyPaths">): PathRules {
  const denied = denyPaths.map((glob): DenyRule => {
    const pattern = withoutOuterSlashes(glob);
    return { glob, exact: compileGlobs([pattern]), folded: compileGlobs([foldLetters(pattern)]) };
  });
  const allowing = allowPaths.map((glob) => compileGlobs([glob.endsWith("/") ? `${glob}**` : glob]));
  // `**` allows a workflow as it allows everything else, but it doesn't name it.
  const names = (path: string, decoys: readonly string[]): boolean =>
    allowing.some((allows) => allows(path) && !decoys.every(allows));
  return {
    denyingGlob(path) {
      // A denied folder denies everything in it, and a denied file also what would be below it.
      const exact = withFolders(path);
      // A glob may also end in what some file systems drop from a name.
      const folded = [foldPath(path), foldLetters(path)].flatMap(withFolders);
      const rule = denied.find(
        (each) => exact.some((part) => each.exact(part)) || folded.some((part) => each.folded(part)),
      );
      return rule?.glob ?? null;
    },
    isAllowed: (path) => allowPaths.length === 0 || allowing.some((allows) => allows(path)),
    protection(path) {
      const found = protectionsOf(path);
      return found.some(({ decoys }) => names(path, decoys)) ? null : (found[0]?.what ?? null);
    },
    isNamed: (path) => names(path, decoysOf(path)),
  };
}

/** `/infra/` and `./infra` mean the folder. */
function withoutOuterSlashes(glob: string): string {
  return glob.replace(/^\.?\/{1,256}/, "").replace(/\/{1,256}$/, "");
}

/** `a/b/c`, `a/b` and `a`. */
function withFolders(path: string): readonly string[] {
  const names = path.split("/");
  return names.map((_, index) => names.slice(0, names.length - index).join("/"));
}
