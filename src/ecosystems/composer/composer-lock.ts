/** composer.lock: the installed packages with what each requires. */
import { appendTo } from "../../base/append-to.ts";
import type { DependencyFile, DependencyGroup, FileFormat, Listed, Origin } from "../ecosystem.ts";
import { tableOf, parseJsonObject, textOf, type JsonTable } from "../../base/documents/json-file.ts";
import { listPackage, readStrictly } from "../formats/list-package.ts";
import { lazily, needsWithoutRoots } from "../formats/needs.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { isPlatform, normalizeVersion } from "./composer-names.ts";

export const composerLock: FileFormat = {
  name: "composer.lock",
  kind: "lockfile",
  path: /(?:^|\/)composer\.lock$/,
  read: readStrictly((text) => {
    const root = parseJsonObject(text);
    const packages: unknown = root?.["packages"];
    const development: unknown = root?.["packages-dev"] ?? [];
    if (!Array.isArray(packages) || !Array.isArray(development)) return null;
    const listed: Listed[] = [];
    const isRead = readPackages(packages, "runtime", listed) && readPackages(development, "dev", listed);
    // Composer before 1.0 wrote the name as "package".
    return isRead ? fileWithNeeds(listed, [...packages, ...development]) : "unknown-format-version";
  }),
};

function readPackages(packages: readonly unknown[], group: DependencyGroup, listed: Listed[]): boolean {
  for (const value of packages) {
    const source = tableOf(value);
    const name = textOf(source?.["name"]);
    const version = textOf(source?.["version"]);
    if (source === null || name === null || version === null) return false;
    listed.push(readPackage(name, version, { group, source }));
  }
  return true;
}

function readPackage(
  name: string,
  version: string,
  { group, source }: { readonly group: DependencyGroup; readonly source: JsonTable },
): Listed {
  const dist = tableOf(source["dist"]);
  const checkout = tableOf(source["source"]);
  const shasum = textOf(dist?.["shasum"]);
  const reference = textOf(dist?.["reference"]) ?? textOf(checkout?.["reference"]);
  return listPackage(name.toLowerCase(), {
    version: normalizeVersion(version),
    group,
    origin: originOf(version, dist, checkout),
    integrity: integrityOf(shasum, reference),
    // Only plugins run code when they're installed; scripts of dependencies never run.
    hasInstallScript: source["type"] === "composer-plugin" || source["type"] === "composer-installer",
  });
}

function integrityOf(shasum: string | null, reference: string | null): string | null {
  const commit = reference === null ? null : `reference:${reference}`;
  if (shasum === null) return commit;
  return commit === null ? `sha1:${shasum}` : `sha1:${shasum} ${commit}`;
}

/** A branch is a moving reference to a commit. Everything else is downloaded for its version. */
function originOf(version: string, dist: JsonTable | null, checkout: JsonTable | null): Origin {
  const address = textOf(dist?.["url"]);
  const repository = textOf(checkout?.["url"]);
  if (dist?.["type"] === "path") return { kind: "local", path: address ?? "" };
  const ref = textOf(dist?.["reference"]) ?? textOf(checkout?.["reference"]);
  const isBranch = version.startsWith("dev-") || version.endsWith("-dev");
  if (repository !== null && (isBranch || address === null))
    return { kind: "git", url: withoutCredentials(repository), ref };
  return { kind: "registry", url: address === null ? null : downloadSource(address, ref) };
}

/** A commit's content is the same wherever its repository moves, so a download by commit comes from its host. */
function downloadSource(address: string, reference: string | null): string {
  const url = withoutCredentials(address);
  const isByCommit = reference !== null && url.includes(reference);
  const end = url.indexOf("/", url.indexOf("//") + 2);
  return isByCommit && end !== -1 ? url.slice(0, end) : url;
}

/** The names of packages that satisfy each name that they replace or provide. */
function providersOf(packages: readonly unknown[]): ReadonlyMap<string, readonly string[]> {
  const providers = new Map<string, string[]>();
  for (const value of packages) {
    const source = tableOf(value);
    const { replace, provide } = source ?? {};
    if (replace === undefined && provide === undefined) continue;
    for (const name of [...namesIn(replace), ...namesIn(provide)])
      appendTo(providers, name, String(source?.["name"]).toLowerCase());
  }
  return providers;
}

function fileWithNeeds(listed: readonly Listed[], packages: readonly unknown[]): DependencyFile {
  const providers = lazily(() => providersOf(packages));
  const places = lazily(() => new Map(listed.map(({ name }, at) => [name, at])));
  const namesOf = (entry: Listed): readonly string[] => {
    const names = namesIn(tableOf(packages[places().get(entry.name) ?? -1])?.["require"]);
    return providers().size === 0 ? names : names.flatMap((name) => [name, ...(providers().get(name) ?? [])]);
  };
  return { listed, requested: null, needsOf: needsWithoutRoots(listed, namesOf) };
}

function namesIn(value: unknown): readonly string[] {
  const names: string[] = [];
  for (const name of Object.keys(tableOf(value) ?? {})) if (!isPlatform(name)) names.push(name.toLowerCase());
  return names;
}
