/** The dependencies that every review of the App's jobs has. */
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import type { KnowledgeSources } from "../gathering/create-knowledge.ts";
import { createReviewDeps } from "../gathering/create-review-deps.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { JobContext } from "../recipe.ts";
import { reportProgress } from "./report-progress.ts";
import type { CodeTools } from "./run-deps.ts";

type Job = { readonly repository: Repository; readonly reader: Reader; readonly context: JobContext };

type Tools = {
  readonly code: Pick<CodeTools, "analysers" | "lookups" | "typeChecker">;
  readonly now: () => number;
  readonly version: string;
};

export function reviewerOf(
  { repository, reader, context }: Job,
  { code: { analysers, lookups, typeChecker }, now, version }: Tools,
  { codeIndex, readPastBumps }: Pick<KnowledgeSources, "codeIndex" | "readPastBumps">,
): ReviewDeps {
  const { signal } = context;
  const onProgress = reportProgress(context, now);
  const sources = {
    repository,
    reader,
    analysers,
    typeChecker,
    lookups,
    readPastBumps,
    codeIndex,
    now,
    signal,
    onProgress,
  };
  return createReviewDeps(sources, version);
}
