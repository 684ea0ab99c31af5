/** Everything that is known about a change before anybody reads its code: policy, attributes, analysis. */
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import { analyseChange } from "../../review/analysis/analyse-change.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { TagTrust } from "../../review/analysis/intent.ts";
import type { AuthorFacts } from "../../review/analysis/author-tier.ts";
import type { Change } from "../../review/change/change.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { gatherAttributes } from "./gather-attributes.ts";
import { gatherConfig, type GatheredConfig, type GivenConfig } from "./gather-config.ts";
import { createListing, type Listing } from "./gather-listing.ts";
import type { Degradations } from "./optional.ts";
import type { FloorReading } from "../reading/read-with-floor.ts";

export type ReviewRequest = {
  readonly change: Change;
  /** Stands in for the repository's own configuration. */
  readonly givenConfig: GivenConfig | null;
  /** A person asked for this review: tags such as [no-review] do not stop it. */
  readonly isExplicit: boolean;
  /** Whose tags may make the review say less. */
  readonly tags: TagTrust;
  readonly author: AuthorFacts;
  /** Identities of findings that were told before on the same pull request. */
  readonly alreadyTold: ReadonlySet<string>;
  /** Identities that reviews of other heads only listed in the details; left out: none. */
  readonly listedBefore?: ReadonlySet<string>;
};

export type ReviewDeps = {
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (stage: string, done: number, total: number) => void;
  readonly version: string;
  /** What models need; they are loaded when one was chosen. */
  readonly models: ModelAccess;
  /** Stands in for the deterministic reviewer; left out: it reads itself. */
  readonly readFloor?: (prepared: PreparedReview) => Promise<FloorReading>;
};

export type PreparedReview = {
  readonly change: Change;
  readonly config: GatheredConfig;
  readonly analysis: Analysis;
  readonly alreadyTold: ReadonlySet<string>;
  readonly listedBefore: ReadonlySet<string>;
  readonly listing: Listing;
  readonly degradations: Degradations;
};

export async function prepareReview(
  request: ReviewRequest,
  { repository, degradations }: Pick<ReviewDeps, "repository"> & { readonly degradations: Degradations },
): Promise<PreparedReview> {
  const { change, alreadyTold, listedBefore = new Set() } = request;
  const listing = createListing(change, repository, degradations);
  const [config, attributes] = await Promise.all([
    gatherConfig(change, repository, request.givenConfig),
    gatherAttributes(change, repository, degradations),
  ]);
  const analysis = analyseChange(change, {
    config: config.tree,
    attributes,
    author: request.author,
    isDependencyBump: false,
    isExplicit: request.isExplicit,
    tags: request.tags,
  });
  return { change, config, analysis, alreadyTold, listedBefore, listing, degradations };
}
