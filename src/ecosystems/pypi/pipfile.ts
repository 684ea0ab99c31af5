/** Pipfile: packages by category, as Pipenv reads it. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed } from "../ecosystem.ts";
import { tableOf, textOf } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseToml, readTomlLines } from "../../base/documents/toml-file.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { pinnedVersion } from "./parse-requirement.ts";
import { groupOfExtras } from "./python-group.ts";
import { originOfTable, readIndexes } from "./table-origin.ts";

export const PIPFILE: FileFormat = {
  name: "Pipfile",
  kind: "manifest",
  path: /(?:^|\/)Pipfile$/,
  read: readWhole(readPipfile),
};

const OTHER_TABLES = new Set(["source", "requires", "scripts", "pipenv", "pipfile"]);

function readPipfile(text: string): DependencyFile | null {
  const root = parseToml(text);
  if (root === null) return null;
  const { lineOf } = readTomlLines(text);
  const indexes = readIndexes(root["source"]);
  const listed: Listed[] = [];
  for (const [category, packages] of Object.entries(root)) {
    if (OTHER_TABLES.has(category)) continue;
    for (const [name, value] of Object.entries(tableOf(packages) ?? {})) {
      const table = tableOf(value);
      const requirement = textOf(value) ?? textOf(table?.["version"]) ?? "";
      listed.push(
        listPackage(normalizePythonName(name), {
          version: pinnedVersion(requirement),
          requirement,
          group: groupOfCategory(category),
          origin: (table && originOfTable(table, indexes.urlOf)) ?? indexes.ofOthers,
          line: lineOf([category, name]),
        }),
      );
    }
  }
  return fileOf(listed);
}

/** Categories of a Pipfile and of its lockfile. */
export function groupOfCategory(category: string): DependencyGroup {
  if (category === "packages" || category === "default") return "runtime";
  return category === "dev-packages" || category === "develop" ? "dev" : groupOfExtras([category]);
}
