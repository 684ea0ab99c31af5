/** The GitHub App's interface for commands. compose/app.ts implements it. */
import type { RepoConfig } from "../config/repo-config/schema.ts";
import type { PullRequestAddress, RawDelivery, WrittenParts } from "../forge/forge.ts";
import type { OrganizationConfig } from "../jobs/gathering/gather-organization-config.ts";
import type { GivenConfig } from "../jobs/gathering/gather-config.ts";
import type { Job, Queue } from "../queue/queue.ts";
import type { Repository } from "../repository/repository.ts";
import type { AuthorFacts } from "../review/analysis/author-tier.ts";
import type { Change } from "../review/change/change.ts";
import type { SarifReport } from "../review/findings/sarif-report.ts";
import type { Publication } from "../review/publication/publication.ts";
import type { Database } from "../store/database.ts";
import type { Vectors } from "../store/vectors/vectors.ts";

export type ServeOptions = {
  readonly host: string | null;
  readonly port: number | null;
  /** How many jobs the server also runs at a time; null for none. */
  readonly concurrency: number | null;
  /** False for `--no-dashboard`. */
  readonly hasDashboard: boolean;
};

/** A dashboard in a process of its own. */
export type DashboardOptions = {
  readonly host: string;
  readonly port: number;
  /** Only for this machine, whatever address people open otherwise. */
  readonly isLocal: boolean;
};

/** A server or worker that runs until it's stopped. */
export type Running = {
  /** One line for the operator: where it listens or how much it runs. */
  readonly description: string;
  stop(): Promise<void>;
};

/** For a user who waits for a job. Aborting the signal cancels the job, which then stops as soon as it safely can. */
export type WaitingOptions = {
  readonly onStep: (step: string) => void;
  readonly signal: AbortSignal;
};

/** `isFull` reads everything again, not only what is new. */
export type PublishOptions = WaitingOptions & { readonly isFull: boolean };

export type App = {
  serve(options: ServeOptions): Promise<Running>;
  work(concurrency: number): Promise<Running>;
  /** Runs the one job that the parent worker passes to this process. Resolves after the job. */
  runGivenJob(signal: AbortSignal): Promise<void>;
  /** Queues a review of a pull request and runs it in this process. Resolves when the job has finished. */
  publishReview(address: PullRequestAddress, options: PublishOptions): Promise<Job>;
  close(): Promise<void>;
};

/** The settings of a run with a given token. */
export type OneShotGiven = {
  /** The host's pages, such as `https://github.com`. GITHUB_API_URL must belong to it, if it is set. */
  readonly origin: string;
  /** Null: GITHUB_TOKEN or GH_TOKEN. */
  readonly token: string | null;
  /** Folder for clones and the code index, which later runs can use again; null for a temporary one. */
  readonly dataFolder: string | null;
  /** Used instead of the repository's configuration; null for that of the base branch. */
  readonly config: GivenConfig | null;
  /** As `--model`; null if not given. */
  readonly model: string | null;
  /** As `--budget-usd`; null if not given. */
  readonly budgetUsd: number | null;
  /** Further choices of a caller. Missing: as the App. */
  readonly choices?: OneShotChoices;
};

export type OneShotChoices = {
  /** `summary`: findings are in the summary, not on lines. `none`: nothing is written. */
  readonly comments: "review" | "summary" | "none";
  /** Replaces `review.verify` of the configuration; null for that. */
  readonly verify: RepoConfig["review"]["verify"] | null;
  /** The results of other tools for a change. */
  readonly readSarif: (change: Change) => readonly SarifReport[];
  /** Reviews a head that was reviewed before again. */
  readonly mayRepeat: boolean;
};

/** Runs what the GitHub App would run, once, with a given token: without a server and without a lasting database. */
export type OneShot = {
  /** The account that the token writes as, such as `github-actions[bot]`. */
  readonly account: string;
  /**
   * As if a webhook had delivered it: same parsing, planning and jobs. Runs everything it starts until nothing is queued. Throws
   * `bad-json` or `bad-payload` for a body that doesn't match its event.
   */
  deliver(delivery: RawDelivery, options: WaitingOptions): Promise<OneShotDelivery>;
  /** Reviews one pull request, as `review --pr --publish`. */
  review(address: PullRequestAddress, options: PublishOptions): Promise<OneShotResult>;
  /** The numbers of a repository's open pull requests, the last changed first. */
  listOpenNumbers(owner: string, name: string): AsyncIterable<number>;
  /** Deletes the temporary database. */
  close(): Promise<void>;
};

export type OneShotDelivery = {
  /** Why the event starts nothing, such as "skipped:no-command"; null if it started jobs. */
  readonly skipped: string | null;
  /** Of each job, in the order in which they were queued. */
  readonly results: readonly OneShotResult[];
};

export type OneShotResult = {
  /** State and reason, as `kodiai jobs` shows them. */
  readonly job: Job;
  /** The review; null if there was none: it was skipped or replaced, or the job is another one. */
  readonly publication: Publication | null;
  /** `review.failOn` of the configuration; null without a review. */
  readonly failOn: RepoConfig["review"]["failOn"] | null;
  /** Null unless publishing was tried and has ended. */
  readonly written: WrittenParts | null;
};

/** A fetched pull request, ready to be reviewed and printed. */
export type PullRequestView = {
  readonly repository: Repository;
  readonly change: Change;
  readonly author: AuthorFacts;
  readonly organization: OrganizationConfig;
};

/** The queue and the databases, for commands that look things up or change what is remembered. Needs no credentials. */
export type Records = {
  readonly queue: Queue;
  readonly database: Database;
  readonly telemetry: Database;
  /** The time that all processes of an installation share, in milliseconds since 1970. */
  readonly now: () => number;
  readonly openVectors: () => Promise<Vectors>;
  close(): Promise<void>;
};
