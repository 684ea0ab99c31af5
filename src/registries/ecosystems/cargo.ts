/** crates.io. */
import { type Downloads } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  mapFound,
  type PackageRegistry,
  readDescription,
  releaseWith,
} from "./package-registry.ts";

const API = "https://crates.io";
const FILES = "https://static.crates.io";

const NAME = /^[a-z][\w-]{0,63}$/i;

export function createCargoRegistry(downloads: Downloads): PackageRegistry {
  const readVersion = async (name: string, version: string, options: DescriptionOptions) => {
    const url = `${API}/api/v1/crates/${encodeURIComponent(name)}/${encodeURIComponent(version)}`;
    return mapFound(await readDescription(downloads, url, { has: "version", ...options }), (value) => ({
      kind: "found",
      value: fieldAt(value, "version"),
    }));
  };
  return {
    isName: (name) => NAME.test(name),
    async readRelease(name, version, signal) {
      return releaseWith(await readVersion(name, version, { signal }), (value) => {
        const publisher = textAt(value, "published_by", "login");
        const place = firstGithubRepository([textAt(value, "repository"), textAt(value, "homepage")]);
        return {
          publishedAt: timeAt(value, "created_at"),
          publishers: publisher === null ? null : [publisher],
          ...place,
          isWithdrawn: fieldAt(value, "yanked") === true,
          licence: textAt(value, "license"),
        };
      });
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const checksum = textAt(document.value, "checksum");
      const file = encodeURIComponent(`${name}-${version}.crate`);
      return downloadSource(
        downloads,
        {
          url: `${FILES}/crates/${encodeURIComponent(name)}/${file}`,
          integrity: integrityOf("sha256", checksum),
          format: "tar.gz",
          root: "one-folder",
        },
        options,
      );
    },
  };
}
