/** Hex, for Elixir and Erlang. */
import { type Downloads } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, textAt, textsAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  type PackageRegistry,
  readDescription,
  releaseWith,
} from "./package-registry.ts";

const API = "https://hex.pm";
const FILES = "https://repo.hex.pm";

const NAME = /^[a-z]\w{0,199}$/;

export function createHexRegistry(downloads: Downloads): PackageRegistry {
  const packageUrl = (name: string): string => `${API}/api/packages/${encodeURIComponent(name)}`;
  const readVersion = (name: string, version: string, options: DescriptionOptions) =>
    readDescription(downloads, `${packageUrl(name)}/releases/${encodeURIComponent(version)}`, {
      has: "version",
      ...options,
    });
  return {
    isName: (name) => NAME.test(name),
    async readRelease(name, version, signal) {
      const [document, whole] = await Promise.all([
        readVersion(name, version, { signal }),
        readDescription(downloads, packageUrl(name), { has: "name", signal }),
      ]);
      const links = whole.kind === "found" ? textsAt(whole.value, "meta", "links") : [];
      return releaseWith(document, (value) => {
        const publisher = textAt(value, "publisher", "username");
        const place = firstGithubRepository(links.map(([, link]) => link));
        return {
          publishedAt: timeAt(value, "inserted_at"),
          publishers: publisher === null ? null : [publisher],
          ...place,
          isWithdrawn: (fieldAt(value, "retirement") ?? null) !== null,
        };
      });
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const checksum = textAt(document.value, "checksum");
      const integrity = integrityOf("sha256", checksum);
      const url = `${FILES}/tarballs/${encodeURIComponent(`${name}-${version}.tar`)}`;
      return downloadSource(downloads, { url, integrity, format: "hex", root: "none" }, options);
    },
  };
}
