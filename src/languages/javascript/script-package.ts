/** The packages of a repository: their names, whether a workspace has them, and which files their entries are. */
import { appendTo } from "../../base/append-to.ts";
import { containingFolder } from "../../base/containing-folder.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { compileGlobs } from "../../base/glob.ts";
import { compareBytes, joinPaths } from "../resolve/file-tree.ts";
import { parseJsonc } from "./parse-jsonc.ts";

export type ScriptPackage = {
  readonly folder: string;
  readonly name: string | null;
  readonly manifest: JsonTable;
  /** A workspace of the repository links it into the others. */
  readonly isMember: boolean;
};

export type ScriptPackages = {
  readonly byFolder: ReadonlyMap<string, ScriptPackage>;
  /** In byte order of their folders. */
  readonly byName: ReadonlyMap<string, readonly ScriptPackage[]>;
};

/** Conditions nest two or three deep. */
const MAX_CONDITION_DEPTH = 8;

/** Generated `exports` list each file of a package. */
const MAX_ENTRIES = 5_000;

export function readPackages(manifests: ReadonlyMap<string, string>): ScriptPackages {
  const isMember = readWorkspaces(manifests);
  const byFolder = new Map<string, ScriptPackage>();
  const byName = new Map<string, ScriptPackage[]>();
  for (const path of [...manifests.keys()].toSorted(compareBytes)) {
    if (path !== "package.json" && !path.endsWith("/package.json")) continue;
    const manifest = parseJsonc(manifests.get(path) ?? "");
    if (manifest === null) continue;
    const folder = containingFolder(path);
    const each = { folder, name: textOf(manifest["name"]), manifest, isMember: isMember(folder) };
    byFolder.set(folder, each);
    if (each.name !== null) appendTo(byName, each.name, each);
  }
  return { byFolder, byName };
}

/** Whether the globs of a workspace, in package.json, lerna.json or pnpm-workspace.yaml, contain a folder. */
function readWorkspaces(manifests: ReadonlyMap<string, string>): (folder: string) => boolean {
  const globs: string[] = [];
  const excluded: string[] = [];
  for (const [path, text] of manifests) {
    for (const pattern of workspacePatterns(path, text)) {
      const target = joinPaths(containingFolder(path), pattern.replace(/^!/, ""));
      if (target !== null) (pattern.startsWith("!") ? excluded : globs).push(target);
    }
  }
  const isIncluded = compileGlobs(globs.map(anchored));
  const isExcluded = compileGlobs(excluded.map(anchored));
  return (folder) => folder !== "" && isIncluded(`/${folder}`) && !isExcluded(`/${folder}`);
}

/** A pattern without a slash would match at any depth. */
function anchored(pattern: string): string {
  return `/${pattern}`;
}

function workspacePatterns(path: string, text: string): readonly string[] {
  if (path.endsWith("pnpm-workspace.yaml")) return readPnpmPackages(text);
  if (!/(?:^|\/)(?:package|lerna)\.json$/.test(path) || !/"(?:workspaces|packages)"/.test(text)) return [];
  const manifest = parseJsonc(text);
  const value = path.endsWith("lerna.json") ? manifest?.["packages"] : manifest?.["workspaces"];
  const list = Array.isArray(value) ? value : tableOf(value)?.["packages"];
  return (Array.isArray(list) ? list : [])
    .slice(0, MAX_ENTRIES)
    .flatMap((each: unknown) => textOf(each) ?? []);
}

/** The items of `packages:`. */
function readPnpmPackages(text: string): readonly string[] {
  const patterns: string[] = [];
  let isInside = false;
  for (const line of text.slice(0, 100_000).split("\n")) {
    if (/^packages\s*:/.test(line)) isInside = true;
    else if (/^[^\s#-]/.test(line)) isInside = false;
    const item = isInside ? /^\s*-\s*(?:"([^"]*)"|'([^']*)'|([^\s#'"]+))/.exec(line) : null;
    const pattern = item?.[1] ?? item?.[2] ?? item?.[3];
    if (pattern !== undefined) patterns.push(pattern);
  }
  return patterns;
}

/**
 * Files that a package's manifest names for a subpath ("." for the package itself), in the order of preference, as paths from
 * the root of the repository. Null when `exports` doesn't have the subpath.
 */
export function entriesOf({ folder, manifest }: ScriptPackage, subpath: string): readonly string[] | null {
  const exports = manifest["exports"];
  if (exports !== undefined && exports !== null) {
    const targets = exportedTargets(exports, subpath);
    return targets === null ? null : targets.flatMap((target) => joinPaths(folder, target) ?? []);
  }
  if (subpath !== ".") return [joinPaths(folder, subpath)].filter((each) => each !== null);
  const names = ["source", "types", "typings", "module", "main", "browser"];
  return names.flatMap((name) => {
    const target = textOf(manifest[name]);
    return target === null ? [] : (joinPaths(folder, target) ?? []);
  });
}

/** Targets of `#name` in the `imports` of a manifest, in the same form; null when it isn't there. */
export function internalEntriesOf(
  { folder, manifest }: ScriptPackage,
  specifier: string,
): readonly string[] | null {
  const targets = exportedTargets(tableOf(manifest["imports"]) ?? {}, specifier);
  return targets === null ? null : targets.flatMap((target) => joinPaths(folder, target) ?? []);
}

function exportedTargets(value: unknown, subpath: string): readonly string[] | null {
  const table = tableOf(value);
  const isSubpaths =
    table !== null && Object.keys(table).some((key) => key.startsWith(".") || key.startsWith("#"));
  if (!isSubpaths) return subpath === "." ? targetsOf(value, "", 0) : null;
  if (Object.hasOwn(table, subpath)) return targetsOf(table[subpath], "", 0);
  let best: { readonly value: unknown; readonly middle: string; readonly length: number } | null = null;
  for (const [key, each] of Object.entries(table).slice(0, MAX_ENTRIES)) {
    const star = key.indexOf("*");
    const prefix = star === -1 ? (key.endsWith("/") ? key : null) : key.slice(0, star);
    const suffix = star === -1 ? "" : key.slice(star + 1);
    if (prefix === null || subpath.length < prefix.length + suffix.length) continue;
    if (!subpath.startsWith(prefix) || !subpath.endsWith(suffix)) continue;
    const middle = subpath.slice(prefix.length, subpath.length - suffix.length);
    if (best === null || prefix.length > best.length) best = { value: each, middle, length: prefix.length };
  }
  return best === null ? null : targetsOf(best.value, best.middle, 0);
}

/** The targets of all conditions in their order, since any of them may be the one that is tracked. */
function targetsOf(value: unknown, middle: string, depth: number): readonly string[] {
  if (typeof value === "string") {
    if (value.includes("*")) return [value.replaceAll("*", () => middle)];
    return [value.endsWith("/") ? `${value}${middle}` : value];
  }
  if (depth > MAX_CONDITION_DEPTH) return [];
  const values = Array.isArray(value) ? value : Object.values(tableOf(value) ?? {});
  return values.slice(0, MAX_ENTRIES).flatMap((each: unknown) => targetsOf(each, middle, depth + 1));
}
