/** .cargo/config.toml: a registry that replaces crates.io. */
import { tableOf, textOf } from "../../base/documents/json-file.ts";
import { parseToml } from "../../base/documents/toml-file.ts";
import type { SourceFormat } from "../sources/source-format.ts";
import { forAll } from "../sources/registry-source.ts";

/** Other registries are named by the packages that come from them. Folders are copies. */
export const cargoConfig: SourceFormat = {
  path: /^(.*\/)?\.cargo\/config(?:\.toml)?$/,
  read(text) {
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
  },
};
