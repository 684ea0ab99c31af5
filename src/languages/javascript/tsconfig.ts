/** `paths`, `baseUrl` and `extends` of tsconfig.json and jsconfig.json, and the import maps of Deno. */
import { containingFolder } from "../../base/containing-folder.ts";
import { tableOf, textOf, type JsonTable } from "../../base/documents/json-file.ts";
import { foldersUp, joinPaths, type FileTree } from "../resolve/file-tree.ts";
import { parseJsonc } from "./parse-jsonc.ts";

export type PathPattern = {
  /** Before and after the star; `suffix` is null without one. */
  readonly prefix: string;
  readonly suffix: string | null;
  /** Paths from the root of the repository, with the star. */
  readonly targets: readonly string[];
};

export type ScriptConfig = {
  /** The most specific first. */
  readonly patterns: readonly PathPattern[];
  readonly baseUrl: string | null;
};

/** Configurations extend one another in chains of two to four. */
const MAX_EXTENDS = 10;

/** Repositories with a pattern for each of their packages have some 500. */
const MAX_PATTERNS = 5_000;

const CONFIG_NAMES = ["tsconfig.json", "jsconfig.json", "deno.json", "deno.jsonc", "import_map.json"];

export type ScriptConfigs = {
  /** The configurations around a folder, the closest first. Only the first one applies by TypeScript's rules. */
  configsFor(folder: string): readonly ScriptConfig[];
};

export function createScriptConfigs(manifests: ReadonlyMap<string, string>, tree: FileTree): ScriptConfigs {
  const parsed = new Map<string, JsonTable | null>();
  const byFolder = new Map<string, readonly ScriptConfig[]>();

  function parse(path: string): JsonTable | null {
    const known = parsed.get(path);
    if (known !== undefined) return known;
    const text = manifests.get(path);
    const table = text === undefined ? null : parseJsonc(text);
    parsed.set(path, table);
    return table;
  }

  /** With what it extends. Later entries of `extends` override earlier ones, and the file itself all of them. */
  function read(path: string, depth: number): ScriptConfig | null {
    const table = parse(path);
    if (table === null || depth > MAX_EXTENDS) return null;
    const own = readOwn(path, table);
    let { patterns, baseUrl } = own;
    for (const extended of extendedPaths(path, table).toReversed()) {
      const config = read(extended, depth + 1);
      if (patterns === null) patterns = config?.patterns ?? null;
      baseUrl ??= config?.baseUrl ?? null;
    }
    return patterns === null && baseUrl === null ? null : { patterns: patterns ?? [], baseUrl };
  }

  function extendedPaths(path: string, table: JsonTable): readonly string[] {
    const value = table["extends"];
    const names = (Array.isArray(value) ? value : [value]).slice(0, MAX_EXTENDS);
    return names.flatMap((name: unknown) => {
      const text = textOf(name);
      if (text === null || !text.startsWith(".")) return [];
      const target = joinPaths(containingFolder(path), text);
      return target === null ? [] : (candidates(target).find((each) => manifests.has(each)) ?? []);
    });
  }

  /** A solution file lists the projects that have the settings. */
  function referencedPaths(path: string, table: JsonTable): readonly string[] {
    const references = table["references"];
    const listed = (Array.isArray(references) ? references : []).slice(0, MAX_PATTERNS);
    return listed.flatMap((each: unknown) => {
      const target = joinPaths(containingFolder(path), textOf(tableOf(each)?.["path"]) ?? "");
      const found = target === null ? undefined : candidates(target).find((name) => manifests.has(name));
      return found !== undefined && containingFolder(found) === containingFolder(path) ? found : [];
    });
  }

  function configsIn(folder: string): readonly ScriptConfig[] {
    const files = CONFIG_NAMES.map((name) => (folder === "" ? name : `${folder}/${name}`));
    return files
      .filter((path) => manifests.has(path))
      .flatMap((path) => {
        const config = read(path, 0);
        if (config !== null) return config;
        const table = parse(path);
        const referenced = table === null ? [] : referencedPaths(path, table);
        return referenced.map((each) => read(each, 0)).filter((each) => each !== null);
      });
  }

  return {
    configsFor(folder) {
      const known = byFolder.get(folder);
      if (known !== undefined) return known;
      const found: ScriptConfig[] = [];
      for (const above of foldersUp(folder)) if (tree.hasFolder(above)) found.push(...configsIn(above));
      byFolder.set(folder, found);
      return found;
    },
  };
}

function candidates(target: string): readonly string[] {
  return [target, `${target}.json`, target === "" ? "tsconfig.json" : `${target}/tsconfig.json`];
}

function readOwn(
  path: string,
  table: JsonTable,
): { readonly patterns: readonly PathPattern[] | null; readonly baseUrl: string | null } {
  const options = tableOf(table["compilerOptions"]);
  const base = textOf(options?.["baseUrl"]);
  const baseUrl = base === null ? null : joinPaths(containingFolder(path), base);
  const paths = tableOf(options?.["paths"]);
  if (paths !== null) return { patterns: readPatterns(paths, baseUrl ?? containingFolder(path)), baseUrl };
  const imports = /(?:deno\.jsonc?|import_map\.json)$/.test(path) ? tableOf(table["imports"]) : null;
  return { patterns: imports === null ? null : readImportMap(imports, containingFolder(path)), baseUrl };
}

function readPatterns(paths: JsonTable, base: string): readonly PathPattern[] {
  const patterns = Object.entries(paths)
    .slice(0, MAX_PATTERNS)
    .flatMap(([pattern, value]) => {
      const targets = (Array.isArray(value) ? value : []).flatMap((each: unknown) => {
        const target = textOf(each);
        return target === null ? [] : (joinPaths(base, target) ?? []);
      });
      return targets.length === 0 ? [] : toPattern(pattern, targets);
    });
  return patterns.toSorted(bySpecificity);
}

function readImportMap(imports: JsonTable, base: string): readonly PathPattern[] {
  const patterns = Object.entries(imports)
    .slice(0, MAX_PATTERNS)
    .flatMap(([key, value]) => {
      const text = textOf(value);
      const target = text === null || !text.startsWith(".") ? null : joinPaths(base, text);
      if (target === null) return [];
      return key.endsWith("/") ? toPattern(`${key}*`, [`${target}/*`]) : toPattern(key, [target]);
    });
  return patterns.toSorted(bySpecificity);
}

function toPattern(pattern: string, targets: readonly string[]): PathPattern {
  const star = pattern.indexOf("*");
  return star === -1
    ? { prefix: pattern, suffix: null, targets }
    : { prefix: pattern.slice(0, star), suffix: pattern.slice(star + 1), targets };
}

/** A name without a star, then the longest text before the star. */
function bySpecificity(a: PathPattern, b: PathPattern): number {
  return Number(a.suffix !== null) - Number(b.suffix !== null) || b.prefix.length - a.prefix.length;
}

/** The paths that the first matching pattern leads to, in its order. */
export function matchPattern(patterns: readonly PathPattern[], specifier: string): readonly string[] {
  for (const { prefix, suffix, targets } of patterns) {
    if (suffix === null) {
      if (specifier === prefix) return targets;
    } else if (
      specifier.length >= prefix.length + suffix.length &&
      specifier.startsWith(prefix) &&
      specifier.endsWith(suffix)
    ) {
      const middle = specifier.slice(prefix.length, specifier.length - suffix.length);
      return targets.map((target) => target.replace("*", () => middle));
    }
  }
  return [];
}
