/** NuGet.org. Its packages have libraries instead of sources, and sometimes a changelog. */
import { type Downloads } from "../downloads.ts";
import { fieldAt, timeAt } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import { downloadSource, type PackageRegistry, readDescription, releaseWith } from "./package-registry.ts";

const ORIGIN = "https://api.nuget.org";

const NAME = /^\w+(?:[.-]\w+)*$/;
const MAX_NAME_CHARS = 100;

export function createNugetRegistry(downloads: Downloads): PackageRegistry {
  const fileOf = (name: string, version: string, file: string): string =>
    `${ORIGIN}/v3-flatcontainer/${encodeURIComponent(name)}/${encodeURIComponent(version)}/${encodeURIComponent(file)}`;
  return {
    isName: (name) => NAME.test(name) && name.length <= MAX_NAME_CHARS,
    async readRelease(name, version, signal) {
      const [id, plain] = [name.toLowerCase(), normalizedVersion(version)];
      const base = `${ORIGIN}/v3/registration5-gz-semver2`;
      const [document, nuspec] = await Promise.all([
        readDescription(downloads, `${base}/${encodeURIComponent(id)}/${encodeURIComponent(plain)}.json`, {
          has: "packageContent",
          signal,
        }),
        downloads.readText(fileOf(id, plain, `${id}.nuspec`), { signal }),
      ]);
      const links = nuspec.kind === "found" ? linksIn(nuspec.value.text) : [];
      return releaseWith(document, (value) => {
        const isListed = fieldAt(value, "listed") !== false;
        return {
          // Unlisting a version sets its time to the year 1900.
          publishedAt: isListed ? timeAt(value, "published") : null,
          repository: firstGithubRepository(links).repository,
          isWithdrawn: !isListed,
        };
      });
    },
    readSource(name, version, options) {
      const [id, plain] = [name.toLowerCase(), normalizedVersion(version)];
      const url = fileOf(id, plain, `${id}.${plain}.nupkg`);
      return downloadSource(downloads, { url, integrity: null, format: "zip", root: "none" }, options);
    },
  };
}

/** URLs have at least three numbers, a fourth one only if it isn't 0, and no build metadata. */
function normalizedVersion(version: string): string {
  const [, numbers = "", rest = ""] = /^([\d.]+)(.*)$/.exec(version.split("+")[0] ?? "") ?? [];
  if (numbers === "") return version.toLowerCase();
  const parts = numbers.split(".").map((part) => String(Number(part)));
  while (parts.length < 3) parts.push("0");
  if (parts.length === 4 && parts[3] === "0") parts.pop();
  return `${parts.join(".")}${rest.toLowerCase()}`;
}

function linksIn(nuspec: string): readonly (string | null)[] {
  const [, repository = null] = /<repository\s[^>]{0,500}?url="([^"]{1,500})"/.exec(nuspec) ?? [];
  const [, project = null] = /<projectUrl>([^<]{1,500})</.exec(nuspec) ?? [];
  return [repository, project];
}
