/** Whether the address of npm's archives is that of the package and version it is given for. */
import type { Listed } from "../ecosystem.ts";

/** "/name/-/name-1.2.3.tgz" after any path; some registries repeat the scope before the file too. */
const ARCHIVE = /^https?:\/\/[^/]+(\/.+)\/-\/([^?#]+)\.tgz(?:[?#]|$)/i;

/** False also for addresses of another shape. */
export function isOtherTarball({ name, version, origin }: Listed): boolean {
  if (origin.kind !== "registry" || origin.url === null || version === null) return false;
  const [, folder = "", path = ""] = ARCHIVE.exec(decoded(origin.url)) ?? [];
  const [scope = "", bare = ""] = folder.split("/").slice(-2);
  if (bare === "") return false;
  const file = path.slice(path.lastIndexOf("/") + 1);
  const named = scope.startsWith("@") ? `${scope}/${bare}` : bare;
  const isNamed = named.toLowerCase() === name.toLowerCase();
  return !isNamed || plainVersion(file) !== plainVersion(`${bare}-${version}`);
}

/** Without build metadata, and without the leading zeros that old versions have in their files only. */
const plainVersion = (text: string): string =>
  text.replace(/\+.*$/s, "").replaceAll(/(?<![0-9])0+(?=[0-9])/g, "");

const decoded = (url: string): string => url.replaceAll(/%2f/gi, "/").replaceAll("%40", "@");
