/** The Go module proxy. A module's time is the time of its commit, which is all the proxy knows. */
import { type Downloads } from "../downloads.ts";
import { textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import { downloadSource, type PackageRegistry, readDescription, releaseWith } from "./package-registry.ts";

const ORIGIN = "https://proxy.golang.org";

/** A path of plain segments, of which the first one is a host. */
const NAME = /^[a-z\d-]+(?:\.[a-z\d-]+)+(?:\/[\w.~-]+)*$/i;

export function createGoRegistry(downloads: Downloads): PackageRegistry {
  const urlOf = (name: string, version: string, kind: "info" | "zip"): string =>
    `${ORIGIN}/${name.split("/").map(escapeSegment).join("/")}/@v/${escapeSegment(version)}.${kind}`;
  return {
    isName: (name) => NAME.test(name) && !name.split("/").some((segment) => /^\.+$/.test(segment)),
    async readRelease(name, version, signal) {
      const document = await readDescription(downloads, urlOf(name, version, "info"), {
        has: "Version",
        signal,
      });
      return releaseWith(document, (value) => {
        const origin = firstGithubRepository([textAt(value, "Origin", "URL")]);
        const named = repositoryOfPath(name);
        return {
          publishedAt: timeAt(value, "Time"),
          hasInstallScript: false,
          repository: origin?.repository ?? named?.repository ?? null,
          folder: textAt(value, "Origin", "Subdir") ?? named?.folder ?? null,
        };
      });
    },
    readSource(name, version, options) {
      const root = { prefix: `${name}@${version}/` };
      return downloadSource(
        downloads,
        { url: urlOf(name, version, "zip"), integrity: null, format: "zip", root },
        options,
      );
    },
  };
}

/** The proxy escapes capital letters, for file systems that don't distinguish them. */
function escapeSegment(segment: string): string {
  return encodeURIComponent(segment.replaceAll(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`));
}

/** `github.com/owner/name/folder/v2`: the last segment can be the major version. */
function repositoryOfPath(
  name: string,
): { readonly repository: string; readonly folder: string | null } | null {
  const [host, owner, repository, ...rest] = name.split("/");
  if (host !== "github.com" || owner === undefined || repository === undefined) return null;
  const folder = rest
    .filter((segment, index) => index < rest.length - 1 || !/^v\d+$/.test(segment))
    .join("/");
  return { repository: `${owner}/${repository}`, folder: folder === "" ? null : folder };
}
