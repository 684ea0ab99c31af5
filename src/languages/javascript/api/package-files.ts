/** Finds files in the archive of an npm package as Node.js and TypeScript would: entry points, conditions, relative paths. */
import { containingFolder } from "../../../base/containing-folder.ts";
import type { PackageSource } from "../../api/package-source.ts";

/** A package with more subpaths lists them by a pattern; date-fns has 600. */
const MAX_ENTRIES = 2_000;

/** Conditions in conditions. */
const MAX_DEPTH = 12;

export type PackageManifest = {
  readonly name: string;
  /** The lowest Node.js as written; null when the package doesn't say. */
  readonly node: string | null;
  /** True when it has an `exports` map, so that other paths can't be imported. */
  readonly isClosed: boolean;
  /** The programs that it installs. */
  readonly commands: readonly string[];
  /** The packages that it needs next to it, with their ranges as written. */
  readonly peers: ReadonlyMap<string, string>;
};

export type EntryFiles = {
  /** The declaration file; null when there is none. */
  readonly types: string | null;
  /** The JavaScript file; null when there is none. */
  readonly code: string | null;
  /** The CommonJS file that `require` loads; null when there is none. It can export other names than `code`. */
  readonly required: string | null;
};

export type PackageFiles = {
  readonly manifest: PackageManifest;
  /** By specifier: "pkg", "pkg/sub". */
  readonly entries: ReadonlyMap<string, EntryFiles>;
  /** True when there are more entries than were read. */
  readonly isCut: boolean;
  /** The file behind a specifier that a file of this package uses; null when it's outside. */
  resolve(from: string, specifier: string, form: "types" | "code"): string | null;
  /** True when users can import the path: "lib/x.js". */
  canImport(path: string): boolean;
};

type Json = { readonly [key: string]: unknown };

export function openPackage(files: PackageSource, name: string): PackageFiles {
  const json = parseObject(files.get("package.json"));
  const map = json["exports"] ?? null;
  const isClosed = map !== null && (typeof map === "string" || typeof map === "object");
  const engines = asObject(json["engines"])["node"];
  const targets = isClosed ? exportTargets(map) : legacyTargets(files, json);
  const entries = new Map<string, EntryFiles>();
  let isCut = false;
  const add = (subpath: string, entry: EntryFiles): void => {
    if (entry.types === null && entry.code === null) return;
    if (entries.size >= MAX_ENTRIES) isCut = true;
    else entries.set(subpath === "." ? name : `${name}/${subpath.slice(2)}`, entry);
  };
  for (const [subpath, target] of targets) {
    if (subpath.endsWith("/package.json")) continue;
    if (!subpath.includes("*")) add(subpath, entryOf(files, json, { subpath, target }));
    else
      for (const [expanded, filled] of expandPattern(files, subpath, target)) {
        if (!targets.has(expanded))
          add(expanded, entryOf(files, json, { subpath: expanded, target: filled }));
      }
  }
  const imports = asObject(json["imports"]);
  return {
    manifest: {
      name,
      node: typeof engines === "string" ? engines : null,
      isClosed,
      commands:
        typeof json["bin"] === "string"
          ? [name.split("/").at(-1) ?? name]
          : Object.keys(asObject(json["bin"])),
      peers: new Map(
        Object.entries(asObject(json["peerDependencies"])).filter(
          (peer): peer is [string, string] => typeof peer[1] === "string",
        ),
      ),
    },
    entries,
    isCut,
    resolve(from, specifier, form) {
      if (specifier.startsWith(".") || specifier.startsWith("/"))
        return findFile(files, joinPath(containingFolder(from), specifier), form);
      if (specifier.startsWith("#")) {
        const target = choose(
          Object.hasOwn(imports, specifier) ? imports[specifier] : null,
          CONDITIONS[form],
        );
        return target === null ? null : findFile(files, joinPath("", target), form);
      }
      return specifier === name || specifier.startsWith(`${name}/`)
        ? (entries.get(specifier)?.[form] ?? null)
        : null;
    },
    canImport: (path) => !isClosed && findFile(files, path, "code") !== null,
  };
}

const IMPORT = ["import", "node", "module-sync", "default", "development"];
const CONDITIONS = {
  types: new Set(["types", "module", ...IMPORT]),
  code: new Set(IMPORT),
};
/** For packages that offer nothing else. */
const ANY_CONDITION = {
  types: new Set(["types", "module", "require", "browser", ...IMPORT]),
  code: new Set(["require", "browser", ...IMPORT]),
};
const REQUIRE = new Set(["require", "node", "module-sync", "default"]);

