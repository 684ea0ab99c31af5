/** People's reactions to findings, as data. */

/**
 * "dismissed", "waived": a person said so with a command. "resolved": a person resolved the thread although its code is as it was. "code-changed": a later push changed the code at the anchor,
 * and the finding is gone. "merged-untouched": the pull request was merged with the finding in it.
 */
export const FEEDBACK_SIGNALS = [
  "thumbs-up",
  "thumbs-down",
  "agrees",
  "disagrees",
  "dismissed",
  "waived",
  "resolved",
  "suggestion-committed",
  "code-changed",
  "merged-untouched",
] as const;
export type FeedbackSignal = (typeof FEEDBACK_SIGNALS)[number];

/** One person's signal on one finding. A person who takes it back leaves none. */
export type Feedback = {
  readonly pullRequest: number;
  /** Of the finding. */
  readonly identity: string;
  /** See pattern-of.ts. */
  readonly pattern: string;
  readonly title: string;
  readonly signal: FeedbackSignal;
  /** The login. */
  readonly person: string;
  /** False for signals that are kept for the record only. */
  readonly teaches: boolean;
  readonly reason: TeachingReason;
  /** Of the comment, or null. */
  readonly url: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Why a signal teaches, or why it doesn't. */
export type TeachingReason = "write-access" | "no-write-access" | "author" | "bot" | "access-unknown";

/** A pattern that was suppressed for a time. */
export type Suppression = {
  readonly id: number;
  readonly pattern: string;
  readonly title: string;
  readonly createdAt: number;
  readonly expiresAt: number;
  /** Null while it is in force. Feedback from before then no longer counts. */
  readonly undoneAt: number | null;
  readonly undoneBy: string | null;
};
