/** The effect of people's feedback on a finding: suppressed, lowered, or explained by a person's reason. */

/** The words with which a person rejected such a finding. */
export type GivenReason = {
  readonly by: string;
  /** One line without credentials. */
  readonly words: string;
  readonly pullRequest: number;
  readonly url: string | null;
};

/** Counts are of signals that teach. */
export type FeedbackRuling = {
  /** The newest one; null if no one gave a reason. */
  readonly reason: GivenReason | null;
} & (
  | {
      readonly kind: "suppress";
      /** Of the suppression, which a person can undo. */
      readonly id: number;
      readonly rejections: number;
      readonly people: number;
      readonly pullRequests: number;
    }
  | { readonly kind: "lower"; readonly rejections: number; readonly signals: number }
  /** A person of the team explained why such findings aren't wanted. Forgetting the learning undoes it. */
  | {
      readonly kind: "explained";
      readonly learning: number;
      readonly reason: GivenReason;
      /** The finding gets no comment on its line. Otherwise it gets a note. */
      readonly isListed: boolean;
    }
);
