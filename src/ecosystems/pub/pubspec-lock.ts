/** pubspec.lock: the selected packages. It says which are direct, and not which need the others. */
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { listPackage, readWhole } from "../formats/list-package.ts";
import { readLockYaml, type LockYaml, type LockYamlMap } from "../formats/read-lock-yaml.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";

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

const mapOf = (value: LockYaml | undefined): LockYamlMap | null => (value instanceof Map ? value : null);

function textIn(map: LockYamlMap | null, key: string): string | null {
  const value = map?.get(key);
  return typeof value === "string" && value !== "" ? value : null;
}

function readPackages(packages: LockYaml): DependencyFile | null {
  const listed: Listed[] = [];
  const direct: Listed[] = [];
  for (const [name, value] of mapOf(packages) ?? []) {
    const fields = mapOf(value);
    const version = textIn(fields, "version");
    if (fields === null || version === null) return null;
    const dependency = textIn(fields, "dependency") ?? "";
    const entry = readPackage(name, version, { fields, group: /dev/.test(dependency) ? "dev" : "runtime" });
    listed.push(entry);
    if (dependency.startsWith("direct")) direct.push(entry);
  }
  return packages instanceof Map
    ? { listed, requested: null, needsOf: (entry) => (entry === null ? direct : []) }
    : null;
}

function readPackage(
  name: string,
  version: string,
  { fields, group }: { readonly fields: LockYamlMap; readonly group: DependencyGroup },
): Listed {
  const description = mapOf(fields.get("description"));
  const origin = originOf(textIn(fields, "source"), description, textIn(fields, "description"));
  const hash = textIn(description, "sha256");
  return listPackage(name, {
    version: origin.kind === "git" ? origin.ref : version,
    group,
    origin,
    integrity: hash === null ? null : `sha256:${hash}`,
    ...(origin.kind === "git" ? { saidVersion: version } : {}),
  });
}

function originOf(source: string | null, description: LockYamlMap | null, plain: string | null): Origin {
  const url = textIn(description, "url");
  if (source === "git")
    return {
      kind: "git",
      url: withoutCredentials(url ?? plain ?? ""),
      ref: textIn(description, "resolved-ref") ?? textIn(description, "ref"),
    };
  if (source === "path" || source === "sdk")
    return { kind: "local", path: textIn(description, "path") ?? plain ?? "" };
  return { kind: "registry", url: url === null ? null : withoutCredentials(url) };
}
