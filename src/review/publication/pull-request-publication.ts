/**
 * A publication as it is written on a pull request: one review with comments on lines, one summary that is edited in
 * place, one check. Data only; a forge sends it.
 */

/** A comment on lines of the change. Lines are 1-based, inclusive, on the side they stand on. */
export type InlineComment = {
  /** Identity of the finding it tells. */
  readonly findingId: string;
  readonly path: string;
  readonly side: "new" | "old";
  readonly startLine: number;
  readonly endLine: number;
  /** Markdown. */
  readonly body: string;
};

export type CheckConclusion = "success" | "neutral" | "failure";

export type PullRequestPublication = {
  /** The commit that was reviewed. */
  readonly head: string;
  /** Null when there is nothing new to say on lines and nothing to approve: then no review is posted. */
  readonly review: {
    readonly event: "comment" | "approve";
    readonly body: string;
    readonly comments: readonly InlineComment[];
  } | null;
  /** Markdown of the sticky summary, without the marker. */
  readonly summary: string;
  readonly check: {
    readonly conclusion: CheckConclusion;
    readonly title: string;
    /** Markdown. */
    readonly summary: string;
  };
};

/** A finding whose line the host refused, and that is told in the summary instead. */
export type MovedFinding = { readonly findingId: string; readonly reason: string };
