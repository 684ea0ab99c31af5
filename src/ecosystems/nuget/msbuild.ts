/** MSBuild files: package references and central package versions. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { collectProperties, resolveProperties, type Property } from "../formats/resolve-properties.ts";
import { childOf, parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";

const PROPERTY = /\$\(([\w.-]+)\)/g;
const ITEMS: ReadonlySet<string> = new Set([
  "packagereference",
  "packageversion",
  "globalpackagereference",
  "packagedownload",
]);

const read: FileFormat["read"] = readWhole((text) => {
  const root = parseXmlFile(text);
  if (root?.name !== "Project") return null;
  const properties = propertiesOf(root);
  const listed: Listed[] = [];
  collect(root, properties, "", listed);
  return fileOf([...readSdks(root), ...listed]);
});

export const projectFile: FileFormat = {
  name: ".NET project file",
  kind: "manifest",
  path: /\.(?:cs|fs|vb)proj$/i,
  read,
};

export const sharedProperties: FileFormat = {
  name: "Directory.Packages.props",
  kind: "manifest",
  path: /(?:^|\/)(?:directory\.(?:build|packages)\.(?:props|targets)|packages\.props)$/i,
  read,
};

/** MSBuild's own names don't depend on case, also not those of attributes. */
function fieldOf(node: XmlNode, name: string): { readonly text: string; readonly line: number } | null {
  const attribute = Object.keys(node.attributes).find((each) => each.toLowerCase() === name);
  if (attribute !== undefined) return { text: node.attributes[attribute] ?? "", line: node.line };
  return node.children.find((child) => child.name.toLowerCase() === name) ?? null;
}

function propertiesOf(root: XmlNode): ReadonlyMap<string, Property> {
  const groups = root.children.filter(({ name }) => name === "PropertyGroup");
  return collectProperties(
    groups.flatMap(({ children }) =>
      children.map(({ name, text, line }) => [name.toLowerCase(), { value: text, line }] as const),
    ),
  );
}

function collect(
  node: XmlNode,
  properties: ReadonlyMap<string, Property>,
  condition: string,
  listed: Listed[],
): void {
  const inner = [condition, node.attributes["Condition"] ?? ""].filter((each) => each !== "").join(" and ");
  if (ITEMS.has(node.name.toLowerCase())) listed.push(...readItem(node, properties, inner));
  else for (const child of node.children) collect(child, properties, inner, listed);
}

function readItem(
  node: XmlNode,
  properties: ReadonlyMap<string, Property>,
  condition: string,
): readonly Listed[] {
  const names = fieldOf(node, "include") ?? fieldOf(node, "update");
  const version = fieldOf(node, "versionoverride") ?? fieldOf(node, "version");
  const { value, line } = resolveProperties((version?.text ?? "").trim(), PROPERTY, (name) =>
    properties.get(name.toLowerCase()),
  );
  const isDev = /^\s*all\s*$/i.test(fieldOf(node, "privateassets")?.text ?? "");
  const isGlobal = node.name.toLowerCase() === "globalpackagereference";
  return (names?.text ?? "")
    .split(";")
    .map((name) => name.trim())
    .filter((name) => /^[\w.-]+$/.test(name))
    .map((name) =>
      listPackage(name.toLowerCase(), {
        version: exactVersion(value),
        requirement: value === "" || value.includes("$(") ? null : value,
        group: isDev || isGlobal ? "dev" : "runtime",
        line: line ?? version?.line ?? node.line,
        key: condition,
        isOutsideLock: node.name.toLowerCase() !== "packagereference",
      }),
    );
}

/** `1.2.3` is a minimum, and NuGet selects the lowest version that fits: that one. `[1.2.3]` is exact. */
export function exactVersion(requirement: string): string | null {
  return /^\[?\s*(\d[^\s,()[\]*]*)\s*\]?$/.exec(requirement)?.[1] ?? null;
}

/** `<Project Sdk="Aspire.AppHost.Sdk/9.0.0">` and `<Sdk Name="…" Version="…" />` come from the registry when they have a version. */
function readSdks(root: XmlNode): readonly Listed[] {
  const attribute = (root.attributes["Sdk"] ?? "")
    .split(";")
    .map((sdk) => ({ sdk: sdk.trim().split("/"), line: root.line }));
  const element = childOf(root, "Sdk");
  const named =
    element === null
      ? []
      : [{ sdk: [element.attributes["Name"], element.attributes["Version"]], line: element.line }];
  return [...attribute, ...named].flatMap(({ sdk: [name, version], line }) =>
    name === undefined || version === undefined || name === ""
      ? []
      : [
          listPackage(name.toLowerCase(), {
            version: exactVersion(version),
            requirement: version,
            group: "build",
            line,
            key: "sdk",
            isOutsideLock: true,
          }),
        ],
  );
}
