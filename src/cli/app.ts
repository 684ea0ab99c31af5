/** The GitHub App's interface for commands. compose/app.ts implements it. */
import type { OrganizationConfig } from "../jobs/gathering/gather-organization-config.ts";
import type { PullRequestAddress } from "../forge/forge.ts";
import type { Job, Queue } from "../queue/queue.ts";
import type { Repository } from "../repository/repository.ts";
import type { AuthorFacts } from "../review/analysis/author-tier.ts";
import type { Change } from "../review/change/change.ts";
import type { Database } from "../store/database.ts";
import type { Vectors } from "../store/vectors/vectors.ts";

export type ServeOptions = {
  readonly host: string | null;
  readonly port: number | null;
  /** How many jobs the server also runs at a time; null for none. */
  readonly concurrency: number | null;
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
