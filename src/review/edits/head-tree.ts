/** The entries of the commit that edits are based on, as rules about paths need them. Pure. */
import { containingFolder } from "../../base/containing-folder.ts";
import { foldPath } from "./fold-path.ts";

type HeadEntryKind = "file" | "folder" | "symlink" | "submodule";

export type HeadTree = {
  /** Null for no entry. */
  kindOf(path: string): HeadEntryKind | null;
  /** Existing paths that a file system could take for this one; also the path itself. */
  spellingsOf(path: string): readonly string[];
};

/** `paths` are all entries except folders; `special` has the kind of those that aren't regular files. */
export function indexTree(
  paths: readonly string[],
  special: ReadonlyMap<string, "symlink" | "submodule">,
): HeadTree {
  const kinds = new Map<string, HeadEntryKind>();
  const spellings = new Map<string, string[]>();
  const add = (path: string, kind: HeadEntryKind): void => {
    kinds.set(path, kind);
    const folded = foldPath(path);
    const known = spellings.get(folded);
    if (known === undefined) spellings.set(folded, [path]);
    else known.push(path);
  };
  for (const path of paths) {
    add(path, special.get(path) ?? "file");
    for (let folder = containingFolder(path); folder !== "" && !kinds.has(folder);) {
      add(folder, "folder");
      folder = containingFolder(folder);
    }
  }
  return {
    kindOf: (path) => kinds.get(path) ?? null,
    spellingsOf: (path) => spellings.get(foldPath(path)) ?? [],
  };
}
