/** A context in which nothing is known beyond the change. */
import type { Scope } from "../../src/review/change/scope.ts";
import type { Context } from "../../src/review/context/context.ts";

/** Nothing was read before. */
export const FIRST_SCOPE: Scope = { full: "first", since: null, byPath: new Map() };

export const NO_CONTEXT: Context = {
  asked: null,
  scope: FIRST_SCOPE,
  dependencies: null,
  guidelines: [],
  earlier: { toCheckAgain: [], reportedBefore: [] },
  memory: { memories: [], retrieval: null, learnings: [] },
  code: { relatedCode: [], shortFunctions: [] },
  sources: { readChecks: null, dependencyReader: null, codeLookup: null },
};
