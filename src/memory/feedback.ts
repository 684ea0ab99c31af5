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
  /** The person's words about it: one line without credentials; "" without words. */
  readonly words: string;
  /** Of the comment, or null. */
  readonly url: string | null;
  /** Milliseconds since 1970. */
  readonly at: number;
};

/** Feedback with its finding, as it is remembered; null if that isn't. */
export type FeedbackOnFinding = Feedback & {
  readonly about: { readonly path: string; readonly body: string; readonly category: string } | null;
};

/**
 * Why a signal teaches, or why it doesn't. "author-with-access": a person with write access about their own pull request. "merged": an author
 * without access fixed the finding, and the team merged it. "author": as older versions stored it, without a look at the access.
 */
export const TEACHING_REASONS = [
  "write-access",
  "author-with-access",
  "merged",
  "no-write-access",
  "author",
  "bot",
  "access-unknown",
] as const;
export type TeachingReason = (typeof TEACHING_REASONS)[number];

/** People of the team teach how they work, also on their own pull requests. Only feedback that `teaches` can suppress. */
export function isOfTeam({ teaches, reason }: Pick<Feedback, "teaches" | "reason">): boolean {
  return teaches || reason === "author-with-access";
}

export const REPLY_SCOPES = ["finding", "file", "folder", "repository"] as const;

/** A model's reading of a reply whose words alone say nothing clear. It proposes a learning, and is never asked about security findings. */
export type ReplyReading = {
  /** Of the reply's address and text: an edited reply is another one. */
  readonly key: string;
  /** Of the reply. */
  readonly url: string;
  /** Null: the model was asked, and gave no answer. */
  readonly verdict: "disagrees" | "agrees" | "neither" | null;
  /** The person's reason in one sentence, as a model worded it; "" without one. */
  readonly reason: string;
  /** Where the reason applies. */
  readonly scope: (typeof REPLY_SCOPES)[number];
};

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
