/** What is said where there is no model, on one line of a terminal. */
export const NO_MODEL = "none, floor alone; set ANTHROPIC_API_KEY or see docs/models.md";
