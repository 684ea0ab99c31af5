/** The effect of people's feedback on a finding: suppressed, lowered, or explained by a person's reason. */

/** A person's rejection of such a finding. */
export type GivenReason = {
  readonly by: string;
  /** One line without credentials; "" without words. */
  readonly words: string;
  readonly pullRequest: number;
  readonly url: string | null;
};

/** Counts are of signals that teach. */
export type FeedbackRuling = {
  /** The newest rejection with words; the newest one if none has any. */
  readonly reason: GivenReason;
  /** The entry to forget in order to undo it: `l7` or `s3`. */
  readonly undo: string;
} & (
  | {
      readonly kind: "suppress";
      /** Of the suppression. */
      readonly id: number;
      readonly rejections: number;
      readonly people: number;
      readonly pullRequests: number;
    }
  | { readonly kind: "lower"; readonly rejections: number; readonly signals: number }
  /** A person of the team explained why such findings aren't wanted. */
  | {
      readonly kind: "explained";
      /** The finding gets no comment on its line. Otherwise it gets a note. */
      readonly isListed: boolean;
    }
);
