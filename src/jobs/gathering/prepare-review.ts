/** Gathers everything about a change that is needed before its code is read: policy, attributes, analysis. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import { analyseChange } from "../../review/analysis/analyse-change.ts";
import type { TagTrust } from "../../review/analysis/intent.ts";
import { markOf } from "../../review/analysis/marks.ts";
import type { AuthorFacts } from "../../review/analysis/author-tier.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import type { AskedQuestion } from "../../review/context/asked-question.ts";
import type { ContextSources } from "../../review/context/context.ts";
import { isFileUnread } from "../../review/change/scope.ts";
import { decideScope } from "../../review/context/decide-scope.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { Knowledge } from "../knowledge.ts";
import type { ReviewProgress } from "../review-progress.ts";
import type { OrganizationConfig } from "./gather-organization-config.ts";
import { gatherAttributes } from "./gather-attributes.ts";
import { digestOf, type GatheredConfig, gatherConfig, type GivenConfig } from "./gather-config.ts";
import type { ComparedDependencies, CompareDeps } from "./dependencies/compare-dependencies.ts";
import { couldListDependencies } from "../../ecosystems/dependency-paths.ts";
import { createListing } from "./gather-listing.ts";
import type { Degradations } from "./optional.ts";
import type { TeamMemory } from "./team-memory.ts";
import type { PreparedReview } from "./prepared-review.ts";

export type ReviewRequest = {
  readonly change: Change;
  /** Replaces the repository's own configuration. */
  readonly givenConfig: GivenConfig | null;
  /** Defaults of the repository's owner. Missing where no host was asked for them. */
  readonly organization?: OrganizationConfig;
  /** Replaces `review.verify` of the configuration. Missing or null: it doesn't. */
  readonly verify?: RepoConfig["review"]["verify"] | null;
  /** Replaces `review.passes` in the same way. */
  readonly passes?: RepoConfig["review"]["passes"] | null;
  /** A person requested this review: tags such as [no-review] don't stop it. */
  readonly isExplicit: boolean;
  /** A person wants everything read again, not only what is new. */
  readonly isFull: boolean;
  /** Which tags may reduce the review. */
  readonly tags: TagTrust;
  readonly author: AuthorFacts;
  readonly prior: PriorReview;
  /** Results of other tools that the user passed. Missing: none. */
  readonly sarif?: readonly SarifReport[];
  /** Missing unless the review is a deep one. */
  readonly asked?: AskedQuestion;
};

/** The ports of a review. A recording wraps them, and a replay answers at them. */
export type ReviewDeps = {
  /** Null when only a diff is known. */
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly knowledge: Knowledge;
  /** Null when no host provides checks. */
  readonly readChecks: ContextSources["readChecks"];
  /** Null where nothing is remembered beyond the change itself. */
  readonly teamMemory: TeamMemory | null;
  readonly now: () => number;
  readonly signal: AbortSignal;
  readonly onProgress: (progress: ReviewProgress) => void;
  readonly version: string;
};

export async function prepareReview(
  request: ReviewRequest,
  { repository, reader }: Pick<ReviewDeps, "repository" | "reader">,
  degradations: Degradations,
): Promise<PreparedReview> {
  const { change, prior, isFull, sarif = [], asked = null } = request;
  const earlier = prior.runs[0]?.files ?? [];
  const listing = createListing(change, repository, degradations);
  const attributing = gatherAttributes(change, repository, degradations);
  const readGenerated = async () => {
    const known = await attributing;
    return (file: ChangedFile): boolean => markOf(file, known.get(file.path)) !== null;
  };
  const [gathered, attributes, dependencies] = await Promise.all([
    gatherConfig(change, earlier, {
      repository,
      given: request.givenConfig,
      ...(request.organization === undefined ? {} : { organization: request.organization }),
    }),
    attributing,
    compareTouched(change, { repository, reader, listing, degradations, readGenerated }),
  ]);
  const config = withOptions(gathered, request);
  const scope = decideScope({ files: change.files, prior, isFull, config: digestOf(config, earlier) });
  const analysis = analyseChange(change, {
    config: config.tree,
    attributes,
    author: request.author,
    isDependencyBump: dependencies?.extent === "pure",
    isExplicit: request.isExplicit,
    isReadBefore: (path) => !isFileUnread(path, scope),
    tags: request.tags,
  });
  return { asked, change, config, analysis, prior, scope, sarif, dependencies, listing, degradations };
}

/** How often a model reads, and which findings are checked, are settings of the root file only. */
function withOptions(
  config: GatheredConfig,
  { verify = null, passes = null }: Pick<ReviewRequest, "verify" | "passes">,
): GatheredConfig {
  if (verify === null && passes === null) return config;
  const { root } = config.tree;
  const given = { ...(verify === null ? {} : { verify }), ...(passes === null ? {} : { passes }) };
  const values = { ...root.values, review: { ...root.values.review, ...given } };
  return { ...config, tree: { ...config.tree, root: { ...root, values } } };
}

async function compareTouched(change: Change, deps: CompareDeps): Promise<ComparedDependencies | null> {
  const touched = change.files.filter(({ path }) => couldListDependencies(path));
  if (touched.length === 0) return null;
  // Imported only here: most changes touch no dependency.
  const { compareDependencies } = await import("./dependencies/compare-dependencies.ts");
  return compareDependencies(change, touched, deps);
}
