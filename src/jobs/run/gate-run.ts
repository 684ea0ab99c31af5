/** Decides whether Kodiai reviews a prepared run, and whether it may use models. Closes a run that it doesn't review. */
import { gateReview, isOnlyModelBack, reviewNotBefore } from "../gate-review.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { pullRequestModels } from "../reading/pull-request-models.ts";
import { isExplicit } from "../review-job.ts";
import { gatherGate } from "../gathering/gather-gate.ts";
import { answerRefusal } from "./answer-refusal.ts";
import type { Step } from "./open-run.ts";
import { permitReview } from "./permit-review.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { PullRequestDeps } from "./run-deps.ts";
import { skipReview } from "./skip-review.ts";

export async function gateRun(
  run: PreparedRun,
  { store, models, oneShot }: Pick<PullRequestDeps, "store" | "models" | "oneShot">,
): Promise<Step<ModelAccess>> {
  const { pullRequest, prepared, triggers, context } = run;
  const { database, now } = store;
  const config = prepared.config.tree.root.values;
  const { gate: gathered, pause } = await gatherGate(run, store);
  const gate = { ...gathered, mayRepeat: oneShot?.mayRepeat ?? false };
  const unwanted = gateReview({ ...gate, triggers });
  if (unwanted !== null)
    return { kind: "end", outcome: await skipReview({ reason: unwanted, pause }, run, store) };
  const untilMs = oneShot !== undefined ? 0 : reviewNotBefore({ triggers, config }, context.job.createdAt);
  if (untilMs > now()) return { kind: "end", outcome: { state: "wait", untilMs, reason: "debounced" } };

  const automatic = triggers.filter((trigger) => !isExplicit(trigger));
  const isRequestOnly = gateReview({ ...gate, triggers: automatic }) !== null;
  const decision = await permitReview(
    run,
    { wantsAnswer: isRequestOnly, operator: models.settings.limits },
    store,
  );
  if (decision === null) return { kind: "next", value: run.models };
  // Without the model, another look at the same head shows nothing new.
  if (decision.kind === "refused" && (isRequestOnly || isOnlyModelBack(triggers))) {
    if (isRequestOnly) await answerRefusal(decision, run, store);
    const skipped = { reason: "skipped:request-limit", pause: null } as const;
    return { kind: "end", outcome: await skipReview(skipped, run, store) };
  }
  const { login, requesterClass } = decision.by;
  const permit = { isGranted: decision.kind === "granted", login, isOutsider: requesterClass !== "writer" };
  const access = pullRequestModels({ pullRequest, run: run.run, permit }, { models, database, now });
  return { kind: "next", value: access };
}
