/** pdm.lock of PDM 1.x to 2.x. */
import { appendTo } from "../../base/append-to.ts";
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
import { normalizePythonName } from "./normalize-python-name.ts";
import { joinHashes } from "./poetry-lock.ts";
import { groupOfExtras } from "./python-group.ts";
import { originOfTable } from "./table-origin.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";

export const PDM_LOCK: FileFormat = {
  name: "pdm.lock",
  kind: "lockfile",
  manifests: ["pyproject.toml"],
  isPerFolder: true,
  path: /(?:^|\/)pdm\.lock$/,
  read: readWhole(readPdmLock),
};

const NAME = /^[A-Za-z0-9._-]+/;

function readPdmLock(text: string): DependencyFile | FileProblem | null {
  const root = readLockToml(text, ["files"]);
  const metadata = tableOf(root?.["metadata"]);
  if (root === null || metadata === null) return null;
  if (!/^[1-4](?:\.|$)/.test(textOf(metadata["lock_version"]) ?? "1")) return "unknown-format-version";
  const packages = root["package"] ?? [];
  if (!Array.isArray(packages)) return null;
  const oldHashes = tableOf(metadata["files"]);
  const entries = new Map<string, Listed>();
  const needs = new Map<Listed, unknown[]>();
  for (const item of packages) {
    const table = tableOf(item);
    const name = textOf(table?.["name"]);
    if (table === null || name === null) return null;
    const version = textOf(table["version"]);
    // PDM repeats a package for each combination of its extras.
    const key = `${name} ${version}`;
    const old = oldHashes?.[key];
    const files = table["files"] ?? (Array.isArray(old) ? hashesOfFiles(old) : []);
    const entry =
      entries.get(key) ??
      listPackage(normalizePythonName(name), {
        version,
        group: groupOf(table["groups"]),
        origin: originOf(table),
        integrity: joinHashes(Array.isArray(files) ? files : undefined),
      });
    entries.set(key, entry);
    appendTo(needs, entry, table["dependencies"]);
  }
  const listed = [...entries.values()];
  return {
    listed,
    requested: null,
    needsOf: needsWithoutRoots(listed, (entry) => (needs.get(entry) ?? []).flatMap(namesOf)),
  };
}

function groupOf(groups: unknown): DependencyGroup {
  if (!Array.isArray(groups) || groups.length === 0 || groups.includes("default")) return "runtime";
  return groupOfExtras(groups.map(String));
}

/** A Git package has the requested reference and the commit. */
function originOf(table: JsonTable): Origin {
  const origin = originOfTable(table, () => null) ?? DEFAULT_REGISTRY;
  const revision = textOf(table["revision"]);
  return origin.kind === "git" && revision !== null ? { ...origin, ref: revision } : origin;
}

/** A list of PEP 508 strings; a table by name before version 3. */
function namesOf(dependencies: unknown): readonly string[] {
  if (!Array.isArray(dependencies)) return Object.keys(tableOf(dependencies) ?? {}).map(normalizePythonName);
  return dependencies.flatMap((item) => {
    const name = typeof item === "string" ? NAME.exec(item)?.[0] : undefined;
    return name === undefined ? [] : [normalizePythonName(name)];
  });
}
