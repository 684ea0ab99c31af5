/** RubyGems.org. */
import { type Downloads } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, licencesAt, textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  orUnpublished,
  type PackageRegistry,
  readDescription,
  releaseWith,
} from "./package-registry.ts";

const ORIGIN = "https://rubygems.org";

const NAME = /^[\w.-]{1,200}$/;

export function createRubygemsRegistry(downloads: Downloads): PackageRegistry {
  const readVersion = (name: string, version: string, options: DescriptionOptions) =>
    readDescription(
      downloads,
      `${ORIGIN}/api/v2/rubygems/${encodeURIComponent(name)}/versions/${encodeURIComponent(version)}.json`,
      { has: "platform", ...options },
    );
  return {
    isName: (name) => NAME.test(name) && !/^\.+$/.test(name),
    async readRelease(name, version, signal) {
      const release = releaseWith(await readVersion(name, version, { signal }), (value) => {
        const links = ["source_code_uri", "homepage_uri", "changelog_uri"];
        const place = firstGithubRepository([
          ...links.map((link) => textAt(value, link)),
          ...links.map((link) => textAt(value, "metadata", link)),
        ]);
        return {
          publishedAt: timeAt(value, "version_created_at") ?? timeAt(value, "created_at"),
          ...place,
          isWithdrawn: fieldAt(value, "yanked") === true,
          licence: licencesAt(value, "licenses"),
        };
      });
      // A version with a platform has its number here, and its platform in a parameter.
      if (version.includes("-")) return release;
      return orUnpublished(release, () =>
        readDescription(downloads, `${ORIGIN}/api/v1/gems/${encodeURIComponent(name)}.json`, {
          has: "name",
          signal,
        }),
      );
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const sha = textAt(document.value, "sha");
      const url = `${ORIGIN}/downloads/${encodeURIComponent(`${name}-${version}.gem`)}`;
      const integrity = integrityOf("sha256", sha);
      return downloadSource(downloads, { url, integrity, format: "gem", root: "none" }, options);
    },
  };
}
