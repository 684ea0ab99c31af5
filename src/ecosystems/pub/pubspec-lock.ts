/** pubspec.lock: the selected packages. It says which are direct, and not which need the others. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { isYamlMap, readLockYaml, yamlMapOf, yamlText, type LockYaml } from "../formats/read-lock-yaml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { registryAt } from "../formats/registry-origin.ts";

export const pubspecLock: FileFormat = {
  name: "pubspec.lock",
  kind: "lockfile",
  path: /(?:^|\/)pubspec\.lock$/,
  read: readWhole((text) => {
    const root = readLockYaml(text);
    const packages = root?.get("packages");
    // Without packages, pub writes `{}`.
    return packages === undefined || packages === "" ? null : readPackages(packages);
  }),
};

function readPackages(packages: LockYaml): DependencyFile | null {
  const listed: Listed[] = [];
  const direct: Listed[] = [];
  for (const [name, value] of yamlMapOf(packages)) {
    const version = yamlText(value, "version");
    if (version === null) return null;
    const dependency = yamlText(value, "dependency") ?? "";
    const entry = readPackage(name, version, {
      fields: value,
      group: /dev/.test(dependency) ? "dev" : "runtime",
    });
    listed.push(entry);
    if (dependency.startsWith("direct")) direct.push(entry);
  }
  return isYamlMap(packages)
    ? { listed, requested: null, needsOf: (entry) => (entry === null ? direct : []) }
    : null;
}

function readPackage(
  name: string,
  version: string,
  { fields, group }: { readonly fields: LockYaml; readonly group: DependencyGroup },
): Listed {
  const description = yamlMapOf(fields).get("description");
  const origin = originOf(yamlText(fields, "source"), description, yamlText(fields, "description"));
  const hash = yamlText(description, "sha256");
  return listPackage(name, {
    version: origin.kind === "git" ? origin.ref : version,
    group,
    origin,
    integrity: hash === null ? null : `sha256:${hash}`,
    ...(origin.kind === "git" ? { saidVersion: version } : {}),
  });
}

function originOf(source: string | null, description: LockYaml | undefined, plain: string | null): Origin {
  const url = yamlText(description, "url");
  if (source === "git")
    return {
      kind: "git",
      url: withoutCredentials(url ?? plain ?? ""),
      ref: yamlText(description, "resolved-ref") ?? yamlText(description, "ref"),
    };
  if (source === "path" || source === "sdk")
    return { kind: "local", path: yamlText(description, "path") ?? plain ?? "" };
  return registryAt(url);
}
