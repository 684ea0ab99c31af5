/** Reviews commits of repositories as the command line does: without a model, or with the one of the caller. */
import { createMemoryCodeIndex } from "../../src/code-index/memory-code-index.ts";
import type { ModelAccess } from "../../src/jobs/model-review/model-access.ts";
import { createLazyAnalysers } from "../../src/linters/lazy-analysers.ts";
import { createReviewDeps } from "../../src/jobs/gathering/create-review-deps.ts";
import { createChangeReview, reviewChange } from "../../src/jobs/review-change.ts";
import { createReaderProcess } from "../../src/reading/process/reader-process.ts";
import { openRepository } from "../../src/repository/git/open-repository.ts";
import type { ChangeRequest } from "../../src/repository/repository.ts";
import type { ChangedFile } from "../../src/review/change/change.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import type { Publication } from "../../src/review/publication/publication.ts";
import { NO_MODELS } from "../../test/support/no-models.ts";

const STRICT = "review:\n  mode: strict\n  maxComments: 50\n";

type OpenedRepository = {
  /** Null if the change can't be read, or has no file that `isWanted`. */
  review(
    request: ChangeRequest,
    options: { readonly isStrict: boolean; readonly isWanted?: (file: ChangedFile) => boolean },
  ): Promise<Publication | null>;
  close(): void;
};

export function createCommitReviewer(): {
  open(gitDirectory: string, models?: ModelAccess): Promise<OpenedRepository>;
  close(): void;
} {
  const { signal } = new AbortController();
  const reader = createReaderProcess(new URL("../../src/reader-main.ts", import.meta.url), signal);
  const analysers = createLazyAnalysers(new URL("../../src/analyser-main.ts", import.meta.url), () =>
    performance.now(),
  );
  return {
    async open(gitDirectory, models = NO_MODELS) {
      // A copied git directory may lack the configuration that says it's bare, so it's named.
      const environment = { PATH: process.env["PATH"] ?? "", GIT_DIR: gitDirectory };
      const repository = await openRepository(gitDirectory, environment, signal);
      // Only models need the code around a change.
      const codeIndex = models === NO_MODELS ? null : createMemoryCodeIndex({ repository, reader });
      return {
        async review(request, { isStrict, isWanted = () => true }) {
          const whole = await repository.readChange(request).catch(() => null);
          if (whole === null) return null;
          const change = { ...whole, files: whole.files.filter(isWanted) };
          if (change.files.length === 0) return null;
          const { publication } = await reviewChange(
            {
              change,
              givenConfig: isStrict ? { path: "strict.yml", bytes: Buffer.from(STRICT) } : null,
              isExplicit: true,
              isFull: false,
              tags: "all",
              author: { association: null, mergedPullRequests: null },
              prior: NO_PRIOR_REVIEW,
            },
            models,
            createChangeReview(
              createReviewDeps(
                {
                  repository,
                  reader,
                  analysers,
                  lookups: null,
                  readPastBumps: null,
                  codeIndex,
                  signal,
                  now: () => performance.now(),
                  onProgress: () => {},
                },
                "bench",
              ),
            ),
          );
          return publication;
        },
        close: () => repository.close(),
      };
    },
    close: () => reader.close(),
  };
}
