/** Dependencies of the steps that review a pull request: the App's adapters, which all jobs share, and one job's own attempt. */
import type { Analysers } from "../../linters/analysers.ts";
import type { TypeChecker } from "../../linters/type-checker.ts";
import type { CodeIndex } from "../../code-index/code-index.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import type { Forge, ForgeSession, PublishOutcome } from "../../forge/forge.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository, RepositoryCache } from "../../repository/repository.ts";
import type { Change } from "../../review/change/change.ts";
import type { SarifReport } from "../../review/findings/sarif-report.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { DependencyLookups } from "../gathering/dependencies/report-deps.ts";
import type { GivenConfig } from "../gathering/gather-config.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { JobStore } from "../job-store.ts";
import type { MemorySource } from "../memory/memory-source.ts";
import type { ModelSource } from "../reading/pull-request-models.ts";
import type { JobContext } from "../recipe.ts";
import type { ChangeReview } from "../review-change.ts";
import type { ReviewJob } from "../review-job.ts";

export type PullRequestDeps = {
  readonly forge: Pick<Forge, "openSession">;
  readonly repositories: Pick<RepositoryCache, "openPullRequest">;
  readonly store: JobStore;
  readonly code: CodeTools;
  readonly memory: MemorySource;
  readonly models: ModelSource;
  /** Opens a plain review, or one that also records the run. */
  readonly openReview: OpenReview;
  readonly version: string;
  /** Missing in the App. */
  readonly oneShot?: OneShotPolicy;
};

/**
 * How a review differs that a workflow or a person starts once, without a server and without a lasting database. The person or workflow
 * wants it now, so it doesn't wait for another push.
 */
export type OneShotPolicy = {
  /** Replaces the repository's own configuration. Null: none. */
  readonly givenConfig: GivenConfig | null;
  /** Replaces `review.verify` of the configuration. Null: it doesn't. */
  readonly verify: RepoConfig["review"]["verify"] | null;
  /** The results of other tools for a change. */
  readonly readSarif: (change: Change) => readonly SarifReport[];
  /** Findings are in the summary, not on lines. */
  readonly isSummaryOnly: boolean;
  /** Reviews a head that was reviewed before again. */
  readonly mayRepeat: boolean;
  /** Called when publishing has ended, also if it is tried again later. */
  readonly onReviewed: (reviewed: OneShotReview) => void;
};

export type OneShotReview = {
  readonly jobId: number;
  readonly publication: Publication;
  readonly failOn: RepoConfig["review"]["failOn"];
  readonly outcome: PublishOutcome;
};

/** The tools that read code without running it. */
export type CodeTools = {
  /** One reader per review, so that no state of a change outlives its review. */
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  /** Facts about the files of a repository. */
  readonly openCodeIndex: (given: {
    readonly repository: Repository;
    readonly reader: Reader;
    readonly repositoryId: number;
  }) => Promise<CodeIndex>;
  readonly analysers: Analysers;
  readonly typeChecker: TypeChecker;
  readonly lookups: DependencyLookups;
};

export type OpenReview = (deps: ReviewDeps, degradations: Degradations, runId: number) => ChangeReview;

/** One attempt of a job at a review. */
export type ReviewAttempt = {
  readonly reviewJob: ReviewJob;
  readonly session: ForgeSession;
  readonly context: JobContext;
  readonly reader: Reader;
};