/** The first target whose conditions hold, in the order of the package. */
function choose(target: unknown, conditions: ReadonlySet<string>, depth = 0): string | null {
  if (typeof target === "string") return target;
  if (depth > MAX_DEPTH || typeof target !== "object" || target === null) return null;
  const parts = Array.isArray(target)
    ? (target as unknown[])
    : Object.entries(target)
        .filter(
          ([condition]) =>
            conditions.has(condition) || (condition.startsWith("types@") && conditions.has("types")),
        )
        .map(([, part]) => part as unknown);
  for (const part of parts.slice(0, 50)) {
    const found = choose(part, conditions, depth + 1);
    if (found !== null) return found;
  }
  return null;
}

function exportTargets(map: unknown): ReadonlyMap<string, unknown> {
  const entries = typeof map === "object" && map !== null && !Array.isArray(map) ? Object.entries(map) : [];
  const hasSubpaths = entries.some(([key]) => key.startsWith("."));
  return hasSubpaths ? new Map(entries.filter(([key]) => key.startsWith("."))) : new Map([[".", map]]);
}

/** Without an `exports` map: the main entry, and folders with a package.json of their own. */
function legacyTargets(files: PackageSource, json: Json): ReadonlyMap<string, unknown> {
  const targets = new Map<string, unknown>([[".", legacyTarget(json, "")]]);
  for (const path of files.keys()) {
    if (!path.endsWith("/package.json") || path.includes("node_modules/")) continue;
    const folder = path.slice(0, -"/package.json".length);
    const inner = parseObject(files.get(path));
    const hasEntry = ["main", "module", "types", "typings"].some((field) => typeof inner[field] === "string");
    if (hasEntry && targets.size < MAX_ENTRIES) targets.set(`./${folder}`, legacyTarget(inner, folder));
  }
  return targets;
}

function legacyTarget(json: Json, folder: string): Json {
  const path = (value: unknown): string | null =>
    typeof value === "string" && value !== "" ? `./${joinPath(folder, value)}` : null;
  const main = path(json["main"]);
  const target = {
    types: versioned(json, path(json["types"]) ?? path(json["typings"])),
    // Bundlers prefer `module`, Node.js loads `main`. Both export the same.
    node: main,
    default: main ?? path(json["module"]) ?? `./${joinPath(folder, "index")}`,
  };
  return Object.fromEntries(Object.entries(target).filter(([, value]) => value !== null));
}

/** `typesVersions` for a current compiler. */
function versioned(json: Json, types: string | null): string | null {
  const versions = asObject(json["typesVersions"]);
  const [, map] = Object.entries(versions).find(([range]) => range === "*" || range.startsWith(">")) ?? [];
  for (const [pattern, to] of Object.entries(asObject(map))) {
    const [target] = Array.isArray(to) ? (to as unknown[]) : [];
    if (typeof target !== "string") continue;
    const path = (types ?? "./index.d.ts").slice(2);
    if (pattern === path) return `./${joinPath("", target)}`;
    if (pattern === "*") return `./${joinPath("", target.replace("*", path))}`;
  }
  return types;
}

function entryOf(
  files: PackageSource,
  json: Json,
  { subpath, target }: { readonly subpath: string; readonly target: unknown },
): EntryFiles {
  const find = (conditions: ReadonlySet<string>, form: "types" | "code"): string | null => {
    const chosen = choose(target, conditions);
    return chosen === null ? null : findFile(files, joinPath("", chosen), form);
  };
  const code =
    find(CONDITIONS.code, "code") ??
    find(ANY_CONDITION.code, "code") ??
    (subpath === "." ? findFile(files, "index", "code") : null);
  const required = find(REQUIRE, "code");
  const main = subpath === "." ? legacyTarget(json, "")["types"] : null;
  const types =
    find(CONDITIONS.types, "types") ??
    find(CONDITIONS.code, "types") ??
    find(ANY_CONDITION.types, "types") ??
    (typeof main === "string" ? findFile(files, joinPath("", main), "types") : null) ??
    (code === null ? null : findFile(files, code, "types")) ??
    versionedSubpath(files, json, subpath) ??
    (subpath === "." ? findFile(files, "index.d.ts", "types") : null);
  return { types, code, required: required === null || isEsModule(files, required, json) ? null : required };
}

function versionedSubpath(files: PackageSource, json: Json, subpath: string): string | null {
  const wanted = subpath.slice(2);
  for (const map of Object.values(asObject(json["typesVersions"]))) {
    const to = asObject(map)[wanted];
    const [target] = Array.isArray(to) ? (to as unknown[]) : [];
    if (wanted !== "" && typeof target === "string") return findFile(files, joinPath("", target), "types");
  }
  return null;
}

