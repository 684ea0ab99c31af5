/** package-lock.json and npm-shrinkwrap.json: version 1 as a tree, versions 2 and 3 by path in node_modules. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Requested } from "../ecosystem.ts";
import {
  tableOf,
  parseJsonObject,
  textEntries,
  textOf,
  type JsonTable,
} from "../../base/documents/json-file.ts";
import { listPackage, readStrictly } from "../formats/list-package.ts";
import { npmFile } from "./npm-file.ts";
import { originOfAddress } from "./npm-origin.ts";
import { readRequest, readSpec } from "./npm-spec.ts";
import { withoutRoots } from "./without-roots.ts";

export const packageLock: FileFormat = {
  name: "package-lock.json",
  kind: "lockfile",
  path: npmFile("(?:package-lock|npm-shrinkwrap)\\.json"),
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    if (root === null) return null;
    // npm 4 wrote shrinkwraps without a version.
    const version = root["lockfileVersion"] ?? 1;
    if (version === 1) return readTree(root);
    return version === 2 || version === 3 ? readPlaces(root) : "unknown-format-version";
  }),
};

const NEEDS = ["dependencies", "optionalDependencies", "peerDependencies"] as const;
const REQUESTS = [...NEEDS, "devDependencies"] as const;
const MODULES = "node_modules/";

/** Linux has no longer paths. Looking for a module takes a step for each folder of a path. */
const MAX_PATH_LENGTH = 4_096;

/** The entries by path, with a value for each. "" and paths outside of node_modules are the project and its workspaces. */
type Places = JsonTable;

function placeOf(places: Places, path: string): JsonTable | null {
  return Object.hasOwn(places, path) ? tableOf(places[path]) : null;
}

/** The differences between the versions. */
type Shape = {
  /** The sections that name what a package needs. */
  readonly needs: readonly string[];
  readonly hasInstallScript: (locked: JsonTable) => boolean | null;
};

const PLACES: Shape = { needs: NEEDS, hasInstallScript: (locked) => locked["hasInstallScript"] === true };

function readPlaces(root: JsonTable): DependencyFile | null {
  const places = tableOf(root["packages"]);
  const related = places && relate(places, PLACES);
  if (places === null || related === null) return null;
  const file = { ...related, requested: listRequested(places, related.folders) };
  // Version 2 has all again, for npm 6.
  const old = root["dependencies"] === undefined ? null : placesOfTree(root);
  return old === null ? file : { ...file, checksums: checksumsOf(old, places) };
}

const isInstalled = (path: string): boolean => path.startsWith(MODULES) || path.includes(`/${MODULES}`);

type Related = {
  readonly listed: readonly Listed[];
  /** The project and its workspaces. */
  readonly folders: readonly string[];
  readonly needsOf: (entry: Listed | null) => readonly Listed[];
  readonly mayBeAbsent: (entry: Listed) => boolean;
};

function relate(places: Places, { needs, hasInstallScript }: Shape): Related | null {
  const listed: Listed[] = [];
  const folders: string[] = [];
  const absent = new Set<Listed>();
  for (const path of Object.keys(places)) {
    const locked = tableOf(places[path]);
    if (locked === null || path.length > MAX_PATH_LENGTH) return null;
    const target = linkTarget(locked);
    if (!isInstalled(path)) {
      folders.push(path);
      continue;
    }
    const entry =
      target === null
        ? listLocked(path, locked, hasInstallScript(locked))
        : listLink(path, target, { locked, folder: placeOf(places, target) });
    listed.push(entry);
    if (locked["optional"] === true || locked["devOptional"] === true || locked["peer"] === true)
      absent.add(entry);
  }
  let modules: Modules | null = null;
  return {
    listed,
    folders,
    mayBeAbsent: (entry) => absent.has(entry),
    needsOf(entry) {
      const index = (modules ??= indexModules(listed));
      const needsIn = (folder: string): readonly Listed[] =>
        needsAt(folder, { source: placeOf(places, folder), sections: REQUESTS, modules: index });
      if (entry === null) return [...new Set(folders.flatMap(needsIn))];
      const source = placeOf(places, entry.key);
      const target = linkTarget(source);
      return target === null
        ? needsAt(entry.key, { source, sections: needs, modules: index })
        : needsIn(target);
    },
  };
}

/** The packages that Node finds from a folder, by the names in the sections of its entry. */
function needsAt(
  folder: string,
  {
    source,
    sections,
    modules,
  }: { readonly source: JsonTable | null; readonly sections: readonly string[]; readonly modules: Modules },
): readonly Listed[] {
  const around = modulesAround(folder, modules);
  const needed: Listed[] = [];
  for (const section of sections) {
    const table = tableOf(source?.[section]);
    if (table === null) continue;
    // Two sections can name one package.
    const known = needed.length === 0 ? null : new Set(needed);
    for (const name of Object.keys(table)) {
      const found = findAround(around, name);
      if (found !== undefined && known?.has(found) !== true) needed.push(found);
    }
  }
  return needed;
}

function findAround(around: readonly Folder[], name: string): Listed | undefined {
  for (const folder of around) {
    const found = folder.get(name);
    if (found !== undefined) return found;
  }
  return undefined;
}

/** The packages in the node_modules of a folder, by name. */
type Folder = ReadonlyMap<string, Listed>;

type Modules = {
  readonly byFolder: ReadonlyMap<string, Folder>;
  /** The answers of `modulesAround`, which all packages of a folder share. */
  readonly around: Map<string, readonly Folder[]>;
};

