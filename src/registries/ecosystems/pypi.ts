/** PyPI's JSON API. */
import type { Release } from "../../ecosystems/lookups.ts";
import { type Downloads, failedLookup } from "../downloads.ts";
import { integrityOf } from "../integrity.ts";
import { fieldAt, itemsAt, textAt, textsAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import {
  type ArchivePlace,
  type DescriptionOptions,
  downloadSource,
  orUnpublished,
  type PackageRegistry,
  readDescription,
  releaseWith,
  type SourceOptions,
} from "./package-registry.ts";

const ORIGIN = "https://pypi.org";

const NAME = /^[a-z\d](?:[\w.-]*[a-z\d])?$/i;

/** Labels of the repository among a project's links, in any spelling. */
const REPOSITORY_LABEL = /source|repository|code|github|^git$/i;

export function createPypiRegistry(downloads: Downloads): PackageRegistry {
  const readDocument = (name: string, version: string, options: DescriptionOptions) =>
    readDescription(
      downloads,
      `${ORIGIN}/pypi/${encodeURIComponent(name)}/${encodeURIComponent(version)}/json`,
      { has: "info", ...options },
    );
  return {
    isName: (name) => NAME.test(name),
    async readRelease(name, version, signal) {
      const release = releaseWith(await readDocument(name, version, { signal }), releaseOf);
      return orUnpublished(release, () =>
        readDescription(downloads, `${ORIGIN}/pypi/${encodeURIComponent(name)}/json`, {
          has: "info",
          signal,
        }),
      );
    },
    async readSource(name, version, options) {
      const document = await readDocument(name, version, { signal: options.signal, isLasting: true });
      if (document.kind !== "found") return document;
      const files = itemsAt(document.value, "urls");
      const place = chooseFile(files, options);
      if (place !== null) return downloadSource(downloads, place, options);
      return files.length === 0 ? { kind: "absent" } : failedLookup("unsupported");
    },
  };
}

function releaseOf(document: unknown): Partial<Release> {
  const files = itemsAt(document, "urls");
  const times = files.flatMap((file) => timeAt(file, "upload_time_iso_8601") ?? []).sort();
  const links = textsAt(document, "info", "project_urls");
  const texts = [
    ...links.filter(([label]) => REPOSITORY_LABEL.test(label)).map(([, link]) => link),
    textAt(document, "info", "home_page"),
    ...links.map(([, link]) => link),
  ];
  return {
    publishedAt: times[0] ?? null,
    // Building a source distribution runs its code. Installing a wheel doesn't.
    hasInstallScript: files.length === 0 ? null : !files.some(isWheel),
    repository: firstGithubRepository(texts).repository,
    isWithdrawn: fieldAt(document, "info", "yanked") === true,
    licence:
      textAt(document, "info", "license_expression") ?? shortLicence(textAt(document, "info", "license")),
  };
}

/** Many packages have the whole text there. */
const MAX_LICENCE_CHARS = 60;
const shortLicence = (text: string | null): string | null =>
  text !== null && text.length <= MAX_LICENCE_CHARS && !text.includes("\n") ? text : null;

const isWheel = (file: unknown): boolean => textAt(file, "packagetype") === "bdist_wheel";

/** A wheel has the modules at their place; a source distribution has the changelog. Each one replaces the other if it's missing. */
function chooseFile(files: readonly unknown[], { purpose }: SourceOptions): ArchivePlace | null {
  const usable = files.flatMap((file) => placeOf(file) ?? []);
  const wheels = usable
    .filter(({ format, root }) => format === "zip" && root === "none")
    .sort((one, other) => Number(isPure(other.url)) - Number(isPure(one.url)));
  const sources = usable.filter((place) => !wheels.includes(place));
  const [place] = purpose === "code" ? [...wheels, ...sources] : [...sources, ...wheels];
  return place ?? null;
}

const isPure = (url: string): boolean => url.endsWith("-none-any.whl");

function placeOf(file: unknown): ArchivePlace | null {
  const [url, sha256] = [textAt(file, "url"), textAt(file, "digests", "sha256")];
  const integrity = integrityOf("sha256", sha256);
  if (url === null) return null;
  if (url.endsWith(".whl")) return { url, integrity, format: "zip", root: "none" };
  if (url.endsWith(".tar.gz")) return { url, integrity, format: "tar.gz", root: "one-folder" };
  return url.endsWith(".zip") ? { url, integrity, format: "zip", root: "one-folder" } : null;
}
