/** pnpm-workspace.yaml: the catalogs and overrides of a workspace. Its other settings name no versions. */
import type { FileFormat, Listed } from "../ecosystem.ts";
import { fileOf, readStrictly } from "../formats/list-package.ts";
import { readLockYaml, yamlMapOf, type LockYaml, type LockYamlMap } from "../formats/read-lock-yaml.ts";
import { npmFile } from "./npm-file.ts";
import { listInCatalog, listOverride } from "./overrides.ts";

export const pnpmWorkspace: FileFormat = {
  name: "pnpm-workspace.yaml",
  kind: "manifest",
  path: npmFile("pnpm-workspace\\.yaml"),
  read: readStrictly((text) => {
    const lines = new Map<LockYamlMap, Map<string, number>>();
    const root = readLockYaml(text, (map, key, line) => {
      const known = lines.get(map);
      if (known === undefined) lines.set(map, new Map([[key, line]]));
      else known.set(key, line);
    });
    if (root === null) return null;
    const list = (
      value: LockYaml | undefined,
      key: string,
      toListed: typeof listOverride,
    ): readonly Listed[] =>
      [...yamlMapOf(value)].flatMap(([name, spec]) =>
        typeof spec === "string"
          ? toListed(name, spec, { key, line: lines.get(value as LockYamlMap)?.get(name) ?? 0 })
          : [],
      );
    return fileOf([
      ...list(root.get("catalog"), "catalog", listInCatalog),
      ...[...yamlMapOf(root.get("catalogs"))].flatMap(([name, catalog]) =>
        list(catalog, `catalogs/${name}`, listInCatalog),
      ),
      ...list(root.get("overrides"), "overrides", listOverride),
    ]);
  }),
};
