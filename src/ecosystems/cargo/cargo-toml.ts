/** Cargo.toml: the dependencies of a crate and of a workspace. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { type JsonTable, tableOf, textOf } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseToml, readTomlLines } from "../../base/documents/toml-file.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { registryAt } from "../formats/registry-origin.ts";

export const CARGO_TOML: FileFormat = {
  name: "Cargo.toml",
  kind: "manifest",
  path: /(?:^|\/)Cargo\.toml$/,
  read: readWhole(readCargoToml),
};

const GROUPS: readonly (readonly [string, DependencyGroup])[] = [
  ["dependencies", "runtime"],
  ["dev-dependencies", "dev"],
  ["dev_dependencies", "dev"],
  ["build-dependencies", "build"],
  ["build_dependencies", "build"],
];

/** A table of dependencies. */
type Section = {
  readonly path: readonly string[];
  readonly table: JsonTable;
  readonly group: DependencyGroup;
  readonly key: string;
};

function readCargoToml(text: string): DependencyFile | null {
  const root = parseToml(text);
  if (root === null) return null;
  const { lineOf } = readTomlLines(text);
  const listed: Listed[] = [];
  for (const { path, table, group, key } of sectionsOf(root)) {
    for (const [alias, value] of Object.entries(table)) {
      const details = tableOf(value);
      const name = textOf(details?.["package"]) ?? alias;
      const requirement = textOf(value) ?? textOf(details?.["version"]);
      const isInherited = details?.["workspace"] === true;
      listed.push(
        listPackage(name, {
          version: /^=\s*([^\s,*]+)$/.exec(requirement ?? "")?.[1] ?? null,
          requirement: isInherited ? null : (requirement ?? ""),
          group: details?.["optional"] === true && group === "runtime" ? "optional" : group,
          origin: originOf(details),
          line: lineOf([...path, alias]),
          // A crate can be there twice under different names.
          key: name === alias ? key : [key, alias].filter(Boolean).join(" "),
        }),
      );
    }
  }
  return fileOf(listed);
}

function sectionsOf(root: JsonTable): readonly Section[] {
  const workspace = tableOf(root["workspace"]) ?? {};
  const sections = [
    ...dependencyTables(root, [], ""),
    ...dependencyTables({ dependencies: workspace["dependencies"] }, ["workspace"], "workspace"),
  ];
  for (const [target, tables] of Object.entries(tableOf(root["target"]) ?? {}))
    sections.push(...dependencyTables(tableOf(tables) ?? {}, ["target", target], target));
  for (const [registry, patches] of Object.entries(tableOf(root["patch"]) ?? {}))
    sections.push({
      path: ["patch", registry],
      table: tableOf(patches) ?? {},
      group: "runtime",
      key: `patch ${registry}`,
    });
  return sections;
}

function dependencyTables(root: JsonTable, path: readonly string[], key: string): readonly Section[] {
  return GROUPS.flatMap(([name, group]) => {
    const table = tableOf(root[name]);
    return table === null ? [] : [{ path: [...path, name], table, group, key }];
  });
}

function originOf(details: JsonTable | null): Origin {
  const git = textOf(details?.["git"]);
  if (git !== null) {
    const ref = ["rev", "tag", "branch"].flatMap((key) => textOf(details?.[key]) ?? []).at(0);
    return { kind: "git", url: withoutCredentials(git), ref: ref ?? null };
  }
  const path = textOf(details?.["path"]);
  if (path !== null) return { kind: "local", path };
  return registryAt(textOf(details?.["registry-index"]) ?? textOf(details?.["registry"]));
}
