/** nuget.config: the sources of packages. */
import { childOf, parseXmlFile, type XmlNode } from "../../base/documents/xml-file.ts";
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

const NUGET_ORG = "nuget.org";

/** With a mapping, each source has only the packages of its patterns. */
export const nugetConfig: SourceFormat = {
  path: /^(.*?\/)??(?:\.nuget\/)?nuget\.config$/i,
  read(text) {
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
  },
};

const itemsOf = (root: XmlNode, list: string, name: string): readonly XmlNode[] =>
  childOf(root, list)?.children.filter((child) => child.name === name) ?? [];
