/** pnpm-lock.yaml of versions 5, 6, 7 and 9. Since 7, `packages` has the facts and `snapshots` the needs of each variant. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin, Requested } from "../ecosystem.ts";
import { listPackage, readStrictly } from "../formats/list-package.ts";
import {
  isYamlMap,
  readLockYaml,
  yamlMapOf,
  yamlText,
  type LockYaml,
  type LockYamlMap,
} from "../formats/read-lock-yaml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { npmFile } from "./npm-file.ts";
import { originOfAddress } from "./npm-origin.ts";
import { readRequest } from "./npm-spec.ts";
import { overriddenName } from "./overrides.ts";
import { reachableFrom } from "./reachable-from.ts";
import { registryAt } from "../formats/registry-origin.ts";

const VERSIONS: ReadonlySet<string> = new Set(["5", "6", "7", "9"]);

export const pnpmLock: FileFormat = {
  name: "pnpm-lock.yaml",
  kind: "lockfile",
  path: npmFile("pnpm-lock\\.yaml"),
  read: readStrictly((text) => {
    const root = readLockYaml(text);
    const version = root?.get("lockfileVersion");
    if (root === null || typeof version !== "string") return null;
    const major = version.split(".", 1)[0] ?? "";
    return VERSIONS.has(major) ? readLock(root, Number(major)) : "unknown-format-version";
  }),
};

const SECTIONS = ["dependencies", "optionalDependencies", "devDependencies"] as const;
const NEEDS = ["dependencies", "optionalDependencies"] as const;

type Lock = {
  readonly major: number;
  /** The facts by id: "/name/1.0.0" in version 5, "/name@1.0.0" in 6, "name@1.0.0" since then. */
  readonly packages: LockYamlMap;
  /** The needs by id and peers: "name@1.0.0(peer@2.0.0)". The same map as `packages` before version 7. */
  readonly variants: LockYamlMap;
  readonly importers: readonly (readonly [folder: string, LockYamlMap])[];
};

function readLock(root: LockYamlMap, major: number): DependencyFile | null {
  const packages = root.get("packages") ?? new Map<string, LockYaml>();
  const variants = major < 7 ? packages : (root.get("snapshots") ?? new Map<string, LockYaml>());
  const importers = readImporters(root);
  if (!isYamlMap(packages) || !isYamlMap(variants) || importers === null) return null;
  const lock = { major, packages, variants, importers };
  const groups = readGroups(lock);
  const entries = new Map<string, Listed>();
  for (const [id, source] of packages) {
    const base = baseOf(id, major);
    if (entries.has(base)) continue;
    const entry = isYamlMap(source)
      ? listSource(base, source, { major, group: groups.get(base) ?? "runtime" })
      : null;
    if (entry === null) return null;
    entries.set(base, entry);
  }
  let idsOf: ReadonlyMap<Listed | null, readonly string[]> | null = null;
  return {
    listed: [...entries.values()],
    requested: listRequested(root, importers),
    needsOf(entry) {
      idsOf ??= Map.groupBy(variants.keys(), (id) => entries.get(baseOf(id, major)) ?? null);
      const ids =
        entry === null
          ? importers.flatMap(([, importer]) => needsIn(lock, importer, SECTIONS))
          : (idsOf.get(entry) ?? []).flatMap((id) => needsIn(lock, variants.get(id), NEEDS));
      return [...new Set(ids.flatMap((id) => entries.get(baseOf(id, major)) ?? []))];
    },
  };
}

/** A project outside of a workspace has the sections of its only manifest at the root. */
function readImporters(root: LockYamlMap): Lock["importers"] | null {
  const importers = root.get("importers") ?? new Map([[".", root]]);
  if (!isYamlMap(importers)) return null;
  const read = [...importers].filter((entry): entry is [string, LockYamlMap] => isYamlMap(entry[1]));
  // An importer without dependencies is written as {}.
  return read.length === importers.size ? read : null;
}

/** The id without what follows the version: "(peer@1.0.0)", or "_peer@1.0.0" in version 5. */
function baseOf(id: string, major: number): string {
  if (major >= 6) {
    const suffix = id.indexOf("(");
    return suffix === -1 ? id : id.slice(0, suffix);
  }
  const suffix = id.startsWith("/") ? id.indexOf("_", id.lastIndexOf("/")) : -1;
  return suffix === -1 ? id : id.slice(0, suffix);
}

