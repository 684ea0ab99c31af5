/** GitHub Actions and pre-commit hooks: their versions are tags, branches and commits of a repository on GitHub. */
import type { Lookup, Release } from "../../ecosystems/lookups.ts";
import { type Downloads, failedLookup } from "../downloads.ts";
import { contentsAt, GITHUB_API, GITHUB_RAW } from "../github-access.ts";
import { textAt, timeAt } from "../json-fields.ts";
import { githubRepositoryIn } from "./github-repository.ts";
import { type PackageRegistry, readDescription, UNKNOWN_RELEASE } from "./package-registry.ts";

/** An action can be in a folder of its repository: `owner/name/folder`. */
const ACTION = /^([\w-]+\/[\w.-]+)(?:\/([\w./-]+))?$/;

export function createGithubTags(downloads: Downloads): PackageRegistry {
  return {
    isName: (name) => placeOf(name) !== null,
    async readRelease(name, version, signal): Promise<Lookup<Release>> {
      const place = placeOf(name);
      if (place === null) return failedLookup("unsupported");
      const base = `${GITHUB_API}/repos/${place.repository}`;
      const commit = await readDescription(downloads, `${base}/commits/${encodeURIComponent(version)}`, {
        has: "sha",
        signal,
        accept: "application/vnd.github+json",
      });
      if (commit.kind !== "found") return commit;
      const author = textAt(commit.value, "committer", "login");
      return {
        kind: "found",
        value: {
          ...UNKNOWN_RELEASE,
          ...place,
          publishedAt: timeAt(commit.value, "commit", "committer", "date"),
          publishers: author === null ? null : [author],
        },
      };
    },
    /** Of an action only the file that describes it. Hooks have no such file. */
    async readSource(name, version, { wants, signal, purpose }) {
      const place = placeOf(name);
      if (place === null || purpose !== "code" || !ACTION.test(name)) return failedLookup("unsupported");
      for (const file of ["action.yml", "action.yaml"].filter(wants)) {
        const path = place.folder === null ? file : `${place.folder}/${file}`;
        const url = contentsAt(place.repository, path, version);
        const text = await downloads.readText(url, { signal, accept: GITHUB_RAW });
        if (text.kind === "found") return { kind: "found", value: new Map([[file, text.value.text]]) };
        if (text.kind === "failed") return text;
      }
      return { kind: "absent" };
    },
  };
}

function placeOf(name: string): { readonly repository: string; readonly folder: string | null } | null {
  const [, repository = null, folder = null] = ACTION.exec(name) ?? [];
  return (
    githubRepositoryIn(name) ??
    (repository === null || /(?:^|\/)\.+(?:\/|$)/.test(name) ? null : { repository, folder })
  );
}
