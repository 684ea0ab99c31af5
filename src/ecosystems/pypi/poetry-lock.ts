/** poetry.lock of Poetry 1.0 to 2.x. */
import type {
  DependencyFile,
  DependencyGroup,
  FileFormat,
  FileProblem,
  Listed,
  Origin,
} from "../ecosystem.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { needsWithoutRoots } from "../formats/needs.ts";
import { hashesOfFiles, readLockToml } from "../formats/read-lock-toml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { groupOfExtras } from "./python-group.ts";
import { DEFAULT_REGISTRY, registryAt } from "../formats/registry-origin.ts";

export const POETRY_LOCK: FileFormat = {
  name: "poetry.lock",
  kind: "lockfile",
  manifests: ["pyproject.toml"],
  isPerFolder: true,
  path: /(?:^|\/)poetry\.lock$/,
  read: readWhole(readPoetryLock),
};

function readPoetryLock(text: string): DependencyFile | FileProblem | null {
  const root = readLockToml(text, ["files"]);
  const metadata = tableOf(root?.["metadata"]);
  // Poetry writes this table at the end.
  if (root === null || metadata === null) return null;
  // Poetry 1.0 and older wrote no version.
  if (!/^[12](?:\.|$)/.test(textOf(metadata["lock-version"]) ?? "1")) return "unknown-format-version";
  const packages = root["package"] ?? [];
  if (!Array.isArray(packages)) return null;
  const hashes = hashesOfMetadata(metadata);
  const listed: Listed[] = [];
  const needs = new Map<Listed, JsonTable>();
  for (const item of packages) {
    const table = tableOf(item);
    const name = textOf(table?.["name"]);
    const version = textOf(table?.["version"]);
    if (table === null || name === null || version === null) return null;
    const files = table["files"];
    const entry = listPackage(normalizePythonName(name), {
      version,
      group: groupOf(table),
      origin: originOf(tableOf(table["source"])),
      integrity: joinHashes(Array.isArray(files) ? files : hashes.get(name)),
    });
    listed.push(entry);
    const dependencies = tableOf(table["dependencies"]);
    if (dependencies !== null) needs.set(entry, dependencies);
  }
  return {
    listed,
    requested: null,
    needsOf: needsWithoutRoots(listed, (entry) =>
      Object.keys(needs.get(entry) ?? {}).map(normalizePythonName),
    ),
  };
}

/** Poetry 1.x had the hashes of all packages in one table. */
function hashesOfMetadata(metadata: JsonTable): ReadonlyMap<string, readonly unknown[]> {
  const hashes = new Map<string, readonly unknown[]>();
  for (const key of ["files", "hashes"]) {
    for (const [name, files] of Object.entries(tableOf(metadata[key]) ?? {}))
      if (Array.isArray(files)) hashes.set(name, key === "files" ? hashesOfFiles(files) : files);
  }
  return hashes;
}

/** The hashes of all files of a version, which may grow when more of them are uploaded. */
export function joinHashes(hashes: readonly unknown[] | undefined): string | null {
  if (hashes === undefined) return null;
  const texts = hashes.every((hash) => typeof hash === "string")
    ? hashes
    : hashes.filter((hash) => typeof hash === "string");
  return texts.length === 0 ? null : texts.join(" ");
}

function groupOf(table: JsonTable): DependencyGroup {
  if (table["optional"] === true) return "optional";
  const groups = table["groups"];
  if (Array.isArray(groups) && groups.length > 0) return groups.includes("main") ? "runtime" : "dev";
  const category = textOf(table["category"]);
  return category === null || category === "main" ? "runtime" : groupOfExtras([category]);
}

function originOf(source: JsonTable | null): Origin {
  const url = textOf(source?.["url"]);
  if (source === null || url === null) return DEFAULT_REGISTRY;
  switch (source["type"]) {
    case "git":
      return {
        kind: "git",
        url: withoutCredentials(url),
        ref: textOf(source["resolved_reference"]) ?? textOf(source["reference"]),
      };
    case "directory":
    case "file":
      return { kind: "local", path: url };
    case "url":
      return { kind: "url", url: withoutCredentials(url) };
    default:
      return registryAt(url);
  }
}
