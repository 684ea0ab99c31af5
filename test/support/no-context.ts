/** A context in which nothing is known beyond the change. */
import type { Context } from "../../src/review/context/context.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";

export const NO_CONTEXT: Context = {
  guidelines: [],
  readChecks: null,
  prior: NO_PRIOR_REVIEW,
  memories: [],
  learnings: [],
  dependencies: [],
  relatedCode: [],
};