/** The ids that an importer or a package needs. Links to other importers have none. */
function needsIn(
  { major, variants }: Lock,
  source: LockYaml | undefined,
  sections: readonly string[],
): readonly string[] {
  const ids: string[] = [];
  if (!isYamlMap(source)) return ids;
  for (const section of sections) {
    for (const [alias, value] of yamlMapOf(source.get(section))) {
      const selected = isYamlMap(value) ? value.get("version") : value;
      if (typeof selected !== "string") continue;
      const own = major < 6 ? `/${alias}/${selected}` : `${major < 7 ? "/" : ""}${alias}@${selected}`;
      // An alias has the whole id of another package as its version.
      if (variants.has(own)) ids.push(own);
      else if (variants.has(selected)) ids.push(selected);
    }
  }
  return ids;
}

/** Version 9 has no flag for development, so a package that no runtime dependency reaches is one. */
function readGroups(lock: Lock): ReadonlyMap<string, DependencyGroup> {
  const { major, variants, importers } = lock;
  const starts = importers.flatMap(([, importer]) => needsIn(lock, importer, NEEDS));
  const runtime = major < 7 ? null : reachableFrom(starts, (id) => needsIn(lock, variants.get(id), NEEDS));
  const groups = new Map<string, DependencyGroup>();
  for (const [id, source] of variants) {
    if (!isYamlMap(source)) continue;
    const isDev = runtime === null ? source.get("dev") === "true" : !runtime.has(id);
    const group = isDev ? "dev" : source.get("optional") === "true" ? "optional" : "runtime";
    const base = baseOf(id, major);
    const known = groups.get(base);
    groups.set(base, known === undefined || known === group ? group : "runtime");
  }
  return groups;
}

function listSource(
  base: string,
  source: LockYamlMap,
  { major, group }: { readonly major: number; readonly group: DependencyGroup },
): Listed | null {
  const resolution = source.get("resolution");
  const [inId, selected] = splitId(base, major);
  const name = yamlText(source, "name") ?? inId;
  if (!isYamlMap(resolution) || name === "") return null;
  const origin = originOf(resolution);
  const exact = origin.kind === "registry" ? selected : null;
  const version = yamlText(source, "version") ?? exact ?? (origin.kind === "git" ? origin.ref : null);
  return listPackage(name, {
    version,
    group,
    origin,
    integrity: yamlText(resolution, "integrity"),
    // Its absence says nothing: pnpm sets it only for what it has built.
    hasInstallScript: source.get("requiresBuild") === "true" ? true : null,
    key: `${name}@${version ?? (origin.kind === "local" ? origin.path : "")}`,
  });
}

/** The name and version in an id. Before version 7, an id without a leading slash begins with the host of its registry. */
function splitId(base: string, major: number): readonly [name: string, version: string] {
  const own = major < 7 ? base.slice(base.indexOf("/") + 1) : base;
  const at = major < 6 ? own.lastIndexOf("/") : own.indexOf("@", 1);
  return at === -1 ? ["", ""] : [own.slice(0, at), own.slice(at + 1)];
}

function originOf(resolution: LockYamlMap): Origin {
  const [tarball, repository, directory] = [
    yamlText(resolution, "tarball"),
    yamlText(resolution, "repo"),
    yamlText(resolution, "directory"),
  ];
  if (repository !== null) {
    const url = withoutCredentials(repository);
    return { kind: "git", url, ref: yamlText(resolution, "commit") };
  }
  if (directory !== null) return { kind: "local", path: directory };
  if (tarball !== null) return originOfAddress(tarball);
  return registryAt(yamlText(resolution, "registry"));
}

function listRequested(root: LockYamlMap, importers: Lock["importers"]): readonly Requested[] {
  const requested: Requested[] = [];
  const add = (alias: string, spec: LockYaml | undefined, folder: string): void => {
    if (typeof spec === "string") requested.push(readRequest(alias, spec, folder));
  };
  for (const [folder, importer] of importers) {
    const place = folder === "." ? "" : folder;
    // Versions 5 and 6 of single projects keep the requests apart from what was selected.
    for (const [alias, spec] of yamlMapOf(importer.get("specifiers"))) add(alias, spec, place);
    for (const section of SECTIONS) {
      for (const [alias, value] of yamlMapOf(importer.get(section)))
        add(alias, yamlMapOf(value).get("specifier"), place);
    }
  }
  for (const [, catalog] of yamlMapOf(root.get("catalogs")))
    for (const [alias, value] of yamlMapOf(catalog)) add(alias, yamlMapOf(value).get("specifier"), "");
  for (const [selector, spec] of yamlMapOf(root.get("overrides"))) add(overriddenName(selector), spec, "");
  return requested;
}
