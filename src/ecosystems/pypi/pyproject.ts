/** pyproject.toml: the standard tables (PEP 621, PEP 735), Poetry's, PDM's and uv's. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed } from "../ecosystem.ts";
import { itemsOf, type JsonTable, tableOf, textOf, valueAt } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseToml, readTomlLines } from "../../base/documents/toml-file.ts";
import { normalizePythonName } from "./normalize-python-name.ts";
import { parsePythonRequirement, pinnedVersion } from "./parse-requirement.ts";
import { groupOfExtras } from "./python-group.ts";
import { originOfTable, type PythonIndexes, readIndexes } from "./table-origin.ts";

export const PYPROJECT: FileFormat = {
  name: "pyproject.toml",
  kind: "manifest",
  path: /(?:^|\/)pyproject\.toml$/,
  read: readWhole(readPyproject),
};

type Section = { readonly path: readonly string[]; readonly group: DependencyGroup };

function readPyproject(text: string): DependencyFile | null {
  const root = parseToml(text);
  if (root === null) return null;
  const { lineOf } = readTomlLines(text);
  const indexes = readIndexes(
    valueAt(root, ["tool", "uv", "index"]),
    valueAt(root, ["tool", "poetry", "source"]),
    valueAt(root, ["tool", "pdm", "source"]),
  );
  const sources = readSources(valueAt(root, ["tool", "uv", "sources"]), indexes);
  // Groups can include the project's own extras.
  const own = normalizePythonName(textOf(valueAt(root, ["project", "name"])) ?? "");
  const listed: Listed[] = [];
  for (const { path, group } of arraySections(root)) {
    for (const item of itemsOf(valueAt(root, path))) {
      const found = typeof item === "string" ? parsePythonRequirement(item.trim()) : null;
      if (found === null || typeof item !== "string" || found.name === own) continue;
      const origin =
        found.origin.kind === "registry" ? (sources.get(found.name) ?? indexes.ofOthers) : found.origin;
      listed.push(listPackage(found.name, { ...found, origin, group, line: lineOf(path, item) }));
    }
  }
  for (const { path, group } of poetrySections(root)) {
    for (const [name, value] of Object.entries(tableOf(valueAt(root, path)) ?? {})) {
      if (name.toLowerCase() === "python") continue;
      for (const constraint of Array.isArray(value) ? value : [value])
        listed.push(poetryEntry({ name, constraint, group, indexes, line: lineOf([...path, name]) }));
    }
  }
  return fileOf(listed);
}

/** The arrays of PEP 508 strings. */
function arraySections(root: JsonTable): readonly Section[] {
  const sections: Section[] = [
    { path: ["project", "dependencies"], group: "runtime" },
    { path: ["build-system", "requires"], group: "build" },
    { path: ["tool", "uv", "dev-dependencies"], group: "dev" },
  ];
  for (const name of keysAt(root, ["project", "optional-dependencies"]))
    sections.push({ path: ["project", "optional-dependencies", name], group: groupOfExtras([name]) });
  for (const name of keysAt(root, ["dependency-groups"]))
    sections.push({ path: ["dependency-groups", name], group: "dev" });
  for (const name of keysAt(root, ["tool", "pdm", "dev-dependencies"]))
    sections.push({ path: ["tool", "pdm", "dev-dependencies", name], group: "dev" });
  return sections;
}

function poetrySections(root: JsonTable): readonly Section[] {
  const poetry = ["tool", "poetry"];
  return [
    { path: [...poetry, "dependencies"], group: "runtime" },
    { path: [...poetry, "dev-dependencies"], group: "dev" },
    ...keysAt(root, [...poetry, "group"]).map((name): Section => ({
      path: [...poetry, "group", name, "dependencies"],
      group: name === "main" ? "runtime" : "dev",
    })),
  ];
}

/** The origins that `tool.uv.sources` gives to packages. */
function readSources(sources: unknown, indexes: PythonIndexes): ReadonlyMap<string, Listed["origin"]> {
  const origins = new Map<string, Listed["origin"]>();
  for (const [name, value] of Object.entries(tableOf(sources) ?? {})) {
    const table = tableOf(Array.isArray(value) ? value[0] : value);
    const origin = table && originOfTable(table, indexes.urlOf);
    if (origin !== null) origins.set(normalizePythonName(name), origin);
  }
  return origins;
}

function poetryEntry(entry: {
  readonly name: string;
  readonly constraint: unknown;
  readonly group: DependencyGroup;
  readonly indexes: PythonIndexes;
  readonly line: number;
}): Listed {
  const table = tableOf(entry.constraint);
  const requirement = (textOf(entry.constraint) ?? textOf(table?.["version"]) ?? "").trim();
  return listPackage(normalizePythonName(entry.name), {
    // Poetry reads a bare version as this version alone.
    version: pinnedVersion(requirement) ?? (/^v?\d[^\s,*|]*$/.test(requirement) ? requirement : null),
    requirement,
    group: table?.["optional"] === true ? "optional" : entry.group,
    origin: (table && originOfTable(table, entry.indexes.urlOf)) ?? entry.indexes.ofOthers,
    line: entry.line,
  });
}

function keysAt(root: JsonTable, path: readonly string[]): readonly string[] {
  return Object.keys(tableOf(valueAt(root, path)) ?? {});
}
