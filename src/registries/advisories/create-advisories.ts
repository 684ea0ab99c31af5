/** Chooses where advisories come from: an offline copy if the operator has one, else OSV, and GitHub for what OSV couldn't answer. */
import type { Downloads } from "../downloads.ts";
import type { HttpClient } from "../http-client.ts";
import type { AdvisoryReader, WantedVersion } from "./advisory-query.ts";
import { withExploitation } from "./exploitation.ts";
import { createGitHubAdvisories } from "./github-advisories.ts";
import { createOfflineAdvisories } from "./offline-advisories.ts";
import { createOsvAdvisories } from "./osv-advisories.ts";

export type AdvisoryParts = {
  readonly http: HttpClient;
  readonly downloads: Downloads;
  /** KODIAI_ADVISORIES; null without a copy. */
  readonly offlineCopy: string | null;
};

export function createAdvisories({ http, downloads, offlineCopy }: AdvisoryParts): AdvisoryReader {
  if (offlineCopy !== null) return withExploitation(createOfflineAdvisories(offlineCopy), offlineCopy);
  const [osv, github] = [createOsvAdvisories(http, downloads), createGitHubAdvisories(downloads)];
  return async (wanted, signal) => {
    const first = await osv(wanted, signal);
    const failed: WantedVersion[] = first.versions.filter(
      ({ advisories }) =>
        advisories.kind === "failed" &&
        advisories.reason !== "unsupported" &&
        advisories.reason !== "offline",
    );
    if (failed.length === 0) return first;
    const second = await github(failed, signal);
    const isAnswered = second.versions.some(({ advisories }) => advisories.kind === "found");
    if (!isAnswered) return first;
    const keyOf = ({ id, version }: WantedVersion): string =>
      `${id.ecosystem}\u0000${id.name}\u0000${version}`;
    const byKey = new Map(second.versions.map((each) => [keyOf(each), each]));
    return {
      source: failed.length === wanted.length ? second.source : first.source,
      versions: first.versions.map((each) => byKey.get(keyOf(each)) ?? each),
    };
  };
}
