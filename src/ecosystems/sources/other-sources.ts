/** Registries in the settings of Cargo, NuGet, Bundler, Composer, Terraform and Go. */
import { type JsonTable, parseJsonObject, tableOf, textOf } from "../../base/documents/json-file.ts";
import { parseRubyArguments, readRubyStatements } from "../rubygems/ruby-call.ts";
import { type HclBody, parseHcl } from "../terraform/hcl.ts";
import { parseToml } from "../../base/documents/toml-file.ts";
import { childOf, parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";
import { ALL_PACKAGES, forAll, type RegistrySource, type SourceFormat } from "./registry-source.ts";

type Sources = readonly Omit<RegistrySource, "ecosystem">[] | null;

export const OTHER_SOURCES: readonly SourceFormat[] = [
  { ecosystem: "cargo", path: /^(.*\/)?\.cargo\/config(?:\.toml)?$/, read: readCargo },
  { ecosystem: "nuget", path: /^(.*?\/)??(?:\.nuget\/)?nuget\.config$/i, read: readNuget },
  { ecosystem: "rubygems", path: /^(.*\/)?(?:Gemfile|gems\.rb)$/, read: readGemfile },
  { ecosystem: "composer", path: /^(.*\/)?composer\.json$/, read: readComposer },
  { ecosystem: "terraform", path: /^(.*\/)?(?:\.terraformrc|terraform\.rc)$/, read: readTerraform },
  { ecosystem: "go", path: /^(.*\/)?(?:go\.env|\.envrc)$/, read: readGoEnvironment },
];

/** A registry that replaces crates.io. Other registries are named by the packages that come from them. Folders are copies. */
function readCargo(text: string): Sources {
  const root = parseToml(text);
  if (root === null) return null;
  const [sources, registries] = [tableOf(root["source"]) ?? {}, tableOf(root["registries"]) ?? {}];
  return Object.values(sources).flatMap((source) => {
    const name = textOf(tableOf(source)?.["replace-with"]);
    if (name === null) return [];
    const other = tableOf(sources[name]);
    const isCopy =
      other !== null && ["directory", "local-registry", "replace-with"].some((key) => key in other);
    const url = textOf(other?.["registry"]) ?? textOf(tableOf(registries[name])?.["index"]);
    return isCopy ? [] : [forAll(url ?? name)];
  });
}

const NUGET_ORG = "nuget.org";

/** With a mapping, each source has only the packages of its patterns. */
function readNuget(text: string): Sources {
  const root = parseXmlFile(text);
  if (root === null) return null;
  const urls = new Map(
    itemsOf(root, "packageSources", "add").map(({ attributes }) => [
      attributes["key"]?.toLowerCase() ?? "",
      attributes["value"] ?? "",
    ]),
  );
  const mapped = itemsOf(root, "packageSourceMapping", "packageSource");
  if (mapped.length === 0) return [...urls.values()].map(forAll);
  return mapped.flatMap(({ attributes, children }) => {
    const key = attributes["key"]?.toLowerCase() ?? "";
    const url = urls.get(key) ?? (key === NUGET_ORG ? `https://api.${NUGET_ORG}` : "");
    return children.map((child) => ({ pattern: (child.attributes["pattern"] ?? "*").toLowerCase(), url }));
  });
}

const itemsOf = (root: XmlNode, list: string, name: string): readonly XmlNode[] =>
  childOf(root, list)?.children.filter((child) => child.name === name) ?? [];

/** Sources for all gems. A gem in the block of a source has that origin. */
function readGemfile(text: string): Sources {
  return readRubyStatements(text).flatMap(({ text: statement }) => {
    const [, rest] = /^source\b\s*(.*)$/s.exec(statement) ?? [];
    if (rest === undefined || /\sdo$/.test(rest)) return [];
    const bare = rest.replace(/^\((.*)\)$/s, "$1");
    const [url] = parseRubyArguments(bare).positional;
    return [forAll(typeof url === "string" ? url : bare.replace(/^:/, ""))];
  });
}

/** A repository in a folder of the project is local, which lockfiles say. */
const LOCAL_REPOSITORY = "path";

function readComposer(text: string): Sources {
  const root = parseJsonObject(text);
  if (root === null) return null;
  const declared = root["repositories"];
  const repositories: readonly unknown[] = Array.isArray(declared)
    ? declared
    : Object.values(tableOf(declared) ?? {});
  return repositories.flatMap((value) => {
    const repository: JsonTable | null = tableOf(value);
    // `{ "packagist.org": false }` turns one off.
    if (repository === null || textOf(repository["type"]) === LOCAL_REPOSITORY) return [];
    const isSwitch = textOf(repository["type"]) === null && textOf(repository["url"]) === null;
    return isSwitch ? [] : [forAll(textOf(repository["url"]) ?? "")];
  });
}

/** Mirrors, and hosts whose services are elsewhere. */
function readTerraform(text: string): Sources {
  const root = parseHcl(text);
  return root === null ? null : addressesIn(root).map(forAll);
}

function addressesIn({ attributes, blocks }: HclBody): readonly string[] {
  const own = attributes.flatMap(({ name, value }) => {
    if (value.kind === "object") return addressesIn(value.body);
    const isAddress = name === "url" || (value.kind === "text" && value.value.includes("://"));
    return isAddress ? [value.kind === "text" ? value.value : ""] : [];
  });
  return [...own, ...blocks.flatMap(({ body }) => addressesIn(body))];
}

const GO_SETTING = /^[ \t]*(?:export[ \t]+)?(?:GOPRIVATE|GONOPROXY|GONOSUMDB)=["']?([^\s"'#]*)/gm;

/** Modules that Go itself doesn't ask the public proxy for. Each pattern also covers what is below it. */
function readGoEnvironment(text: string): Sources {
  return [...text.matchAll(GO_SETTING)]
    .flatMap(([, patterns = ""]) => patterns.split(","))
    .filter((pattern) => pattern !== "" && pattern !== "none")
    .map((pattern) => ({ pattern: goPattern(pattern.replace(/\/?\*?$/, "")), url: "" }));
}

/** `*.acme.example` is about hosts. A variable, or any other wildcard, may mean every module. */
function goPattern(pattern: string): string {
  if (/^\*\.[\w.-]+$/.test(pattern)) return pattern;
  return /[*?[$]/.test(pattern) ? ALL_PACKAGES : `${pattern}*`;
}
