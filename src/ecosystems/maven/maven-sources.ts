/** Repositories of Maven and Gradle. */
import { groupStatements } from "./gradle-statements.ts";
import { tokenizeGradle } from "./gradle-tokens.ts";
import { childText, parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

export const MAVEN_SOURCES: readonly SourceFormat[] = [
  { path: /^(.*?\/)??(?:pom|(?:\.mvn\/)?settings)\.xml$/, read: readMaven },
  { path: /^(.*\/)?(?:build|settings)\.gradle(?:\.kts)?$/, read: readGradle },
];

const LISTS: ReadonlySet<string> = new Set(["repositories", "pluginRepositories", "mirrors"]);

function readMaven(text: string): ReturnType<SourceFormat["read"]> {
  const root = parseXmlFile(text);
  return root === null ? null : addressesIn(root).map(forAll);
}

const addressesIn = (node: XmlNode): readonly string[] =>
  node.children.flatMap((child) => (LISTS.has(node.name) ? [childText(child, "url")] : addressesIn(child)));

/** Repositories that a project publishes to are in other blocks. */
const TARGETS: ReadonlySet<string> = new Set(["publishing", "uploadArchives"]);
const KINDS: ReadonlySet<string> = new Set(["maven", "ivy"]);

const ADDRESS = /^(?:(?:this|it)\.)?(?:url|setUrl)(?:\.set)?$/;

/** `maven { url = uri("…") }`, `maven("…")`. An address that is calculated is no public one. */
function readGradle(text: string): ReturnType<SourceFormat["read"]> {
  const tokens = tokenizeGradle(text);
  const statements = tokens === null ? null : groupStatements(tokens);
  if (statements === null) return null;
  const urls = statements.flatMap(({ tokens: [first, ...rest], blocks }) => {
    if (!blocks.includes("repositories") || blocks.some((block) => TARGETS.has(block))) return [];
    const isAddress = ADDRESS.test(first?.value ?? "") && KINDS.has(blocks.at(-1) ?? "");
    const isCall = KINDS.has(first?.value ?? "") && rest.length > 0;
    if (!isAddress && !isCall) return [];
    return [rest.find(({ kind }) => kind === "text")?.value ?? ""];
  });
  return urls.map(forAll);
}
