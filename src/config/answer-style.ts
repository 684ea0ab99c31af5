/** How a model answers, for deep reviews. Configuration, the command line and models share these words. */
import type { Effort } from "./effort.ts";

export const VERBOSITIES = ["low", "medium", "high"] as const;
export type Verbosity = (typeof VERBOSITIES)[number];

/** How much of its reasoning a provider shows. */
export const SUMMARIES = ["none", "auto", "concise", "detailed"] as const;
export type ReasoningSummary = (typeof SUMMARIES)[number];

/** Nothing for a setting that is left out: the provider's default applies. */
export type AnswerStyle = {
  readonly effort: Effort;
  readonly verbosity?: Verbosity;
  readonly summary?: ReasoningSummary;
};
