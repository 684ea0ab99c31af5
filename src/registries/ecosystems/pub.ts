/** pub.dev. */
import { type Downloads, failedLookup } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  type PackageRegistry,
  readDescription,
  releaseWith,
} from "./package-registry.ts";

const ORIGIN = "https://pub.dev";

const NAME = /^[a-z_]\w{0,63}$/i;

const ACCEPT = "application/vnd.pub.v2+json";

export function createPubRegistry(downloads: Downloads): PackageRegistry {
  const readVersion = (name: string, version: string, options: DescriptionOptions) =>
    readDescription(
      downloads,
      `${ORIGIN}/api/packages/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}`,
      { has: "version", ...options, accept: ACCEPT },
    );
  return {
    isName: (name) => NAME.test(name),
    async readRelease(name, version, signal) {
      return releaseWith(await readVersion(name, version, { signal }), (value) => {
        const links = ["repository", "homepage"].map((link) => textAt(value, "pubspec", link));
        const place = firstGithubRepository(links);
        return {
          publishedAt: timeAt(value, "published"),
          hasInstallScript: false,
          ...place,
          isWithdrawn: fieldAt(value, "retracted") === true,
        };
      });
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const [url, sha256] = [textAt(document.value, "archive_url"), textAt(document.value, "archive_sha256")];
      if (url === null) return failedLookup("malformed");
      const integrity = integrityOf("sha256", sha256);
      return downloadSource(downloads, { url, integrity, format: "tar.gz", root: "none" }, options);
    },
  };
}
