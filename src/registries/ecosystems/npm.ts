/** The npm registry, and every registry with its API. */
import type { Lookup, Release } from "../../ecosystems/lookups.ts";
import { type Downloads, failedLookup } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, itemsAt, textAt, timeAt } from "../json-fields.ts";
import { type GithubRepository, githubRepositoryIn } from "./github-repository.ts";
import {
  type DescriptionOptions,
  downloadSource,
  mapFound,
  type PackageRegistry,
  readDescription,
  UNKNOWN_RELEASE,
} from "./package-registry.ts";

/** Names that were allowed before 2016 have capital letters. */
const NAME = /^(?:@[\w.~-]+\/)?[\w.~-]+$/;
const MAX_NAME_CHARS = 214;

const INSTALL_SCRIPTS = ["preinstall", "install", "postinstall"];

/** Only the document of all versions has times of publication. It's larger than this for packages with thousands of versions. */
const MAX_ALL_VERSIONS_BYTES = 8 * 1024 * 1024;

export function createNpmRegistry(downloads: Downloads, registry: string): PackageRegistry {
  const urlOf = (name: string): string => `${registry}/${encodeURIComponent(name).replace(/^%40/, "@")}`;
  const readVersion = (
    name: string,
    version: string,
    options: DescriptionOptions,
  ): Promise<Lookup<unknown>> =>
    readDescription(downloads, `${urlOf(name)}/${encodeURIComponent(version)}`, { has: "dist", ...options });

  return {
    isName: (name) => NAME.test(name) && name.length <= MAX_NAME_CHARS && !/^(?:@[^/]*\/)?\./.test(name),
    async readRelease(name, version, signal) {
      const [document, all] = await Promise.all([
        readVersion(name, version, { signal }),
        downloads.readJson(urlOf(name), { signal, maxBytes: MAX_ALL_VERSIONS_BYTES }),
      ]);
      const listedAt = all.kind === "found" ? timeAt(all.value, "time", version) : null;
      // Some mirrors have only the document of all versions. The time of an unpublished version stays.
      if (document.kind === "absent" && all.kind === "found" && lacksVersion(all.value, version))
        return {
          kind: "found",
          value: { ...UNKNOWN_RELEASE, publishedAt: listedAt, isUnpublished: true },
        };
      return mapFound(document, (value) => ({
        kind: "found",
        value: releaseOf(value, listedAt ?? uploadTimeOf(value)),
      }));
    },
    async readSource(name, version, options) {
      const document = await readVersion(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const url = textAt(document.value, "dist", "tarball");
      const integrity = textAt(document.value, "dist", "integrity") ?? sha1Of(document.value);
      if (url === null) return failedLookup("malformed");
      return downloadSource(downloads, { url, integrity, format: "tar.gz", root: "one-folder" }, options);
    },
  };
}

/** Of a package that was unpublished as a whole, only the times are left. */
const lacksVersion = (all: unknown, version: string): boolean =>
  (fieldAt(all, "versions") ?? fieldAt(all, "time")) !== undefined &&
  fieldAt(all, "versions", version) === undefined;

/** The public registry notes the name of the uploaded file, "tmp/name_1.2.3_1709760000000_0.1", with the time in milliseconds. */
function uploadTimeOf(document: unknown): string | null {
  const [, ms] = /_(1\d{12})_[\d.]+$/.exec(textAt(document, "_npmOperationalInternal", "tmp") ?? "") ?? [];
  return ms === undefined ? null : new Date(Number(ms)).toISOString();
}

/** Before 2017, the registry had no other digest. */
function sha1Of(document: unknown): string | null {
  const hex = textAt(document, "dist", "shasum");
  return integrityOf("sha1", hex);
}

function releaseOf(document: unknown, publishedAt: string | null): Release {
  const publisher = textAt(document, "_npmUser", "name");
  const place = repositoryOf(document);
  return {
    publishedAt,
    hasInstallScript: INSTALL_SCRIPTS.some((script) => textAt(document, "scripts", script) !== null),
    publishers: publisher === null ? null : [publisher],
    repository: place?.repository ?? null,
    folder: textAt(document, "repository", "directory") ?? place?.folder ?? null,
    // The registry deletes what its publishers take back. A deprecated version is still offered.
    isWithdrawn: false,
    isUnpublished: false,
    deprecation: textAt(document, "deprecated") ?? "",
    licence: textAt(document, "license") ?? textAt(document, "license", "type"),
    hasProvenance: fieldAt(document, "dist", "attestations") !== undefined,
    maintainers: namesOf(itemsAt(document, "maintainers")),
  };
}

function namesOf(people: readonly unknown[]): readonly string[] | null {
  const names = people.flatMap((person) => textAt(person, "name") ?? []);
  return names.length === 0 ? null : names.toSorted();
}

function repositoryOf(document: unknown): GithubRepository | null {
  const repository = fieldAt(document, "repository");
  const text = typeof repository === "string" ? repository : textAt(repository, "url");
  return githubRepositoryIn(text, { isShort: true });
}
