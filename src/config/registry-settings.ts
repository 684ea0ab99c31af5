/** Settings for package registries, changelogs and advisories: which hosts Kodiai may contact, and whether it may contact any. */
import { NPM_HOST } from "../base/npm-hosts.ts";
import { createSettingsReader, type SettingsReader, type SettingsSource } from "./settings-reader.ts";

export type AllowedOrigin = {
  /** The origin, with the port if it isn't the usual one. */
  readonly origin: string;
  /** The operator says that this host may have a private or loopback address. */
  readonly mayBePrivate: boolean;
};

export type RegistrySettings = {
  /** No requests at all. */
  readonly isOffline: boolean;
  /** All origins that Kodiai may contact. */
  readonly origins: readonly AllowedOrigin[];
  /** Without a trailing slash. */
  readonly npmRegistry: string;
  /** For releases of public repositories and advisories on api.github.com, which limits requests without one; null if not set. */
  readonly githubToken: string | null;
  /** Folder or zip file with advisories in the OSV format; null to ask for them. */
  readonly advisories: string | null;
};

const PUBLIC_NPM_REGISTRY = `https://${NPM_HOST}`;

/** Package registries, the hosts of their archives, and the APIs for releases and advisories. */
const DEFAULT_HOSTS: readonly string[] = [
  NPM_HOST,
  "pypi.org",
  "files.pythonhosted.org",
  "proxy.golang.org",
  // The Go proxy and pub.dev redirect to it for archives.
  "storage.googleapis.com",
  "crates.io",
  "static.crates.io",
  "rubygems.org",
  "repo1.maven.org",
  "repo.packagist.org",
  "api.nuget.org",
  "pub.dev",
  "hex.pm",
  "repo.hex.pm",
  "registry.terraform.io",
  "api.github.com",
  "codeload.github.com",
  // Says whether everyone can see a repository, before a token is sent.
  "github.com",
  "api.osv.dev",
];

/** In KODIAI_HOSTS, the name of the list above. */
const DEFAULTS = "default";

/** A list of hosts is written by hand. */
const MAX_HOSTS = 200;

/**
 * Pass a source without `.env` unless the operator wrote it: a file in a checkout must not decide which hosts Kodiai contacts.
 */
export function readRegistrySettings(source: SettingsSource): RegistrySettings {
  const reader = createSettingsReader(source);
  const named = hostsOf(reader, "KODIAI_HOSTS");
  const keepsDefaults = named === null || named.includes(DEFAULTS);
  const chosen = reader.url("KODIAI_NPM_REGISTRY", "must be a URL such as https://npm.example.org");
  const npmRegistry = chosen ?? configuredForNpm(reader) ?? PUBLIC_NPM_REGISTRY;
  const open = [
    ...(keepsDefaults ? DEFAULT_HOSTS : []),
    ...(named ?? []).filter((host) => host !== DEFAULTS),
    // Replacing the list also removes a registry that Kodiai's own settings don't name.
    ...(keepsDefaults || chosen !== null ? [npmRegistry] : []),
  ];
  const privates = hostsOf(reader, "KODIAI_PRIVATE_HOSTS") ?? [];
  const origins = new Map<string, AllowedOrigin>();
  for (const [names, mayBePrivate] of [
    [open, false],
    [privates, true],
  ] as const) {
    for (const name of names) {
      const origin = originOf(name);
      if (origin !== null) origins.set(origin, { origin, mayBePrivate });
    }
  }
  const isOffline = reader.choice("KODIAI_OFFLINE", ["on", "off"]) === "on";
  reader.throwIfInvalid();
  const [advisories, githubToken] = [reader.text("KODIAI_ADVISORIES"), reader.text("GITHUB_TOKEN")];
  return { isOffline, origins: [...origins.values()], npmRegistry, githubToken, advisories };
}

function hostsOf(reader: SettingsReader, name: string): readonly string[] | null {
  const text = reader.text(name);
  if (text === null) return null;
  const hosts = text.split(/[\s,]+/).filter((host) => host !== "");
  const isValid = hosts.length <= MAX_HOSTS && hosts.every(isHost);
  if (!isValid)
    reader.addProblem(
      name,
      "must be a list of hosts such as npm.example.org, npm.example.org:8443 or http://localhost:4873, separated by commas",
    );
  return isValid ? hosts : [];
}

/** A host is without a path, a user or a pattern. */
function isHost(text: string): boolean {
  const url = urlOf(text);
  return url !== null && /^https?:\/\/(?:[a-z\d.-]+|\[[\da-f:.]+\])(?::\d+)?\/$/.test(url.href);
}

function originOf(text: string): string | null {
  return urlOf(text)?.origin ?? null;
}

/** HTTPS, unless the text says otherwise. */
function urlOf(text: string): URL | null {
  return URL.parse(text.includes("://") ? text : `https://${text}`);
}

/** The registry that npm uses, as npm passes it to the programs it starts. */
function configuredForNpm(reader: SettingsReader): string | null {
  const text = reader.text("npm_config_registry");
  const url = text === null ? null : URL.parse(text);
  const isUsable =
    url !== null && /^https?:$/.test(url.protocol) && url.username === "" && url.password === "";
  return isUsable ? `${url.origin}${url.pathname}`.replace(/\/+$/, "") : null;
}
