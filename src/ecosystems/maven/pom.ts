/** Maven's pom.xml: dependencies, managed ones, plugins, extensions and the parent, with properties resolved within the file. */
import type { DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { resolveProperties, type Property } from "../formats/resolve-properties.ts";
import { childOf, childText, parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";

const PROPERTY = /\$\{([^${}]+)\}/g;
/** Elements with group, artifact and version, wherever they are. `path` is an annotation processor. */
const ENTRIES: ReadonlySet<string> = new Set([
  "dependency",
  "plugin",
  "extension",
  "parent",
  "path",
  "annotationProcessorPath",
]);
/** The version that a project shares with its own modules. */
const OWN_VERSION = /^\$\{(?:project\.|pom\.)?(?:parent\.)?version\}$|^\$\{revision\}$/;

export const pomXml: FileFormat = {
  name: "pom.xml",
  kind: "manifest",
  path: /(?:^|\/)pom(?:[._-][^/]+)?\.xml$/i,
  read: readWhole((text) => {
    const root = parseXmlFile(text);
    if (root?.name !== "project") return null;
    return fileOf(readProject(root));
  }),
};

type Project = { readonly properties: ReadonlyMap<string, Property>; readonly hasOwnVersion: boolean };

function readProject(root: XmlNode): readonly Listed[] {
  const parent = childOf(root, "parent");
  const own = (name: string): Property | null => {
    const node = childOf(root, name) ?? (parent === null ? null : childOf(parent, name));
    return node === null ? null : { value: node.text, line: node.line };
  };
  const properties = propertiesOf(root, new Map());
  const names = ["groupId", "version"].map((name) => [name, own(name)] as const);
  for (const [name, property] of names) {
    for (const prefix of property === null ? [] : ["project.", "pom.", ""]) {
      if (property !== null) properties.set(`${prefix}${name}`, property);
    }
  }
  const hasOwnVersion = childOf(root, "version") !== null;
  const listed: Listed[] = [];
  for (const child of root.children) {
    if (child.name !== "profiles") collect(child, { properties, hasOwnVersion }, "", listed);
  }
  for (const profile of childOf(root, "profiles")?.children ?? []) {
    const project = { properties: propertiesOf(profile, properties), hasOwnVersion };
    collect(profile, project, `profile ${childText(profile, "id")}`, listed);
  }
  return listed;
}

function propertiesOf(node: XmlNode, inherited: ReadonlyMap<string, Property>): Map<string, Property> {
  const properties = new Map(inherited);
  for (const { name, text, line } of childOf(node, "properties")?.children ?? [])
    properties.set(name, { value: text, line });
  return properties;
}

function collect(node: XmlNode, project: Project, key: string, listed: Listed[]): void {
  if (ENTRIES.has(node.name)) {
    const entry = readEntry(node, project, key);
    if (entry !== null) listed.push(entry);
  }
  const isManaged = node.name === "dependencyManagement" || node.name === "pluginManagement";
  const inner = isManaged ? `${key} managed`.trim() : node.name === "plugin" ? `${key} plugin`.trim() : key;
  for (const child of node.children) collect(child, project, inner, listed);
}

function readEntry(node: XmlNode, project: Project, key: string): Listed | null {
  const resolve = (text: string) => resolveProperties(text, PROPERTY, (name) => project.properties.get(name));
  const artifact = resolve(childText(node, "artifactId")).value;
  const defaultGroup = node.name === "plugin" ? "org.apache.maven.plugins" : "";
  const group = resolve(childText(node, "groupId") || defaultGroup).value;
  if (artifact === "" || group === "" || `${group}${artifact}`.includes("${")) return null;
  const version = childOf(node, "version");
  const written = version?.text ?? "";
  const { value, line } = resolve(written);
  const qualifiers = [childText(node, "classifier"), childText(node, "type")].filter((each) => each !== "");
  return listPackage(`${group}:${artifact}`, {
    version: isExact(value) ? value.replace(/^\[(.*)\]$/, "$1") : null,
    requirement: value === "" || value.includes("${") ? null : value,
    group: groupOf(node, key),
    origin: originOf(node, written, project),
    line: line ?? version?.line ?? node.line,
    key: [node.name === "dependency" ? "" : node.name, key, ...qualifiers]
      .filter((each) => each !== "")
      .join(" "),
  });
}

/** `1.2` and `[1.2]` select one version; `[1.2,2)` and an unresolved property don't. */
function isExact(version: string): boolean {
  return /^(?:[\w.+~-]+|\[[\w.+~-]+\])$/.test(version) && !/^(?:LATEST|RELEASE)$/.test(version);
}

function groupOf(node: XmlNode, key: string): DependencyGroup {
  if (node.name !== "dependency" && node.name !== "parent") return "build";
  if (key.endsWith("plugin")) return "build";
  if (childText(node, "scope") === "test") return "dev";
  return childText(node, "optional") === "true" ? "optional" : "runtime";
}

/**
 * Modules of the same build share one version. A parent is one of them when the project takes its version from it, unless an empty
 * `<relativePath/>` says to look in the registry.
 */
function originOf(node: XmlNode, writtenVersion: string, { hasOwnVersion }: Project): Origin {
  const relativePath = node.name === "parent" ? childOf(node, "relativePath") : null;
  const isModuleParent =
    node.name === "parent" && (relativePath?.text ?? (hasOwnVersion ? "" : "../pom.xml")) !== "";
  return isModuleParent || OWN_VERSION.test(writtenVersion)
    ? { kind: "local", path: relativePath?.text ?? "" }
    : DEFAULT_REGISTRY;
}
