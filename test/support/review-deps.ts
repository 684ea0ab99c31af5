/** The ports of a review in tests: a reader in this process, a clock that stands still, and nothing else. */
import { createReviewDeps } from "../../src/jobs/gathering/create-review-deps.ts";
import type { KnowledgeSources } from "../../src/jobs/gathering/create-knowledge.ts";
import type { ReviewDeps } from "../../src/jobs/gathering/prepare-review.ts";
import { createInProcessReader } from "./in-process-reader.ts";

export function testReviewDeps(given: Partial<KnowledgeSources>, version = "0.0.0"): ReviewDeps {
  const sources = {
    repository: null,
    reader: createInProcessReader(),
    analysers: null,
    lookups: null,
    readPastBumps: null,
    codeIndex: null,
    now: () => 0,
    signal: new AbortController().signal,
    onProgress: () => {},
    ...given,
  };
  return createReviewDeps(sources, version);
}
