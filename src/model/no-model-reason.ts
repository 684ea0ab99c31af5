/** Why no model took part in a review. `describeNoModel` in `review/publication` puts it into words. */
export const NO_MODEL_REASONS = [
  /** No model is configured, and no key is set. */
  "not-configured",
  /** A model is configured but can't be used; the problems explain why. */
  "unavailable",
  /** The configuration sets the model to "floor". */
  "switched-off",
  /** `--model floor`. */
  "floor-option",
  /** `--offline`. */
  "offline-option",
  /** Too many model reviews were requested within an hour. */
  "withheld",
  /** The change has no readable files. */
  "nothing-to-read",
  /** The review itself is skipped. */
  "skipped",
] as const;

export type NoModelReason = (typeof NO_MODEL_REASONS)[number];