function indexModules(listed: readonly Listed[]): Modules {
  const byFolder = new Map<string, Map<string, Listed>>();
  for (const entry of listed) {
    const { key } = entry;
    const start = key.lastIndexOf(MODULES);
    const folder = key.slice(0, Math.max(start - 1, 0));
    const name = key.slice(start + MODULES.length);
    const known = byFolder.get(folder);
    if (known === undefined) byFolder.set(folder, new Map([[name, entry]]));
    else known.set(name, entry);
  }
  return { byFolder, around: new Map() };
}

/** Where Node looks for a module: in the node_modules of the folder, then in those of the folders around it. */
function modulesAround(folder: string, modules: Modules): readonly Folder[] {
  const own = modules.byFolder.get(folder);
  if (folder === "") return own === undefined ? [] : [own];
  const parent = folderAround(folder);
  const outer = modules.around.get(parent) ?? modulesAround(parent, modules);
  modules.around.set(parent, outer);
  return own === undefined ? outer : [own, ...outer];
}

/** The folder whose node_modules has a package, or the folder around one that isn't installed. */
function folderAround(path: string): string {
  const start = path.lastIndexOf(MODULES);
  return path.slice(0, Math.max(start === -1 ? path.lastIndexOf("/") : start - 1, 0));
}

/** The folder that an entry links to; null for one that is installed. */
function linkTarget(locked: JsonTable | null): string | null {
  return locked?.["link"] === true ? (textOf(locked["resolved"]) ?? "") : null;
}

const nameIn = (path: string): string => path.slice(path.lastIndexOf(MODULES) + MODULES.length);

function listLink(
  path: string,
  target: string,
  { locked, folder }: { readonly locked: JsonTable; readonly folder: JsonTable | null },
): Listed {
  return listPackage(textOf(folder?.["name"]) ?? nameIn(path), {
    version: textOf(folder?.["version"]),
    group: groupOf(locked),
    origin: { kind: "local", path: target },
    key: path,
  });
}

function listLocked(path: string, locked: JsonTable, hasInstallScript: boolean | null): Listed {
  const written = textOf(locked["version"]);
  const { name, version, address } =
    written?.includes(":") === true
      ? readTreeVersion(written)
      : { name: null, version: written, address: null };
  return listPackage(name ?? textOf(locked["name"]) ?? nameIn(path), {
    version,
    group: groupOf(locked),
    origin: originOfAddress(address ?? textOf(locked["resolved"])),
    integrity: textOf(locked["integrity"]),
    hasInstallScript,
    key: path,
  });
}

/** Version 1 writes aliases, repositories, archives and folders where others have a version. */
function readTreeVersion(written: string): {
  readonly name: string | null;
  readonly version: string | null;
  readonly address: string | null;
} {
  const { name, version, origin } = readSpec("", written);
  if (written.startsWith("npm:")) return { name, version, address: null };
  return { name: null, version: origin.kind === "git" ? origin.ref : null, address: written };
}

/** Flags say how a package is needed only. `devOptional` ones are installed for both reasons, so without dev too. */
function groupOf(locked: JsonTable): DependencyGroup {
  if (locked["dev"] === true) return "dev";
  if (locked["optional"] === true || locked["devOptional"] === true) return "optional";
  return locked["peer"] === true ? "peer" : "runtime";
}

function listRequested(places: Places, folders: readonly string[]): readonly Requested[] {
  return folders.flatMap((folder) =>
    REQUESTS.flatMap((section) =>
      textEntries(placeOf(places, folder)?.[section]).map(([alias, spec]) =>
        readRequest(alias, spec, folder),
      ),
    ),
  );
}

/** npm 6 nested as deep as its longest chain of conflicts. A deeper file could overflow the stack. */
const MAX_TREE_DEPTH = 200;

const TREE: Shape = { needs: ["requires"], hasInstallScript: () => null };

function readTree(root: JsonTable): DependencyFile | null {
  const places = placesOfTree(root);
  const related = places && relate(places, TREE);
  if (related === null) return null;
  const { listed, needsOf, mayBeAbsent } = related;
  return { listed, requested: null, needsOf: withoutRoots(listed, needsOf), mayBeAbsent };
}

function placesOfTree(root: JsonTable): Readonly<Record<string, JsonTable>> | null {
  const places: Record<string, JsonTable> = {};
  const visit = (tree: unknown, around: string, depth: number): boolean => {
    if (tree === undefined) return true;
    const packages = tableOf(tree);
    if (packages === null || depth > MAX_TREE_DEPTH) return false;
    return Object.keys(packages).every((name) => {
      const locked = tableOf(packages[name]);
      if (locked === null) return false;
      const path = `${around}${MODULES}${name}`;
      places[path] = locked;
      return visit(locked["dependencies"], `${path}/`, depth + 1);
    });
  };
  return visit(root["dependencies"], "", 0) ? places : null;
}

/** By name and version. One version has the same checksum wherever it is, and npm 6 gets it from where others do. */
function checksumsOf(tree: Readonly<Record<string, JsonTable>>, places: Places): ReadonlyMap<string, string> {
  const checksums = new Map<string, string>();
  for (const [path, locked] of Object.entries(tree)) {
    const version = textOf(locked["version"]);
    const place = placeOf(places, path);
    if (version === null || version.includes(":") || place?.["version"] !== version) continue;
    const integrity = textOf(place["integrity"]);
    if (integrity === null) continue;
    const checksum = [integrity, ...differing(place, locked)].join("+");
    const id = `${nameIn(path)} ${version}`;
    const known = checksums.get(id);
    checksums.set(id, known === undefined || known === checksum ? checksum : `${known}+${checksum}`);
  }
  return checksums;
}

/** A field that only one of them has was lost on the way. */
function differing(place: JsonTable, locked: JsonTable): readonly string[] {
  return ["integrity", "resolved"].flatMap((field) => {
    const [one, other] = [textOf(place[field]), textOf(locked[field])];
    return one === null || other === null || one === other ? [] : [other];
  });
}
