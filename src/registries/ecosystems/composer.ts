/** Packagist's metadata for Composer 2. Its archives come from the repositories' hosts. */
import type { Lookup } from "../../ecosystems/lookups.ts";
import { type Downloads, failedLookup } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, itemsAt, licencesAt, textAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  mapFound,
  type PackageRegistry,
  readDescription,
  releaseWith,
} from "./package-registry.ts";

const ORIGIN = "https://repo.packagist.org";

const NAME = /^[a-z\d](?:[_.-]?[a-z\d]+)*\/[a-z\d](?:[_.-]{0,2}[a-z\d]+)*$/;

/** The document has all versions of the package. */
const MAX_ALL_VERSIONS_BYTES = 8 * 1024 * 1024;

export function createComposerRegistry(downloads: Downloads): PackageRegistry {
  async function readVersion(
    name: string,
    version: string,
    options: DescriptionOptions,
  ): Promise<Lookup<unknown>> {
    const url = `${ORIGIN}/p2/${name.split("/").map(encodeURIComponent).join("/")}.json`;
    const document = await readDescription(downloads, url, {
      has: "packages",
      ...options,
      maxBytes: MAX_ALL_VERSIONS_BYTES,
    });
    return mapFound(document, (value) => findVersion(itemsAt(value, "packages", name), version));
  }
  return {
    isName: (name) => NAME.test(name) && name.length <= 200,
    async readRelease(name, version, signal) {
      return releaseWith(await readVersion(name, version, { signal }), (value) => ({
        publishedAt: timeAt(value, "time"),
        // Composer runs scripts of the project only, never those of a package. Plugins run their code.
        hasInstallScript: textAt(value, "type") === "composer-plugin",
        repository: firstGithubRepository([textAt(value, "source", "url")]).repository,
        isWithdrawn: false,
        licence: licencesAt(value, "license"),
        deprecation: abandonmentOf(fieldAt(value, "abandoned")),
      }));
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const [url, sha1] = [textAt(document.value, "dist", "url"), textAt(document.value, "dist", "shasum")];
      if (url === null || textAt(document.value, "dist", "type") !== "zip")
        return failedLookup("unsupported");
      const integrity = integrityOf("sha1", sha1);
      return downloadSource(downloads, { url, integrity, format: "zip", root: "one-folder" }, options);
    },
  };
}

/** `true`, or the name of the package to use instead. */
function abandonmentOf(abandoned: unknown): string {
  if (typeof abandoned === "string" && abandoned !== "") return `abandoned, use ${abandoned}`;
  return abandoned === true ? "abandoned" : "";
}

/** Each version has only the fields that differ from the one before it; "__unset" removes a field. */
function findVersion(versions: readonly unknown[], wanted: string): Lookup<unknown> {
  let fields: Readonly<Record<string, unknown>> = {};
  for (const version of versions) {
    if (typeof version !== "object" || version === null) return failedLookup("malformed");
    const changed = Object.entries({ ...fields, ...version });
    fields = Object.fromEntries(changed.filter(([, value]) => value !== "__unset"));
    if (plainVersion(fieldAt(fields, "version")) === plainVersion(wanted))
      return { kind: "found", value: fields };
  }
  return { kind: "absent" };
}

function plainVersion(version: unknown): string {
  return typeof version === "string" ? version.replace(/^v(?=\d)/i, "") : "";
}
