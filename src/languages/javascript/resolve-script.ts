/** JavaScript and TypeScript, also in Vue, Svelte and Astro files. */
import { containingFolder } from "../../base/containing-folder.ts";
import { tableOf, textOf } from "../../base/documents/json-file.ts";
import type { ImportFact } from "../file-facts.ts";
import { closestFolder, joinPaths, type FileTree } from "../resolve/file-tree.ts";
import {
  type LanguageResolver,
  type Resolution,
  type ResolverInput,
  UNRESOLVED,
} from "../resolve/resolver.ts";
import { createScriptFinder } from "./find-script.ts";
import { entriesOf, internalEntriesOf, readPackages, type ScriptPackage } from "./script-package.ts";
import { createScriptConfigs, matchPattern } from "./tsconfig.ts";

/** Folders that hold a package's entry when its manifest names only build results. */
const ENTRY_STEMS = ["src/index", "index", "lib/index", "source/index", "src/main", "mod"];

/** Test fixtures repeat the names of packages. */
const MAX_SAME_NAME = 4;

export function createScriptResolver({ manifests }: ResolverInput, tree: FileTree): LanguageResolver {
  const packages = readPackages(manifests);
  const configs = createScriptConfigs(manifests, tree);
  const finder = createScriptFinder(tree);

  function find(base: string | null, from: string): Resolution {
    return base === null ? UNRESOLVED : findInFolder(base, isTypedFile(from));
  }

  /** A file, or a folder with a package.json of its own. */
  function findInFolder(base: string, isTyped: boolean): Resolution {
    const found = tree.hasFile(base) ? UNRESOLVED : findPackageEntry(base, isTyped);
    return found.paths.length > 0 ? found : finder.findScript(base, isTyped);
  }

  function findPackageEntry(folder: string, isTyped: boolean): Resolution {
    const nested = folder === "" ? undefined : packages.byFolder.get(folder);
    if (nested === undefined) return UNRESOLVED;
    return findEntry(
      nested,
      entriesOf({ ...nested, manifest: { ...nested.manifest, exports: null } }, ".") ?? [],
      isTyped,
    );
  }

  function findEntry({ folder }: ScriptPackage, entries: readonly string[], isTyped: boolean): Resolution {
    const inside = entries.filter((entry) => folder === "" || entry.startsWith(`${folder}/`));
    const tracked = inside
      .map((entry) => finder.findScript(entry, isTyped))
      .filter((each) => each.paths.length > 0);
    const code = tracked.find(({ paths }) => !paths.some(isDeclaration));
    if (code !== undefined) return code;
    for (const entry of inside) {
      const source = finder.findSource(entry, folder);
      if (source !== null) return { paths: [source], isExact: true };
    }
    return tracked[0] ?? UNRESOLVED;
  }

  function resolveRelative(from: string, specifier: string): Resolution {
    // "." and "./" are folders, never a file with the name of the folder.
    const isFolder = /(?:^|\/)\.{0,2}$/.test(specifier);
    return find(joinPaths(containingFolder(from), isFolder ? `${specifier}/index` : specifier), from);
  }

  function resolveConfigured(from: string, specifier: string): Resolution {
    for (const [index, config] of configs.configsFor(containingFolder(from)).entries()) {
      const targets = matchPattern(config.patterns, specifier);
      const bases = config.baseUrl === null ? targets : [...targets, joinPaths(config.baseUrl, specifier)];
      for (const base of bases) {
        const found = find(base, from);
        if (found.paths.length > 0) return { paths: found.paths, isExact: found.isExact && index === 0 };
      }
    }
    return UNRESOLVED;
  }

  function resolvePackage(from: string, specifier: string): Resolution {
    const parts = specifier.split("/");
    const length = specifier.startsWith("@") ? 2 : 1;
    const name = parts.slice(0, length).join("/");
    const subpath = parts.length === length ? "." : `./${parts.slice(length).join("/")}`;
    const named = packages.byName.get(name) ?? [];
    const members = named.filter((each) => each.isMember);
    const own = named.filter((each) => isOwn(each, from));
    const known =
      own.length > 0 ? own : members.length > 0 ? members : named.filter(() => !isFromRegistry(name, from));
    const found = known
      .slice(0, MAX_SAME_NAME)
      .map((each) => resolveInPackage(each, subpath, isTypedFile(from)));
    const paths = found.flatMap((each) => each.paths);
    const isExact =
      known.length === 1 && (own.length > 0 || members.length > 0) && found[0]?.isExact === true;
    return { paths, isExact };
  }

  /** A package may import itself by its name. */
  function isOwn(each: ScriptPackage, from: string): boolean {
    return closestFolder(from, packages.byFolder) === each.folder;
  }

  /** The importing package, or the root, requests a version of it, and no workspace links it. */
  function isFromRegistry(name: string, from: string): boolean {
    const folders = [closestFolder(from, packages.byFolder) ?? "", ""];
    return folders.some((folder) => {
      const manifest = packages.byFolder.get(folder)?.manifest;
      return ["dependencies", "devDependencies", "peerDependencies"].some((section) => {
        const range = textOf(tableOf(manifest?.[section])?.[name]);
        return range !== null && !/^(?:workspace|file|link|portal):/.test(range);
      });
    });
  }

  function resolveInPackage(each: ScriptPackage, subpath: string, isTyped: boolean): Resolution {
    const entries = entriesOf(each, subpath);
    const found = findEntry(each, entries ?? [], isTyped);
    if (found.paths.length > 0) return found;
    const stems = subpath === "." ? ENTRY_STEMS : [subpath, `src/${subpath}`, `lib/${subpath}`];
    for (const stem of stems) {
      const base = joinPaths(each.folder, stem);
      const guessed = base === null ? UNRESOLVED : finder.findScript(base, isTyped);
      if (guessed.paths.length > 0) return { paths: guessed.paths, isExact: false };
    }
    return UNRESOLVED;
  }

  function resolveInternal(from: string, specifier: string): Resolution {
    const folder = closestFolder(from, packages.byFolder);
    const own = folder === null ? undefined : packages.byFolder.get(folder);
    const entries = own === undefined ? null : internalEntriesOf(own, specifier);
    if (own === undefined || entries === null) return resolveConfigured(from, specifier);
    const found = findEntry(own, entries, isTypedFile(from));
    return found.paths.length > 0 ? found : resolveConfigured(from, specifier);
  }

  /** Bundlers are often configured to know "@/" and "~/" as the sources. */
  function guess(from: string, specifier: string): Resolution {
    const rest = /^[@~]?\/(.+)$/.exec(specifier)?.[1];
    if (rest === undefined) return UNRESOLVED;
    const folder = closestFolder(from, packages.byFolder) ?? "";
    for (const below of ["src", ".", "app", "public"]) {
      const root = joinPaths(folder, below);
      const found = root === null ? UNRESOLVED : find(joinPaths(root, rest), from);
      if (found.paths.length > 0) return { paths: found.paths, isExact: false };
    }
    return UNRESOLVED;
  }

  return {
    resolve(from: string, { specifier: written }: ImportFact): Resolution {
      // A bundler's query says how the file is loaded.
      const query = written.indexOf("?");
      const specifier = query === -1 ? written : written.slice(0, query);
      if (specifier === "" || /^[a-z][a-z+.-]*:/i.test(specifier)) return UNRESOLVED;
      if (/^\.{1,2}(?:\/|$)/.test(specifier)) return resolveRelative(from, specifier);
      if (specifier.startsWith("#")) return resolveInternal(from, specifier);
      const configured = resolveConfigured(from, specifier);
      if (configured.paths.length > 0) return configured;
      const named = resolvePackage(from, specifier);
      return named.paths.length > 0 ? named : guess(from, specifier);
    },
    resolveUnimported: null,
  };
}

/** TypeScript prefers the source to an output with the imported name. */
function isTypedFile(path: string): boolean {
  return /\.(?:[mc]?ts|tsx|vue|svelte|astro)$/.test(path);
}

/** A file of types for code that is elsewhere. */
function isDeclaration(path: string): boolean {
  return /\.d\.[mc]?ts$/.test(path);
}
