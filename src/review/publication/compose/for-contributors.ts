/**
 * A publication for readers of a pull request. It drops the texts that only the operator can act on: advice about keys,
 * variables and limits, and how to configure a model. The terminal and the log keep them.
 */
import { MODEL_PROBLEM } from "../model-problem.ts";
import type { Publication } from "../publication.ts";

export function forContributors(publication: Publication): Publication {
  const advice = new Set(publication.advice);
  return {
    ...publication,
    advice: [],
    notices: publication.notices.filter((notice) => !advice.has(notice)),
    degradations: publication.degradations.map((degradation) =>
      degradation.what === MODEL_PROBLEM
        ? { ...degradation, message: "a configured model is unavailable" }
        : degradation,
    ),
    details: { ...publication.details, modelHint: null },
  };
}
