/** Where npm's package managers download a package from, by the URL or path that a lockfile or manifest names. */
import type { Origin } from "../ecosystem.ts";
import { withoutCredentials } from "../formats/without-credentials.ts";
import { DEFAULT_REGISTRY } from "../formats/registry-origin.ts";

/** Registries whose archives have no "/-/" in their path. */
const REGISTRY_HOST = /^https?:\/\/(?:npm\.pkg\.github\.com|npm\.jsr\.io)\//i;

const HOSTED = { github: "github.com", gitlab: "gitlab.com", bitbucket: "bitbucket.org" } as const;

/** A resolved address. Null: none is named. */
export function originOfAddress(address: string | null): Origin {
  if (address === null) return DEFAULT_REGISTRY;
  if (address.startsWith("http")) return originOfUrl(address);
  return gitOrigin(address) ?? { kind: "local", path: address.replace(/^(?:file|link|portal):/, "") };
}

function originOfUrl(address: string): Origin {
  const url = withoutCredentials(address);
  if (url.includes("/-/") || REGISTRY_HOST.test(url)) return { kind: "registry", url };
  return gitOrigin(url) ?? { kind: "url", url };
}

/** A repository by any of the ways in which manifests name one, or null. */
export function gitOrigin(spec: string): Origin | null {
  const hash = spec.indexOf("#");
  const address = hash === -1 ? spec : spec.slice(0, hash);
  const ref = hash === -1 ? null : refOf(spec.slice(hash + 1));
  const archive = /^https:\/\/codeload\.github\.com\/([^/]+\/[^/]+)\/(?:tar\.gz|legacy\.tar\.gz)\/(.+)$/.exec(
    address,
  );
  if (archive !== null)
    return { kind: "git", url: `https://github.com/${archive[1]}`, ref: archive[2] ?? null };
  const hosted = /^(github|gitlab|bitbucket):(.+)$/.exec(address) ?? /^()([\w.-]+\/[\w.-]+)$/.exec(address);
  if (hosted !== null && !address.startsWith(".")) {
    const host = HOSTED[(hosted[1] || "github") as keyof typeof HOSTED];
    return { kind: "git", url: withoutCredentials(`https://${host}/${hosted[2]}`), ref };
  }
  const isRepository =
    /^(?:git|git\+\w+|ssh|gist):|^[\w.-]+@[\w.-]+:/.test(address) ||
    /^https?:\/\/(?:[^/@]*@)?(?:github\.com|gitlab\.com|bitbucket\.org)\/[^/]+\/[^/]+$/.test(address) ||
    /^https?:\/\/[^?]+\.git$/.test(address);
  return isRepository ? { kind: "git", url: withoutCredentials(address), ref } : null;
}

/** Yarn writes `#commit=…`, and adds the folder of a package in a monorepo: `#workspace=a&commit=…`. */
function refOf(fragment: string): string {
  return /(?:^|&)(?:commit|tag|head|semver)=([^&]+)/.exec(fragment)?.[1] ?? fragment;
}
