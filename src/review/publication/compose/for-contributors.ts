/**
 * A publication for readers of a pull request. It drops the texts that only the operator can act on: advice about keys,
 * variables and limits, how to configure a model, tokens, prices and the amounts of budgets. The terminal, JSON and the log
 * keep them.
 */
import { MODEL_PROBLEM } from "../model-problem.ts";
import type { Publication } from "../publication.ts";
import { publicStopReason } from "./describe-stop-reason.ts";
import { summarisePasses } from "./summarise-passes.ts";

export function forContributors(publication: Publication): Publication {
  const { notices, advice } = summarisePasses(
    publication.passes.map((pass) => ({ ...pass, stopReason: publicStopReason(pass.stopReason) })),
  );
  return {
    ...publication,
    advice: [],
    notices: notices.filter((notice) => !advice.includes(notice)),
    // The notices and the receipt say what a model left undone.
    passes: [],
    usage: null,
    degradations: publication.degradations.map((degradation) =>
      degradation.what === MODEL_PROBLEM
        ? { ...degradation, message: "a configured model is unavailable" }
        : degradation,
    ),
    details: { ...publication.details, modelHint: null },
  };
}
