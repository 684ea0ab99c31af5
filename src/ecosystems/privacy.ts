/** Which packages are public, so that their names may be sent to public services. In doubt they aren't. */
import { ecosystemOf } from "./all-ecosystems.ts";
import { ECOSYSTEM_IDS, type EcosystemId, type Origin } from "./ecosystem.ts";
import { withoutCredentials } from "./formats/without-credentials.ts";
import type { PackageChange } from "./package-change.ts";
import { ALL_PACKAGES, type RegistrySource, type RegistrySources } from "./sources/registry-source.ts";

function hostsOf(ecosystem: EcosystemId): readonly string[] {
  const { publicHosts = [], downloadHosts = [] } = ecosystemOf(ecosystem);
  return [...publicHosts, ...downloadHosts];
}

export type PrivacyRules = {
  /** `dependencies.privatePackages`; a trailing `*` matches any ending. */
  readonly patterns: readonly string[];
  /** Registries in the settings of the base. */
  readonly registries: RegistrySources;
};

export function createPrivacy({ patterns, registries }: PrivacyRules): (change: PackageChange) => boolean {
  const unread = new Set(registries.unread.map(({ ecosystem }) => ecosystem));
  const byEcosystem = Map.groupBy(registries.sources, ({ ecosystem }) => ecosystem);
  return ({ ecosystem, name, from, to }) => {
    if (unread.has(ecosystem) || patterns.some((pattern) => matches(pattern, name))) return true;
    const origins = [from, to].flatMap((side) => (side === null ? [] : [side.origin]));
    if (origins.some((origin) => isPrivateOrigin(origin, ecosystem))) return true;
    if (ecosystemOf(ecosystem).isPublicName?.(name) === false) return true;
    const sources = byEcosystem.get(ecosystem) ?? [];
    return sources.some(isPrivateSource) && !isFromPublicSource({ ecosystem, name, origins }, sources);
  };
}

/** Where a package comes from when its project also uses a registry that isn't public. */
function isFromPublicSource(
  {
    ecosystem,
    name,
    origins,
  }: Pick<PackageChange, "ecosystem" | "name"> & { readonly origins: readonly Origin[] },
  sources: readonly RegistrySource[],
): boolean {
  const { normalizeName, isScopedName } = ecosystemOf(ecosystem);
  const written = normalizeName?.(name) ?? name;
  const fitting = sources.filter(({ pattern }) => matches(pattern, written));
  const longest = Math.max(0, ...fitting.map(({ pattern }) => pattern.length));
  const deciding = fitting.filter(({ pattern }) => pattern.length === longest);
  const isPublic = !deciding.some(isPrivateSource);
  if (longest > ALL_PACKAGES.length) return isPublic;
  return (isPublic && isScopedName?.(name) !== true) || origins.some((origin) => isTied(origin, ecosystem));
}

/** A lockfile says that it comes from the public registry, and not only from a host that has private packages too. */
const isTied = (origin: Origin, ecosystem: EcosystemId): boolean =>
  ecosystemOf(ecosystem).downloadHosts === undefined &&
  origin.kind === "registry" &&
  origin.url !== null &&
  isPublicAddress(origin.url, hostsOf(ecosystem));

function matches(pattern: string, name: string): boolean {
  if (/^\*\../.test(pattern)) return name.split("/", 1)[0]?.endsWith(pattern.slice(1)) === true;
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

function isPrivateSource({ url, ecosystem }: RegistrySource): boolean {
  const { publicHosts = [], publicSources = [] } = ecosystemOf(ecosystem);
  return !isPublicAddress(withoutCredentials(url), [...publicHosts, ...publicSources]);
}

function isPrivateOrigin(origin: Origin, ecosystem: EcosystemId): boolean {
  if (ecosystemOf(ecosystem).isByReference) return origin.kind === "local";
  if (origin.kind !== "registry") return true;
  return origin.url !== null && !isPublicAddress(origin.url, hostsOf(ecosystem));
}

const PUBLIC_ALIASES: ReadonlySet<string> = new Set(
  ECOSYSTEM_IDS.flatMap((id) => ecosystemOf(id).publicAlias ?? []),
);

/** Stricter than `isPublicRegistry`: a name that isn't known may be a company's registry. */
function isPublicAddress(url: string, hosts: readonly string[]): boolean {
  const bare = bareAddress(url).toLowerCase();
  return PUBLIC_ALIASES.has(bare) || hosts.some((host) => isBelow(bare, host));
}

/** The hosts alone, without a path on them. */
export const publicHostsOf = (ecosystem: EcosystemId): readonly string[] =>
  hostsOf(ecosystem).flatMap((address) => address.split("/", 1));

/** Some formats name a registry by its address, some by an alias such as "hexpm". */
export function isPublicRegistry(url: string, ecosystem: EcosystemId): boolean {
  const bare = bareAddress(url);
  return !bare.includes(".") || hostsOf(ecosystem).some((host) => isBelow(bare, host));
}

const bareAddress = (url: string): string =>
  url.replace(/^(?:registry|sparse)\+/, "").replace(/^[a-z]+:\/\//i, "");

const isBelow = (bare: string, host: string): boolean =>
  bare === host || bare.startsWith(`${host}/`) || bare.startsWith(`${host}#`);
