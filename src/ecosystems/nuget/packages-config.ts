/** packages.config: every package of an older .NET project with its exact version. */
import type { FileFormat } from "../ecosystem.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseXmlFile } from "../../base/documents/xml-file.ts";

export const packagesConfig: FileFormat = {
  name: "packages.config",
  kind: "manifest",
  path: /(?:^|\/)packages(?:\.[^./]+)?\.config$/i,
  read: readWhole((text) => {
    const root = parseXmlFile(text);
    if (root?.name !== "packages") return null;
    return fileOf(
      root.children.flatMap(({ name, attributes, line }) => {
        const { id, version, developmentDependency } = attributes;
        if (name !== "package" || id === undefined || version === undefined) return [];
        return [
          listPackage(id.toLowerCase(), {
            version,
            requirement: version,
            group: developmentDependency === "true" ? "dev" : "runtime",
            line,
            key: attributes["targetFramework"] ?? "",
          }),
        ];
      }),
    );
  }),
};
