/** Hosts that packages come from, and those that only seem to be one. */
import type { EcosystemId, Origin } from "../ecosystem.ts";
import { urlOf } from "../pair-versions.ts";
import { isPublicRegistry, publicHostsOf } from "../privacy.ts";
import { isOneEditApart } from "../../base/similarity.ts";

const LOCAL_URL = /^http:\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::|\/|$)/i;

/** Everyone can have a repository there, so that the host says nothing about it. */
const FORGES: ReadonlySet<string> = new Set([
  "github.com",
  "gitlab.com",
  "bitbucket.org",
  "codeberg.org",
  "git.sr.ht",
  "gitee.com",
]);

export const isForge = (host: string): boolean => FORGES.has(host);

export function hostOf(origin: Origin): string | null {
  const url = origin.kind === "local" ? null : urlOf(origin);
  if (url === null) return null;
  const [, scp] = /^[\w.-]+@([\w.-]+):(?!\/\/)/.exec(url) ?? [];
  const [, host] =
    /^(?:[a-z][a-z0-9+.-]*:\/\/)?(?:[^@/?#]*@)?(\[[0-9a-f:.]+\]|[^/:#?]+\.[^/:#?]+)/i.exec(url) ?? [];
  return (scp ?? host)?.toLowerCase() ?? null;
}

/** Whether what is sent can be read and replaced on the way. */
export function isInsecure(origin: Origin): boolean {
  const url = origin.kind === "local" ? "" : (urlOf(origin) ?? "");
  return /^(?:[a-z]+\+)?(?:http|git|ftp):\/\//i.test(url) && !LOCAL_URL.test(url);
}

/** A host that has a registry's name in it, is one letter away from it, has letters of other scripts, or is a number. */
export function isDeceptiveHost(host: string, ecosystem: EcosystemId): boolean {
  if (isPublicRegistry(host, ecosystem) || isPrivateAddress(host)) return false;
  if (/^\[|^\d+(?:\.\d+){3}$/.test(host) || /[^\x20-\x7e]|(?:^|\.)xn--/.test(host)) return true;
  return publicHostsOf(ecosystem).some(
    (known) => host.startsWith(`${known}.`) || host.startsWith(`${known}-`) || isOneEditApart(host, known),
  );
}

/** Networks of companies have registries without names. */
const isPrivateAddress = (host: string): boolean =>
  /^(?:10|127)\.|^192\.168\.|^172\.(?:1[6-9]|2\d|3[01])\.|^\[(?:::1|f[cd])/.test(host);
