/** A context in which nothing is known beyond the change. */
import type { Scope } from "../../src/review/change/scope.ts";
import type { Context } from "../../src/review/context/context.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";

/** Nothing was read before. */
export const FIRST_SCOPE: Scope = { full: "first", since: null, byPath: new Map() };

export const NO_CONTEXT: Context = {
  guidelines: [],
  readChecks: null,
  prior: NO_PRIOR_REVIEW,
  toCheckAgain: [],
  reportedBefore: [],
  scope: FIRST_SCOPE,
  memories: [],
  learnings: [],
  dependencies: null,
  dependencyReader: null,
  relatedCode: [],
  shortFunctions: [],
  codeLookup: null,
};
