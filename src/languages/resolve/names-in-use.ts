/** Finds the files that define a name another file contains, for languages that don't import every file they use. */
import { appendTo } from "../../base/append-to.ts";
import { countWord, hashWord, type FileFacts } from "../file-facts.ts";
import { closestTo, stemOf } from "./file-tree.ts";

export type NameIndex = {
  /** Files of a group that define a name which this file contains. Code never uses tests, so only a test gets other tests. */
  usedIn(group: string, from: string): readonly string[];
  /** Every file of a group. */
  filesOf(group: string): readonly string[];
};

/** Names that more files of a group define are too common to mean one of them. */
const MAX_DEFINERS = 6;

/** Words have at least three characters. */
const MIN_NAME_CHARS = 3;

/**
 * `groupOf`: the package or namespace of a file; null for none. `isVisible`: whether other files of the group can use a
 * definition without an import.
 */
export function indexNames(
  files: ReadonlyMap<string, FileFacts>,
  groupOf: (path: string, file: FileFacts) => string | null,
  isVisible: (definition: FileFacts["definitions"][number], path: string) => boolean,
): NameIndex {
  const members = new Map<string, string[]>();
  const definers = new Map<string, Map<number, Definers>>();
  const tests = new Set<string>();
  for (const [path, file] of files) {
    const group = groupOf(path, file);
    if (group === null) continue;
    appendTo(members, group, path);
    if (isTestPath(path)) tests.add(path);
    const names = definers.get(group) ?? new Map<number, Definers>();
    definers.set(group, names);
    const stem = stemOf(path);
    for (const definition of file.definitions) {
      if (definition.name.length < MIN_NAME_CHARS || !isVisible(definition, path)) continue;
      addDefiner(names, hashWord(definition.name), { path, isNamedAfter: stem === definition.name });
    }
  }
  return {
    usedIn(group, from) {
      const names = definers.get(group);
      const words = files.get(from)?.words;
      if (names === undefined || words === undefined) return [];
      const used = new Set<string>();
      const add = ({ named, others }: Definers): void => {
        const found = named.length > 0 ? named : others;
        if (found.length <= MAX_DEFINERS) for (const path of closestTo(from, found)) used.add(path);
      };
      if (names.size < words.hashes.length) {
        for (const [hash, found] of names) if (countWord(words, hash >>> 0) > 0) add(found);
      } else {
        for (const hash of words.hashes) {
          const found = names.get(toSmall(hash));
          if (found !== undefined) add(found);
        }
      }
      return tests.has(from) ? [...used] : [...used].filter((path) => !tests.has(path));
    },
    filesOf: (group) => members.get(group) ?? [],
  };
}

/** Files that define a name: those that are named after it define the class, the others may have a nested one. */
type Definers = { readonly named: string[]; readonly others: string[] };

function addDefiner(
  names: Map<number, Definers>,
  hash: number,
  { path, isNamedAfter }: { readonly path: string; readonly isNamedAfter: boolean },
): void {
  const known = names.get(toSmall(hash)) ?? { named: [], others: [] };
  names.set(toSmall(hash), known);
  const list = isNamedAfter ? known.named : known.others;
  if (list.length <= MAX_DEFINERS && list.at(-1) !== path) list.push(path);
}

/** The hash as a signed number, which a Map finds several times faster. */
function toSmall(hash: number): number {
  return hash | 0;
}

/** Classes, types and what can be called or read at the top level; methods belong to their class. */
export function isTopLevel({ kind }: FileFacts["definitions"][number]): boolean {
  return kind !== "method" && kind !== "module";
}

export function isNamedType({ kind }: FileFacts["definitions"][number]): boolean {
  return kind === "class" || kind === "type";
}

/** By the folders and file names of the languages that need this. */
function isTestPath(path: string): boolean {
  return /(?:^|\/)(?:\w*[tT]ests?|[\w.]+\.Tests?|[sS]pecs?)\/|_test\.go$/.test(path);
}
