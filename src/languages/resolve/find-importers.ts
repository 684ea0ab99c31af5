/** Finds the files that import a name another file exports, directly or through files that re-export it. */
import { appendTo } from "../../base/append-to.ts";
import { countWord, hashWord, type FileFacts, type ImportFact } from "../file-facts.ts";
import { compareBytes } from "./file-tree.ts";
import type { CodeFacts, FileName } from "./find-definition.ts";
import { memberPrefix } from "./member-prefix.ts";
import type { Resolver } from "./resolver.ts";

/** Which imports lead to a file. Made once for all searches. */
export type ImportLinks = CodeFacts & {
  readonly importsOf: ReadonlyMap<string, readonly ImportLink[]>;
  /** Files that can use a file without an import. */
  readonly unimportedBy: ReadonlyMap<string, readonly string[]>;
};

export type ImportLink = {
  readonly from: string;
  readonly imported: ImportFact;
  readonly isExact: boolean;
};

export type Importer = {
  readonly path: string;
  /** Of the import; null for `unimported`. */
  readonly line: number | null;
  /**
   * `named`: the import names it. `module-imported`: the file imports the whole module, and contains the name.
   * `wildcard`: the file imports all names of the module, and contains this one. `unimported`: a file of the same package
   * that contains the name.
   */
  readonly kind: "named" | "module-imported" | "wildcard" | "unimported";
  /** What stands for the name in that file: "total", or "cart.total" for a member. */
  readonly alias: string;
  /** The import leads to this file by exact rules. For `module-imported`, only the import of the module is certain, not a use. */
  readonly isCertain: boolean;
  /** The import itself exports the name again. */
  readonly isReExport: boolean;
  /** Files that re-export it in between, the closest to the definition first. */
  readonly through: readonly string[];
};

/** As deep as definitions are followed. */
const MAX_HOPS = 10;

/** A name that is imported more often is used everywhere. */
const MAX_IMPORTERS = 5_000;

export function linkImports(facts: ReadonlyMap<string, FileFacts>, resolver: Resolver): ImportLinks {
  const importsOf = new Map<string, ImportLink[]>();
  const unimportedBy = new Map<string, string[]>();
  for (const from of [...facts.keys()].toSorted(compareBytes)) {
    for (const imported of facts.get(from)?.imports ?? []) {
      for (const each of perTarget(from, imported, resolver)) {
        const { paths, isExact } = resolver.resolve(from, each);
        for (const path of paths) appendTo(importsOf, path, { from, imported: each, isExact });
      }
    }
    for (const path of resolver.resolveUnimported(from).paths) appendTo(unimportedBy, path, from);
  }
  return { facts, resolver, importsOf, unimportedBy };
}

/** One import for each name when they may lead to different files: `from shop import cart, order`. */
function perTarget(from: string, imported: ImportFact, resolver: Resolver): readonly ImportFact[] {
  const { names } = imported;
  if (names.length < 2 || resolver.resolve(from, imported).paths.length < 2) return [imported];
  return names.map((name) => ({ ...imported, names: [name] }));
}

/** In byte order of the paths; files at the same distance from the definition together. */
export function findImporters(exported: FileName, links: ImportLinks): readonly Importer[] {
  const found: Importer[] = [];
  const visited = new Set<string>();
  let level: readonly Step[] = [{ ...exported, through: [], isCertain: true }];
  for (let hops = 0; hops <= MAX_HOPS && level.length > 0; hops++) {
    const next: Step[] = [];
    for (const step of level) {
      const key = `${step.path}\0${step.name}`;
      if (visited.has(key) || found.length > MAX_IMPORTERS) continue;
      visited.add(key);
      for (const importer of importersOf(step, links)) {
        found.push(importer);
        const passedOn = exportedAs(importer, links);
        if (passedOn !== null) {
          next.push({
            ...passedOn,
            through: [...step.through, importer.path],
            isCertain: importer.isCertain,
          });
        }
      }
    }
    level = next;
  }
  return unique(found).toSorted((a, b) => compareBytes(a.path, b.path));
}

/** A file under which the name can be imported. */
type Step = FileName & { readonly through: readonly string[]; readonly isCertain: boolean };

function importersOf({ path, name, through, isCertain }: Step, links: ImportLinks): readonly Importer[] {
  const found: Importer[] = [];
  for (const { from, imported, isExact } of links.importsOf.get(path) ?? []) {
    const common = {
      path: from,
      line: imported.line,
      isCertain: isCertain && isExact,
      isReExport: imported.kind === "re-export",
      through,
    };
    for (const each of imported.names) {
      if (each.name === name) found.push({ ...common, kind: "named", alias: each.as });
      else if (each.name === "*" && (common.isReExport || containsName(links.facts.get(from), name))) {
        found.push({ ...common, kind: "wildcard", alias: name });
      }
    }
    const prefix = memberPrefix(imported, { path, facts: links.facts.get(path) });
    if (prefix !== null && containsName(links.facts.get(from), name)) {
      found.push({ ...common, kind: "module-imported", alias: `${prefix}${name}` });
    }
  }
  for (const from of links.unimportedBy.get(path) ?? []) {
    if (!containsName(links.facts.get(from), name)) continue;
    found.push({
      path: from,
      line: null,
      kind: "unimported",
      alias: name,
      isCertain: false,
      isReExport: false,
      through,
    });
  }
  return found;
}

/** The name under which the importing file offers it to others; null when it doesn't, as far as the facts show. */
function exportedAs({ path, kind, alias, isReExport }: Importer, { facts }: ImportLinks): FileName | null {
  if (kind === "module-imported" || kind === "unimported") return null;
  // Python modules export all that they import.
  if (isReExport || /\.pyi?$/.test(path)) return { path, name: alias };
  const isListed =
    facts.get(path)?.definitions.some((each) => each.name === alias && each.isExported) === true;
  return isListed ? { path, name: alias } : null;
}

/** Names of one or two characters aren't among the words. */
function containsName(file: FileFacts | undefined, name: string): boolean {
  return file !== undefined && (name.length < 3 || countWord(file.words, hashWord(name)) > 0);
}

function unique(found: readonly Importer[]): readonly Importer[] {
  const byKey = new Map<string, Importer>();
  for (const each of found) {
    const key = `${each.path}\0${each.line ?? ""}\0${each.kind}\0${each.alias}`;
    if (!byKey.has(key)) byKey.set(key, each);
  }
  return [...byKey.values()];
}
