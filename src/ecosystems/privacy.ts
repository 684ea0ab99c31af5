/** Which packages are public, so that their names may be sent to public services. In doubt they aren't. */
import { NPM_HOST, YARN_HOST } from "../base/npm-hosts.ts";
import type { Ecosystem, Origin } from "./ecosystem.ts";
import { withoutCredentials } from "./formats/without-credentials.ts";
import type { PackageChange } from "./package-change.ts";
import { isPublicGoModule } from "./go/public-go-hosts.ts";
import type { RegistrySources } from "./sources/read-registry-sources.ts";
import { ALL_PACKAGES, type RegistrySource } from "./sources/registry-source.ts";

/** The registries whose packages everyone can see, and their usual mirrors. */
const PUBLIC_HOSTS: Partial<Record<Ecosystem, readonly string[]>> = {
  npm: [NPM_HOST, YARN_HOST],
  pypi: ["pypi.org", "pypi.python.org", "files.pythonhosted.org"],
  go: ["proxy.golang.org"],
  cargo: ["github.com/rust-lang/crates.io-index", "index.crates.io", "static.crates.io", "crates.io"],
  rubygems: ["rubygems.org"],
  maven: ["repo1.maven.org", "repo.maven.apache.org"],
  composer: ["packagist.org", "repo.packagist.org", "api.github.com", "github.com"],
  nuget: ["api.nuget.org", "www.nuget.org"],
  pub: ["pub.dev", "pub.dartlang.org"],
  hex: ["hex.pm", "repo.hex.pm"],
  terraform: ["registry.terraform.io", "registry.opentofu.org"],
};

const hostsOf = (ecosystem: Ecosystem): readonly string[] => PUBLIC_HOSTS[ecosystem] ?? [];

/** Their packages are repositories and images. */
const BY_REPOSITORY: ReadonlySet<Ecosystem> = new Set(["github-actions", "pre-commit", "docker"]);

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
    if (ecosystem === "go" && !isPublicGoModule(name)) return true;
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
  // NuGet's names have no case.
  const written = ecosystem === "nuget" ? name.toLowerCase() : name;
  const fitting = sources.filter(({ pattern }) => matches(pattern, written));
  const longest = Math.max(0, ...fitting.map(({ pattern }) => pattern.length));
  const deciding = fitting.filter(({ pattern }) => pattern.length === longest);
  const isPublic = !deciding.some(isPrivateSource);
  if (longest > ALL_PACKAGES.length) return isPublic;
  // A scope is often a company, and its settings may be where Kodiai can't read them.
  const isScoped = ecosystem === "npm" && name.startsWith("@");
  return (isPublic && !isScoped) || origins.some((origin) => isTied(origin, ecosystem));
}

/** A lockfile says that it comes from the public registry. Composer's names a repository of the package, which may be private. */
const isTied = (origin: Origin, ecosystem: Ecosystem): boolean =>
  ecosystem !== "composer" &&
  origin.kind === "registry" &&
  origin.url !== null &&
  isPublicAddress(origin.url, hostsOf(ecosystem));

function matches(pattern: string, name: string): boolean {
  if (/^\*\../.test(pattern)) return name.split("/", 1)[0]?.endsWith(pattern.slice(1)) === true;
  return pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
}

/** Repositories of whole organizations and forges that anyone can read. */
const PUBLIC_SOURCES: Partial<Record<Ecosystem, readonly string[]>> = {
  maven: [
    "repo.maven.org",
    "central.sonatype.com",
    "oss.sonatype.org",
    "s01.oss.sonatype.org",
    "repository.apache.org",
    "maven.google.com",
    "dl.google.com",
    "plugins.gradle.org",
    "repo.gradle.org",
    "jcenter.bintray.com",
    "repo.spring.io",
    "repo.jenkins-ci.org",
    "repo.eclipse.org",
    "packages.confluent.io",
  ],
  rubygems: ["www.rubygems.org", "index.rubygems.org"],
  // A repository on GitHub may be private.
  composer: ["packagist.org", "repo.packagist.org", "asset-packagist.org", "wpackagist.org"],
};

function isPrivateSource({ url, ecosystem }: RegistrySource): boolean {
  const hosts = ecosystem === "composer" ? [] : hostsOf(ecosystem);
  return !isPublicAddress(withoutCredentials(url), [...hosts, ...(PUBLIC_SOURCES[ecosystem] ?? [])]);
}

function isPrivateOrigin(origin: Origin, ecosystem: Ecosystem): boolean {
  if (BY_REPOSITORY.has(ecosystem)) return origin.kind === "local";
  if (origin.kind !== "registry") return true;
  return origin.url !== null && !isPublicAddress(origin.url, hostsOf(ecosystem));
}

/** Names that formats give to public registries. */
const PUBLIC_NAMES: ReadonlySet<string> = new Set(["pypi", "rubygems", "hexpm", "crates-io"]);

/** Stricter than `isPublicRegistry`: a name that isn't known may be a company's registry. */
function isPublicAddress(url: string, hosts: readonly string[]): boolean {
  const bare = bareAddress(url).toLowerCase();
  return PUBLIC_NAMES.has(bare) || hosts.some((host) => isBelow(bare, host));
}

/** The hosts alone, without a path on them. */
export const publicHostsOf = (ecosystem: Ecosystem): readonly string[] =>
  hostsOf(ecosystem).flatMap((address) => address.split("/", 1));

/** Some formats name a registry by its address, some by an alias such as "hexpm". */
export function isPublicRegistry(url: string, ecosystem: Ecosystem): boolean {
  const bare = bareAddress(url);
  return !bare.includes(".") || hostsOf(ecosystem).some((host) => isBelow(bare, host));
}

const bareAddress = (url: string): string =>
  url.replace(/^(?:registry|sparse)\+/, "").replace(/^[a-z]+:\/\//i, "");

const isBelow = (bare: string, host: string): boolean =>
  bare === host || bare.startsWith(`${host}/`) || bare.startsWith(`${host}#`);
