/** Gradle's version catalogs (libs.versions.toml): libraries and plugins with their versions. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { tableOf, textOf, type JsonTable } from "../../base/documents/json-file.ts";
import { fileOf, listPackage, readWhole } from "../formats/list-package.ts";
import { parseToml, readTomlLines, type TomlLines } from "../../base/documents/toml-file.ts";
import { selectVersion } from "./gradle-version.ts";

export const versionCatalog: FileFormat = {
  name: "libs.versions.toml",
  kind: "manifest",
  path: /\.versions\.toml$/,
  read: readWhole((text) => {
    const root = parseToml(text);
    return root === null ? null : fileOf(readCatalog(root, readTomlLines(text)));
  }),
};

function readCatalog(root: JsonTable, { lineOf }: TomlLines): readonly Listed[] {
  const versions = tableOf(root["versions"]) ?? {};
  const list = (section: "libraries" | "plugins"): readonly Listed[] =>
    Object.entries(tableOf(root[section]) ?? {}).flatMap(([alias, value]) => {
      const named = section === "libraries" ? readLibrary(value) : readPlugin(value);
      if (named === null) return [];
      const version = tableOf(named.version);
      const ref = textOf(version?.["ref"]);
      const known = ref === null ? named.version : Object.hasOwn(versions, ref) ? versions[ref] : undefined;
      const isDefined = ref !== null && known !== undefined;
      return [
        listPackage(named.name, {
          ...readVersion(known),
          // Plugins of the build itself.
          ...(known === "unspecified" ? { origin: { kind: "local", path: "" } as const } : {}),
          group: section === "plugins" ? "build" : "runtime",
          line: isDefined ? lineOf(["versions", ref]) : lineOf([section, alias]),
          key: alias,
          isOutsideLock: true,
        }),
      ];
    });
  return [...list("libraries"), ...list("plugins")];
}

type Named = { readonly name: string; readonly version: unknown };

/** "group:name:version", or a table with `module`, or with `group` and `name`. */
function readLibrary(value: unknown): Named | null {
  if (typeof value === "string") {
    const [group, name, version] = value.split(":");
    return group && name ? { name: `${group}:${name}`, version } : null;
  }
  const table = tableOf(value);
  const [group, name] = [textOf(table?.["group"]), textOf(table?.["name"])];
  const module = textOf(table?.["module"]) ?? (group === null || name === null ? null : `${group}:${name}`);
  return module === null ? null : { name: module, version: table?.["version"] };
}

/** "id:version", or a table with `id`. The plugin's marker is the artifact. */
function readPlugin(value: unknown): Named | null {
  const table = tableOf(value);
  const [id, version] =
    typeof value === "string" ? value.split(":") : [textOf(table?.["id"]), table?.["version"]];
  return typeof id === "string" && id !== "" ? { name: `${id}:${id}.gradle.plugin`, version } : null;
}

/** A text, or a table with `strictly`, `require` and `prefer`. The preferred one is selected within the others. */
function readVersion(value: unknown): Pick<Listed, "version" | "requirement"> {
  if (typeof value === "string") return { version: selectVersion(value), requirement: value };
  const table = tableOf(value);
  const [strictly, require, prefer] = ["strictly", "require", "prefer"].map((name) => textOf(table?.[name]));
  const requirement = strictly ?? require ?? prefer ?? null;
  return { version: prefer ?? (requirement === null ? null : selectVersion(requirement)), requirement };
}
