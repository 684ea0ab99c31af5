/** Dependencies of the steps that review a pull request: the App's adapters, and the context of this job. */
import type { Analysers } from "../../linters/analysers.ts";
import type { CodeIndex } from "../../code-index/code-index.ts";
import type { Forge } from "../../forge/forge.ts";
import type { Queue } from "../../queue/queue.ts";
import type { Reader } from "../../reading/reader.ts";
import type { Repository, RepositoryCache } from "../../repository/repository.ts";
import type { Database } from "../../store/database.ts";
import type { DependencyLookups } from "../gathering/dependencies/report-dependencies.ts";
import type { Degradations } from "../gathering/optional.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { MemorySource } from "../memory/memory-source.ts";
import type { ModelSource } from "../reading/pull-request-models.ts";
import type { JobContext } from "../recipe.ts";
import type { ChangeReview } from "../review-change.ts";

export type PullRequestDeps = {
  readonly forge: Forge;
  readonly repositories: Pick<RepositoryCache, "openPullRequest">;
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  /** One reader per review, so that no state of a change outlives its review. */
  readonly openReader: (signal: AbortSignal) => Promise<Reader>;
  readonly analysers: Analysers;
  /** Facts about the files of a repository. */
  readonly openCodeIndex: (given: {
    readonly repository: Repository;
    readonly reader: Reader;
    readonly repositoryId: number;
  }) => Promise<CodeIndex>;
  readonly lookups: DependencyLookups;
  readonly memory: MemorySource;
  /** Opens a plain review, or one that also records the run. */
  readonly openReview: OpenReview;
  /** Milliseconds since 1970. */
  readonly now: () => number;
  readonly version: string;
  readonly models: ModelSource;
};

export type OpenReview = (deps: ReviewDeps, degradations: Degradations, runId: number) => ChangeReview;

export type RunDeps = PullRequestDeps & { readonly context: JobContext; readonly reader: Reader };
