/** Ruby: requires from load paths, and constants that Zeitwerk loads by their names. */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { hashWord, countWord, type FileFacts } from "../file-facts.ts";
import { fileNameOf } from "../../base/file-name.ts";
import { closestTo, joinPaths, stemOf, type FileTree } from "../resolve/file-tree.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";

/** Folders in a load path, of a gem or an application. */
const LOAD_FOLDERS: ReadonlySet<string> = new Set(["lib", "test", "spec", "features"]);

/** A constant that more files may define is too common to mean one of them. */
const MAX_CANDIDATES = 3;

export function createRubyResolver({ facts }: ResolverInput, tree: FileTree): LanguageResolver {
  const loadPaths = findLoadPaths(tree);
  const constants = indexConstants(facts);
  const features = new Map<string, readonly string[]>();

  function findFile(base: string | null): string | null {
    if (base === null) return null;
    return [`${base}.rb`, base].find((path) => tree.hasFile(path)) ?? null;
  }

  function filesOf(feature: string): readonly string[] {
    const name = feature.endsWith(".rb") ? feature : `${feature}.rb`;
    const known = features.get(name);
    if (known !== undefined) return known;
    const found = tree.filesNamed(fileNameOf(name)).filter((path) => {
      if (path === name) return true;
      return path.endsWith(`/${name}`) && loadPaths.has(path.slice(0, -name.length - 1));
    });
    features.set(name, found);
    return found;
  }

  function resolveFeature(from: string, specifier: string): Resolution {
    const found = filesOf(specifier);
    const closest = closestTo(from, found);
    return { paths: closest.slice(0, 1), isExact: found.length === 1 };
  }

  return {
    resolve(from, { specifier }) {
      if (!/^\.{1,2}\//.test(specifier)) return resolveFeature(from, specifier);
      const path = findFile(joinPaths(containingFolder(from), specifier));
      return path === null ? UNRESOLVED : { paths: [path], isExact: true };
    },
    resolveUnimported(from) {
      const file = facts.get(from);
      if (file === undefined) return [];
      const used: string[] = [];
      const isThere = (outer: number): boolean => countWord(file.words, outer) > 0;
      for (const hash of file.words.hashes) {
        const named = constants
          .get(hash)
          ?.filter(
            ({ outer, project }) => outer.every(isThere) && (outer.length > 0 || from.startsWith(project)),
          );
        if (named !== undefined && named.length <= MAX_CANDIDATES) {
          used.push(...named.map(({ path }) => path));
        }
      }
      return used;
    },
  };
}

type Constant = {
  readonly path: string;
  /** Hashes of the constants around it, which the using file has to contain too. */
  readonly outer: readonly number[];
  /** The folder that has `lib` or `app`, with a slash; "" for the root. Only files in it see constants that no other surrounds. */
  readonly project: string;
};

/** Hash of a constant → files that are named after it, as Zeitwerk wants: app/models/shop/cart.rb is Shop::Cart. */
function indexConstants(facts: ReadonlyMap<string, FileFacts>): ReadonlyMap<number, readonly Constant[]> {
  const constants = new Map<number, Constant[]>();
  for (const [path, { definitions, words }] of facts) {
    if (!path.endsWith(".rb")) continue;
    const stem = flatten(stemOf(path));
    const scopes = definitions
      .filter(({ kind }) => kind === "class" || kind === "module")
      .flatMap(({ name }) => name.split("::"));
    const own = scopes.findIndex((name) => flatten(name) === stem);
    if (own === -1) continue;
    // The scopes before it are around it, since one file has one constant.
    const around = new Set(scopes.slice(0, own).map(hashWord));
    // `class Shop::Cart` in shop/cart.rb.
    const folder = hashWord(toConstant(fileNameOf(containingFolder(path))));
    if (around.size === 0 && countWord(words, folder) > 0) around.add(folder);
    const outer = [...around];
    const project = /^(?:.*\/)?(?=(?:lib|app)\/)/.exec(path)?.[0] ?? "";
    appendTo(constants, hashWord(scopes[own] ?? ""), { path, outer, project });
  }
  return constants;
}

/** "TagGroup" for tag_group. */
function toConstant(name: string): string {
  return name
    .split("_")
    .map((part) => part.slice(0, 1).toUpperCase() + part.slice(1))
    .join("");
}

/** HTMLParser and html_parser are the same name. */
function flatten(name: string): string {
  return name.replaceAll("_", "").toLowerCase();
}

/** `lib` and the like wherever they are, and the folders below `app`. */
function findLoadPaths(tree: FileTree): ReadonlySet<string> {
  const roots = new Set<string>();
  for (const path of tree.paths) {
    if (!path.endsWith(".rb")) continue;
    const parts = path.split("/");
    for (const [index, part] of parts.slice(0, -1).entries()) {
      if (LOAD_FOLDERS.has(part)) roots.add(parts.slice(0, index + 1).join("/"));
      if (parts[index - 1] === "app") roots.add(parts.slice(0, index + 1).join("/"));
    }
  }
  return roots;
}
