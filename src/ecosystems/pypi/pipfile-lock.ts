/** Pipfile.lock of Pipenv, up to version 6 of its format. */
import type { DependencyFile, FileFormat, FileProblem, Listed } from "../ecosystem.ts";
import { tableOf, parseJsonObject, textOf } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readStrictly } from "../formats/list-package.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { groupOfCategory } from "./pipfile.ts";
import { joinHashes } from "./poetry-lock.ts";
import { originOfTable, readIndexes } from "./table-origin.ts";

export const PIPFILE_LOCK: FileFormat = {
  name: "Pipfile.lock",
  kind: "lockfile",
  manifests: ["Pipfile"],
  isPerFolder: true,
  path: /(?:^|\/)Pipfile\.lock$/,
  read: readStrictly(readPipfileLock),
};

const NEWEST_VERSION = 6;

function readPipfileLock(text: string): DependencyFile | FileProblem | null {
  const root = parseJsonObject(text);
  const meta = tableOf(root?.["_meta"]);
  if (root === null || meta === null) return null;
  const version = meta["pipfile-spec"] ?? NEWEST_VERSION;
  if (typeof version !== "number" || version > NEWEST_VERSION) return "unknown-format-version";
  const indexes = readIndexes(meta["sources"]);
  const listed: Listed[] = [];
  for (const [category, packages] of Object.entries(root)) {
    if (category === "_meta") continue;
    const table = tableOf(packages);
    if (table === null) return null;
    const group = groupOfCategory(category);
    for (const name of Object.keys(table)) {
      const entry = tableOf(table[name]);
      if (entry === null) return null;
      const hashes = entry["hashes"];
      listed.push(
        listPackage(normalizePythonName(name), {
          version: /^={2,3}(.+)$/.exec(textOf(entry["version"]) ?? "")?.[1] ?? null,
          group,
          origin: originOfTable(entry, indexes.urlOf) ?? indexes.ofOthers,
          integrity: joinHashes(Array.isArray(hashes) ? hashes : undefined),
        }),
      );
    }
  }
  return fileOf(listed);
}
