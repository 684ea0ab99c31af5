/** Which packages are public, so that their names may be sent to public services. In doubt they aren't. */
import { NPM_HOST, YARN_HOST } from "../../base/npm-hosts.ts";
import type { Ecosystem, Origin } from "./ecosystem.ts";
import type { PackageChange } from "./package-change.ts";

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

/** Their packages are repositories and images. */
const BY_REPOSITORY: ReadonlySet<Ecosystem> = new Set(["github-actions", "pre-commit", "docker"]);

export type PrivacyRules = {
  /** `dependencies.privatePackages`; a trailing `*` matches any ending. */
  readonly patterns: readonly string[];
  /** The `.npmrc` of the base. */
  readonly npmrc: string;
};

export function createPrivacy({ patterns, npmrc }: PrivacyRules): (change: PackageChange) => boolean {
  const { scopes, isDefaultPrivate } = readNpmrc(npmrc);
  return ({ ecosystem, name, from, to }) => {
    if (patterns.some((pattern) => matches(pattern, name))) return true;
    const origins = [from, to].flatMap((side) => (side === null ? [] : [side.origin]));
    if (origins.some((origin) => isPrivateOrigin(origin, ecosystem))) return true;
    if (ecosystem !== "npm") return false;
    const scope = name.startsWith("@") ? name.slice(0, name.indexOf("/")) : null;
    if (scope !== null && scopes.has(scope)) return true;
    return isDefaultPrivate && origins.every((origin) => origin.kind === "registry" && origin.url === null);
  };
}

const matches = (pattern: string, name: string): boolean =>
  pattern.endsWith("*") ? name.startsWith(pattern.slice(0, -1)) : name === pattern;

function isPrivateOrigin(origin: Origin, ecosystem: Ecosystem): boolean {
  if (BY_REPOSITORY.has(ecosystem)) return origin.kind === "local";
  if (origin.kind !== "registry") return true;
  return origin.url !== null && !isPublicRegistry(origin.url, ecosystem);
}

/** The hosts alone, without a path on them. */
export const publicHostsOf = (ecosystem: Ecosystem): readonly string[] =>
  (PUBLIC_HOSTS[ecosystem] ?? []).flatMap((address) => address.split("/", 1));

/** Some formats name a registry by its address, some by an alias such as "hexpm". */
export function isPublicRegistry(url: string, ecosystem: Ecosystem): boolean {
  const bare = url.replace(/^(?:registry|sparse)\+/, "").replace(/^[a-z]+:\/\//i, "");
  const hosts = PUBLIC_HOSTS[ecosystem] ?? [];
  if (!bare.includes(".")) return true;
  return hosts.some((host) => bare === host || bare.startsWith(`${host}/`) || bare.startsWith(`${host}#`));
}

/** `@acme:registry=https://npm.acme.example/` makes the scope private; `registry=` everything without a known origin. */
function readNpmrc(text: string): {
  readonly scopes: ReadonlySet<string>;
  readonly isDefaultPrivate: boolean;
} {
  const scopes = new Set<string>();
  let isDefaultPrivate = false;
  for (const line of text.split(/\r?\n/)) {
    const [, scope, url = ""] = /^\s*(?:(@[\w.-]+):)?registry\s*=\s*(\S+)/.exec(line) ?? [];
    if (url === "" || isPublicRegistry(url, "npm")) continue;
    if (scope === undefined) isDefaultPrivate = true;
    else scopes.add(scope);
  }
  return { scopes, isDefaultPrivate };
}
