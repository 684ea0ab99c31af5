/** Reviews a case of an evaluation set in this process, with real git and the real recipe: without a model, or with recorded answers. */
import { createReviewDeps } from "../../src/jobs/gathering/create-review-deps.ts";
import type { ModelAccess } from "../../src/jobs/model-review/model-access.ts";
import { createChangeReview, reviewChange } from "../../src/jobs/review-change.ts";
import type { EvaluationCase } from "../../src/evaluation/set/evaluation-set.ts";
import { createCaseOpener } from "../../src/evaluation/set/open-case.ts";
import type { Model } from "../../src/model/model.ts";
import { createGitLocalRepositories } from "../../src/repository/git/git-local-repositories.ts";
import { NO_PRIOR_REVIEW } from "../../src/review/context/prior-findings.ts";
import type { Publication } from "../../src/review/publication/publication.ts";
import { createInProcessReader } from "./in-process-reader.ts";
import { NO_MODELS } from "./no-models.ts";

export type CaseReviewer = (given: EvaluationCase, model: Model | null) => Promise<Publication>;

/** `scratch` is an empty folder of the caller. */
export function createCaseReviewer(scratch: string): CaseReviewer {
  const { signal } = new AbortController();
  const repositories = createGitLocalRepositories({ PATH: process.env["PATH"] ?? "" }, signal);
  const opener = createCaseOpener({ scratch, repositoriesFolder: null, repositories, signal });
  const reader = createInProcessReader();
  return async (given, model) => {
    const opened = await opener.open(given);
    if ("problem" in opened) throw new Error(`${opened.where}: ${opened.problem}`);
    const repository = await repositories.open(opened.gitFolder);
    try {
      const change = await repository.readChange({
        kind: "pull-request",
        title: given.title,
        body: given.body,
        description: given.id,
        mergeBase: opened.base,
        head: opened.head,
        baseTip: opened.base,
      });
      const { publication } = await reviewChange(
        {
          change,
          givenConfig: null,
          isExplicit: true,
          isFull: false,
          tags: "all",
          author: { association: null, mergedPullRequests: null },
          prior: NO_PRIOR_REVIEW,
        },
        model === null ? NO_MODELS : accessTo(model),
        createChangeReview(
          createReviewDeps(
            {
              repository,
              reader,
              analysers: null,
              lookups: null,
              readPastBumps: null,
              codeIndex: null,
              signal,
              now: () => 0,
              onProgress: () => {},
            },
            "0.0.0",
          ),
        ),
      );
      return publication;
    } finally {
      repository.close();
    }
  };
}

function accessTo(model: Model): ModelAccess {
  const choose = async () => ({ models: [model], noModel: null, problems: [] });
  return { ...NO_MODELS, choice: { ...NO_MODELS.choice, choose } };
}