function isEsModule(files: PackageSource, path: string, json: Json): boolean {
  if (path.endsWith(".mjs")) return true;
  if (path.endsWith(".cjs") || path.endsWith(".json")) return false;
  for (let folder = containingFolder(path); folder !== ""; folder = containingFolder(folder)) {
    const inner = files.get(`${folder}/package.json`);
    if (inner !== undefined) return parseObject(inner)["type"] === "module";
  }
  return json["type"] === "module";
}

/** The subpaths that a pattern covers, by the files that exist. */
function expandPattern(
  files: PackageSource,
  pattern: string,
  target: unknown,
): readonly (readonly [string, unknown])[] {
  const chosen = choose(target, CONDITIONS.code) ?? choose(target, CONDITIONS.types);
  const star = chosen?.indexOf("*") ?? -1;
  if (chosen === null || star < 0) return [];
  const start = joinPath("", chosen.slice(0, star)) + (chosen[star - 1] === "/" ? "/" : "");
  const [head, tail] = [start === "/" ? "" : start, chosen.slice(star + 1)];
  const found: [string, unknown][] = [];
  for (const path of files.keys()) {
    if (found.length > MAX_ENTRIES) break;
    if (!path.startsWith(head) || !path.endsWith(tail) || path.length < head.length + tail.length) continue;
    if (tail === "" && !/\.[cm]?js$/.test(path)) continue;
    const middle = path.slice(head.length, path.length - tail.length);
    found.push([pattern.replace("*", () => middle), fill(target, middle)]);
  }
  return found;
}

function fill(target: unknown, middle: string, depth = 0): unknown {
  if (typeof target === "string") return target.replaceAll("*", () => middle);
  if (depth > MAX_DEPTH || typeof target !== "object" || target === null) return null;
  if (Array.isArray(target)) return target.map((part: unknown) => fill(part, middle, depth + 1));
  return Object.fromEntries(
    Object.entries(target).map(([key, part]) => [key, fill(part, middle, depth + 1)]),
  );
}

const DECLARATIONS = [".d.ts", ".d.mts", ".d.cts"];
const SCRIPTS = [".js", ".mjs", ".cjs", ".json"];

function findFile(files: PackageSource, path: string, form: "types" | "code"): string | null {
  if (form === "code") {
    const candidates = [path, ...SCRIPTS.map((end) => path + end)];
    const found = candidates.find((one) => files.has(one) && !/\.d\.[cm]?ts$/.test(one));
    return found ?? findInFolder(files, path, form);
  }
  if (/\.d\.[cm]?ts$/.test(path)) return files.has(path) ? path : null;
  const script = /\.([cm]?)jsx?$/.exec(path);
  const stem = script === null ? path : path.slice(0, script.index);
  const first = script === null ? DECLARATIONS : [`.d.${script[1]}ts`, ...DECLARATIONS];
  const found = first.map((end) => stem + end).find((one) => files.has(one));
  if (found !== undefined) return found;
  if (/\.[cm]?tsx?$/.test(path) && files.has(path)) return path;
  return script === null ? findInFolder(files, path, form) : null;
}

function findInFolder(files: PackageSource, folder: string, form: "types" | "code"): string | null {
  const prefix = folder === "" ? "" : `${folder}/`;
  const inner = folder === "" ? undefined : files.get(`${prefix}package.json`);
  if (inner !== undefined) {
    const json = parseObject(inner);
    const target = form === "types" ? (json["types"] ?? json["typings"]) : json["main"];
    const path = typeof target === "string" ? joinPath(folder, target) : null;
    const ends = form === "types" ? ["", ...DECLARATIONS] : ["", ...SCRIPTS];
    const found = path === null ? undefined : ends.map((end) => path + end).find((one) => files.has(one));
    if (found !== undefined) return found;
  }
  const ends = form === "types" ? DECLARATIONS : SCRIPTS;
  return ends.map((end) => `${prefix}index${end}`).find((one) => files.has(one)) ?? null;
}

/** Joins and normalizes. A path that leaves the archive finds nothing there. */
function joinPath(folder: string, path: string): string {
  const parts: string[] = folder === "" ? [] : folder.split("/");
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "." && part !== "") parts.push(part);
  }
  return parts.join("/");
}

function parseObject(text: string | undefined): Json {
  try {
    return asObject(JSON.parse((text ?? "").replace(/^\uFEFF/, "")));
  } catch {
    return {};
  }
}

function asObject(value: unknown): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : {};
}
