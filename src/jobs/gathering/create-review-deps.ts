/** The ports of a review on this machine alone: no host provides checks, and nothing is remembered. */
import { createKnowledge, type KnowledgeSources } from "./create-knowledge.ts";
import type { ReviewDeps } from "./prepare-review.ts";

export function createReviewDeps(sources: KnowledgeSources, version: string): ReviewDeps {
  const { repository, reader, now, signal, onProgress } = sources;
  const knowledge = createKnowledge(sources);
  const host = { readChecks: null, teamMemory: null };
  return { repository, reader, knowledge, ...host, now, signal, onProgress, version };
}
