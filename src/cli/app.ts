/** The GitHub App as commands see it; compose/app.ts puts it together. */
import type { Job, Queue } from "../queue/queue.ts";
import type { Repository } from "../repository/repository.ts";
import type { AuthorFacts } from "../review/analysis/author-tier.ts";
import type { Change } from "../review/change/change.ts";
import type { Database } from "../store/database.ts";

export type ServeOptions = {
  readonly host: string | null;
  readonly port: number | null;
  /** Also runs jobs; null: none. */
  readonly concurrency: number | null;
};

/** Something that runs until it is stopped. */
export type Running = {
  /** For people: where it listens, what it does. */
  readonly says: string;
  stop(): Promise<void>;
};

export type PullRequestAddress = {
  /** Of its page: "https://github.com". */
  readonly origin: string;
  readonly owner: string;
  readonly name: string;
  readonly number: number;
};

/** For somebody who waits for a job. Once the signal is aborted the job is cancelled, and ends as soon as it may. */
export type WaitingOptions = {
  readonly onStep: (step: string) => void;
  readonly signal: AbortSignal;
};

export type App = {
  serve(options: ServeOptions): Promise<Running>;
  work(concurrency: number): Promise<Running>;
  /** Runs the one job that the worker which started this process passes on; resolves when it was left. */
  workOnGiven(signal: AbortSignal): Promise<void>;
  /** Queues a review of a pull request and runs it here and now; resolves when the job has ended. */
  publishReview(address: PullRequestAddress, options: WaitingOptions): Promise<Job>;
  close(): Promise<void>;
};

/** A pull request that was fetched, to be reviewed and printed. */
export type PullRequestView = {
  readonly repository: Repository;
  readonly change: Change;
  readonly author: AuthorFacts;
};

/** What was recorded; needs no credentials. */
export type Records = {
  readonly queue: Queue;
  readonly database: Database;
  close(): Promise<void>;
};
