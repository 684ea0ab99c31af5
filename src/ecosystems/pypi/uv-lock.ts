/** uv.lock, version 1. */
import { appendTo } from "../../base/append-to.ts";
import type {
  DependencyFile,
  DependencyGroup,
  FileFormat,
  FileProblem,
  Listed,
  Origin,
  Requested,
} from "../ecosystem.ts";
import { itemsOf, type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { hashesOfFiles, readLockToml } from "../formats/read-lock-toml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { readSpecifiers } from "./parse-requirement.ts";
import { joinHashes } from "./poetry-lock.ts";
import { registryAt } from "../formats/registry-origin.ts";

export const UV_LOCK: FileFormat = {
  name: "uv.lock",
  kind: "lockfile",
  manifests: ["pyproject.toml"],
  path: /(?:^|\/)uv\.lock$/,
  read: readWhole(readUvLock),
};

function readUvLock(text: string): DependencyFile | FileProblem | null {
  const root = readLockToml(text, ["wheels"]);
  if (root === null) return null;
  if (root["version"] !== 1) return root["version"] === undefined ? null : "unknown-format-version";
  const items = itemsOf(root["package"]);
  const tables = items.map(tableOf).filter((table) => table !== null);
  if (tables.length < items.length || tables.some((table) => nameOf(table) === "")) return null;
  const find = finderOf(tables);
  const members = tables.filter((table) => originOf(tableOf(table["source"])).kind === "local");
  const groups = groupsOf(members, find);
  const entries = new Map(tables.map((table) => [table, listUvPackage(table, groups.get(table))]));
  const byEntry = new Map([...entries].map(([table, entry]) => [entry, table]));
  const resolve = (table: JsonTable | undefined): readonly Listed[] =>
    dependenciesOf(table ?? {}).flatMap((dependency) =>
      find(dependency).flatMap((found) => entries.get(found) ?? []),
    );
  return {
    listed: [...entries.values()],
    requested: requestedOf(root, members),
    needsOf: (entry) =>
      entry === null ? [...new Set(members.flatMap(resolve))] : resolve(byEntry.get(entry)),
  };
}

/** A package that the project doesn't reach keeps the group of most packages. */
function listUvPackage(table: JsonTable, group: DependencyGroup = "runtime"): Listed {
  return listPackage(nameOf(table), {
    version: textOf(table["version"]),
    group,
    origin: originOf(tableOf(table["source"])),
    integrity: joinHashes([...hashesOfFiles([table["sdist"]]), ...itemsOf(table["wheels"])]),
  });
}

function nameOf(table: JsonTable | null): string {
  return normalizePythonName(textOf(table?.["name"]) ?? "");
}

function originOf(source: JsonTable | null): Origin {
  const git = textOf(source?.["git"]);
  if (git !== null) {
    const [address = "", commit] = git.split("#", 2);
    return { kind: "git", url: withoutCredentials(address.split("?", 1)[0] ?? ""), ref: commit ?? null };
  }
  for (const key of ["editable", "virtual", "directory", "path"]) {
    const path = textOf(source?.[key]);
    if (path !== null) return { kind: "local", path: path === "." ? "" : path };
  }
  const url = textOf(source?.["url"]);
  if (url !== null) return { kind: "url", url: withoutCredentials(url) };
  return registryAt(textOf(source?.["registry"]));
}

type Find = (dependency: unknown) => readonly JsonTable[];

/** A dependency names the version only when the lockfile has more than one of the package. */
function finderOf(tables: readonly JsonTable[]): Find {
  const names = new Map<string, JsonTable[]>();
  for (const table of tables) appendTo(names, nameOf(table), table);
  const versions = Map.groupBy(tables, (table) => `${nameOf(table)} ${String(table["version"])}`);
  return (dependency) => {
    const wanted = tableOf(dependency);
    const name = nameOf(wanted);
    const found = names.get(name) ?? [];
    const version = textOf(wanted?.["version"]);
    return version === null || found.length < 2 ? found : (versions.get(`${name} ${version}`) ?? []);
  };
}

function dependenciesOf(table: JsonTable): readonly unknown[] {
  return [
    ...itemsOf(table["dependencies"]),
    ...listsIn(table["optional-dependencies"]),
    ...listsIn(table["dev-dependencies"]),
  ];
}

/** The lists of a table by group or extra, as one. */
function listsIn(value: unknown): readonly unknown[] {
  return Object.values(tableOf(value) ?? {}).flatMap(itemsOf);
}

/** Packages that the project reaches by its dependencies are for runtime, then those by its extras, then those by its groups. */
function groupsOf(members: readonly JsonTable[], find: Find): ReadonlyMap<JsonTable, DependencyGroup> {
  const groups = new Map<JsonTable, DependencyGroup>();
  const starts: readonly (readonly [DependencyGroup, (member: JsonTable) => readonly unknown[]])[] = [
    ["runtime", (member) => itemsOf(member["dependencies"])],
    ["optional", (member) => listsIn(member["optional-dependencies"])],
    ["dev", (member) => listsIn(member["dev-dependencies"])],
  ];
  for (const [group, start] of starts) {
    const waiting = members.flatMap((member) => start(member).flatMap(find));
    for (let table = waiting.pop(); table !== undefined; table = waiting.pop()) {
      if (groups.has(table)) continue;
      groups.set(table, group);
      for (const dependency of [
        ...itemsOf(table["dependencies"]),
        ...listsIn(table["optional-dependencies"]),
      ])
        for (const found of find(dependency)) waiting.push(found);
    }
  }
  return groups;
}

function requestedOf(root: JsonTable, members: readonly JsonTable[]): readonly Requested[] {
  const requested: Requested[] = [];
  for (const member of members) {
    const metadata = tableOf(member["metadata"]) ?? {};
    const origin = originOf(tableOf(member["source"]));
    const folder = origin.kind === "local" ? origin.path : "";
    for (const item of [...itemsOf(metadata["requires-dist"]), ...listsIn(metadata["requires-dev"])])
      requested.push(...requestOf(item, folder));
  }
  // A project that isn't a package has its requests here.
  const manifest = tableOf(root["manifest"]) ?? {};
  for (const item of [...itemsOf(manifest["requirements"]), ...listsIn(manifest["dependency-groups"])])
    requested.push(...requestOf(item, ""));
  return requested;
}

function requestOf(item: unknown, folder: string): readonly Requested[] {
  const table = tableOf(item);
  const name = nameOf(table);
  if (table === null || name === "") return [];
  const specifier = textOf(table["specifier"]) ?? "";
  return [{ name, requirement: readSpecifiers(specifier) ?? specifier, folder }];
}
