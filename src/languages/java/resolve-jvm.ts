/** Java, Kotlin, Scala and Groovy: a package and a name are a file by what the files declare, whatever their folders. */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { countWord, hashWord, type FileFacts } from "../file-facts.ts";
import { closestTo, stemOf, type FileTree } from "../resolve/file-tree.ts";
import { indexNames, isTopLevel } from "../resolve/names-in-use.ts";
import type { LanguageResolver, ResolverInput } from "../resolve/resolver.ts";

const SOURCE = /\.(?:java|kts?|scala|groovy)$/;

/** A nested class of a nested class, and a member of it. */
const MAX_NESTING = 3;

/** Source sets and copies of a class in examples; more are fixtures. */
const MAX_COPIES = 12;

/** A word that more files of the package contain says nothing. */
const MAX_GUESSES = 3;

export function createJvmResolver({ facts }: ResolverInput, _tree: FileTree): LanguageResolver {
  const byName = indexQualifiedNames(facts);
  const names = indexNames(facts, (path) => (SOURCE.test(path) ? packageOf(path) : null), isVisible);

  /** Files without a declaration are a package with their folder, as scripts are. */
  function packageOf(path: string): string {
    return facts.get(path)?.module ?? `${containingFolder(path)}/`;
  }

  /** The files that declare a name, or the class that it's nested in. */
  function find(qualified: string): { readonly paths: readonly string[]; readonly isWhole: boolean } | null {
    let name = qualified;
    for (let depth = 0; depth <= MAX_NESTING && name !== ""; depth++) {
      const paths = byName.get(name);
      if (paths !== undefined && paths.length <= MAX_COPIES) return { paths, isWhole: depth <= 1 };
      const dot = name.lastIndexOf(".");
      // A package's name is lower-case: the rest is no class.
      if (dot === -1 || (depth > 0 && /^[a-z_]/.test(name.slice(dot + 1)))) return null;
      name = name.slice(0, dot);
    }
    return null;
  }

  /** Extensions and members that have no definition of their own among the facts: the files of the package that contain the name. */
  function findByWord(qualified: string): readonly string[] {
    const dot = qualified.lastIndexOf(".");
    const hash = hashWord(qualified.slice(dot + 1));
    const found = names.filesOf(qualified.slice(0, Math.max(0, dot))).filter((path) => {
      const words = facts.get(path)?.words;
      return words !== undefined && countWord(words, hash) > 0;
    });
    return found.length <= MAX_GUESSES ? found : [];
  }

  return {
    resolve(from, { specifier, names: imported }) {
      const isWildcard = imported.some((each) => each.name === "*");
      if (isWildcard && names.filesOf(specifier).length > 0) {
        return { paths: names.usedIn(specifier, from), isExact: false };
      }
      const found = find(specifier);
      if (found === null) return { paths: findByWord(specifier), isExact: false };
      return { paths: closestTo(from, found.paths), isExact: found.isWhole && found.paths.length === 1 };
    },
    resolveUnimported: (from) => names.usedIn(packageOf(from), from),
  };
}

/** In Java a class of the package is named like its file; other classes in it are nested or for the file alone. */
function isVisible(definition: FileFacts["definitions"][number], path: string): boolean {
  return isTopLevel(definition) && (!path.endsWith(".java") || stemOf(path) === definition.name);
}

/** Files that are named after a class come before those that have a nested one. */
function indexQualifiedNames(facts: ReadonlyMap<string, FileFacts>): ReadonlyMap<string, readonly string[]> {
  const named = new Map<string, string[]>();
  const others = new Map<string, string[]>();
  for (const [path, { module, definitions }] of facts) {
    if (!SOURCE.test(path)) continue;
    const prefix = module === null || module === "" ? "" : `${module}.`;
    const stem = stemOf(path);
    appendTo(named, `${prefix}${stem}`, path);
    const own = new Set(definitions.filter(isTopLevel).map(({ name }) => name));
    for (const name of own) if (name !== stem) appendTo(others, `${prefix}${name}`, path);
  }
  return new Map([...others, ...named]);
}
