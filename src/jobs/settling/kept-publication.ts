/** The last publication of a pull request, as it is kept to be settled later: compressed, because its code and its receipt repeat themselves. */
import { deflateRawSync, inflateRawSync } from "node:zlib";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { MovedFinding } from "../../review/publication/pull-request-publication.ts";

export type KeptPublication = {
  readonly publication: Publication;
  readonly head: string;
  readonly skippedBecause: string | null;
  /** The findings that the host refused on their lines. */
  readonly moved: readonly MovedFinding[];
  /** The configuration that the review went by. `feedback` is null if memory is off. */
  readonly policy: Pick<RepoConfig["review"], "failOn" | "summary"> & {
    readonly isSummaryOnly: boolean;
    readonly feedback: RepoConfig["feedback"] | null;
  };
  /** As in the marker of the summary. */
  readonly state: string;
};

/** A review of the largest change that is read in full takes less. */
const MAX_KEPT_CHARS = 2_000_000;

/** Null for one that is too large. */
export function renderKeptPublication(kept: KeptPublication): string | null {
  const text = deflateRawSync(JSON.stringify(kept)).toString("base64");
  return text.length <= MAX_KEPT_CHARS ? text : null;
}

/** Only `renderKeptPublication` of the same version wrote it, so its shape is known. */
export function parseKeptPublication(text: string): KeptPublication {
  return JSON.parse(inflateRawSync(Buffer.from(text, "base64")).toString()) as KeptPublication;
}
