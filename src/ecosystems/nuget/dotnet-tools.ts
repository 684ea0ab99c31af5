/** dotnet-tools.json: the tools that a .NET repository installs for itself. */
import type { FileFormat } from "../ecosystem.ts";
import { linesOfKeys, tableOf, parseJsonObject, textOf } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readStrictly } from "../formats/list-package.ts";

export const dotnetTools: FileFormat = {
  name: "dotnet-tools.json",
  kind: "manifest",
  path: /(?:^|\/)dotnet-tools\.json$/,
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    if (root === null) return null;
    const lines = linesOfKeys(text).get("tools");
    return fileOf(
      Object.entries(tableOf(root["tools"]) ?? {}).map(([name, tool]) => {
        const version = textOf(tableOf(tool)?.["version"]);
        const line = lines?.get(name) ?? 0;
        const facts = { version, requirement: version, line, isOutsideLock: true };
        return listPackage(name.toLowerCase(), { ...facts, group: "dev", key: "tool" });
      }),
    );
  }),
};
