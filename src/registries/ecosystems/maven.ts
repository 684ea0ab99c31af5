/** Maven Central, which is a file server: a version's time is the time of its file, and its sources are an archive of their own. */
import { type Downloads, failedLookup } from "../downloads.ts";
import { isoTimeOf } from "../json-fields.ts";
import { firstGithubRepository } from "./github-repository.ts";
import { downloadSource, mapFound, type PackageRegistry, UNKNOWN_RELEASE } from "./package-registry.ts";

const ORIGIN = "https://repo1.maven.org/maven2";

/** `group:artifact` */
const NAME = /^[\w-]+(?:\.[\w-]+)*:[\w.-]+$/;

export function createMavenRegistry(downloads: Downloads): PackageRegistry {
  const urlOf = (name: string, version: string, end: string): string => {
    const [group = "", artifact = ""] = name.split(":");
    const folders = [...group.split("."), artifact, version].map(encodeURIComponent);
    return `${ORIGIN}/${folders.join("/")}/${encodeURIComponent(`${artifact}-${version}${end}`)}`;
  };
  return {
    isName: (name) => NAME.test(name) && !/:\.+$/.test(name),
    async readRelease(name, version, signal) {
      const pom = await downloads.readText(urlOf(name, version, ".pom"), { signal });
      return mapFound(pom, ({ text, lastModified }) => {
        if (!text.includes("<project")) return failedLookup("malformed");
        const place = firstGithubRepository([
          ...tagsIn(elementIn(text, "scm") ?? ""),
          elementIn(text, "url"),
        ]);
        return {
          kind: "found",
          value: {
            ...UNKNOWN_RELEASE,
            publishedAt: isoTimeOf(lastModified),
            hasInstallScript: false,
            ...place,
            // Central never takes a version back.
            isWithdrawn: false,
          },
        };
      });
    },
    readSource(name, version, options) {
      const url = urlOf(name, version, "-sources.jar");
      return downloadSource(downloads, { url, integrity: null, format: "zip", root: "none" }, options);
    },
  };
}

/** The content of the first element with this name. POM files are written by tools, and a wrong match names a wrong repository at worst. */
function elementIn(text: string, name: string): string | null {
  const start = text.indexOf(`<${name}>`);
  const end = text.indexOf(`</${name}>`, start);
  return start === -1 || end === -1 ? null : text.slice(start + name.length + 2, end);
}

function tagsIn(scm: string): readonly (string | null)[] {
  return ["url", "connection", "developerConnection"].map((name) => elementIn(scm, name));
}
