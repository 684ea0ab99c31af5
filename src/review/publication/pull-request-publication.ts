/**
 * A publication as it appears on a pull request: one review with comments on lines, one summary that is edited in
 * place, one check. Data only; a forge sends it.
 */

/** A comment on lines of the change. Lines are 1-based and inclusive, counted on `side`. */
export type InlineComment = {
  /** Identity of its finding. */
  readonly findingId: string;
  /** Identities of further lines that it names. Missing: none. */
  readonly otherIds?: readonly string[];
  readonly path: string;
  readonly side: "new" | "old";
  readonly startLine: number;
  readonly endLine: number;
  /** Markdown. */
  readonly body: string;
};

/** A note on lines at the head, plain text. For findings without a comment on their line. */
export type CheckAnnotation = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
  readonly level: "failure" | "warning" | "notice";
  readonly title: string;
  readonly message: string;
};

export type CheckConclusion = "success" | "neutral" | "failure";

export type PullRequestPublication = {
  /** The commit that was reviewed. */
  readonly head: string;
  /** Null when there are no new comments and nothing to approve; no review is posted then. */
  readonly review: {
    readonly event: "comment" | "approve";
    readonly body: string;
    readonly comments: readonly InlineComment[];
  } | null;
  /** Markdown of the sticky summary, without the marker. */
  readonly summary: string;
  /** Whether to create the summary. An existing one is edited in any case. */
  readonly isSummaryWanted: boolean;
  /**
   * The next review reads this if the database is lost. In the characters of base64url; "" for nothing. It's in the summary, and
   * in the review if no summary is wanted.
   */
  readonly state: string;
  readonly check: {
    readonly conclusion: CheckConclusion;
    readonly title: string;
    /** Markdown. */
    readonly summary: string;
    readonly annotations: readonly CheckAnnotation[];
  };
};

/** A finding that the host refused a comment for; the summary shows it instead. `reason` completes a sentence. */
export type MovedFinding = { readonly findingId: string; readonly reason: string };
