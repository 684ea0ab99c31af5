/** What is said where there is no model, on one line of a terminal. */
export const NO_MODEL = "none, floor alone; set ANTHROPIC_API_KEY or see docs/models.md";

/** The same where one was named; why not, and what to do, is told as a degradation. */
export const NOT_TO_BE_HAD = "none, floor alone; what was named cannot be used, see Degraded";
