/** The dependencies that every review of the App's jobs has. */
import type { Reader } from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { JobContext } from "../recipe.ts";
import { reportProgress } from "./report-progress.ts";
import type { CodeTools } from "./run-deps.ts";

type Job = { readonly repository: Repository; readonly reader: Reader; readonly context: JobContext };

type Tools = {
  readonly code: Pick<CodeTools, "analysers" | "lookups">;
  readonly now: () => number;
  readonly version: string;
};

export function reviewerOf({ repository, reader, context }: Job, { code, now, version }: Tools): ReviewDeps {
  return {
    repository,
    reader,
    analysers: code.analysers,
    lookups: code.lookups,
    now,
    version,
    signal: context.signal,
    onProgress: reportProgress(context, now),
  };
}
