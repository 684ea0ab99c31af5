/** Decides whether Kodiai reviews a prepared run, and whether it may use models. Closes a run that it doesn't review. */
import { gateReview, isOnlyModelBack, reviewNotBefore } from "../gate-review.ts";
import { isPaused, PAUSE_WINDOW_MS } from "../is-paused.ts";
import type { ModelAccess } from "../model-review/model-access.ts";
import { pullRequestModels } from "../reading/pull-request-models.ts";
import { lastCompletedRun, MODEL_UNAVAILABLE, readRunsFinishedSince } from "../../store/repositories/runs.ts";
import { readPause } from "../../store/repositories/pauses.ts";
import { isExplicit } from "../review-job.ts";
import { answerRefusal } from "./answer-refusal.ts";
import type { Step } from "./open-run.ts";
import { permitReview } from "./permit-review.ts";
import type { PreparedRun } from "./prepare-run.ts";
import type { RunDeps } from "./run-deps.ts";
import { skipReview } from "./skip-review.ts";

/** Reads the pull request's recent runs. The current one hasn't finished, so it isn't among them. */
async function readRecentPause(key: PullRequestKey, { database, now }: RunDeps): Promise<boolean> {
  return isPaused(await readRunsFinishedSince({ ...key, sinceMs: now() - PAUSE_WINDOW_MS }, database));
}

async function isModelOwed({ pullRequest }: PreparedRun, { database }: RunDeps): Promise<boolean> {
  const { repositoryRef, number, head } = pullRequest;
  const last = await lastCompletedRun(repositoryRef.repositoryId, number, database);
  return last !== null && last.head === head && last.reason === MODEL_UNAVAILABLE;
}

type PullRequestKey = { readonly repositoryId: number; readonly pullRequest: number };

export async function gateRun(run: PreparedRun, deps: RunDeps): Promise<Step<ModelAccess>> {
  const { pullRequest, prepared, triggers, degradations, hasWriteAccess } = run;
  const config = prepared.config.tree.root.values;
  const key = { repositoryId: pullRequest.repositoryRef.repositoryId, pullRequest: pullRequest.number };
  const pause = await readPause(key, deps.database);
  const gate = {
    pullRequest,
    config,
    analysis: prepared.analysis,
    prior: prepared.prior,
    base: run.change.base ?? "",
    isModelOwed: await isModelOwed(run, deps),
    isPaused: await readRecentPause(key, deps),
    isPausedByPerson: pause !== null,
  };
  const unwanted = gateReview({ ...gate, triggers });
  if (unwanted !== null) return { kind: "end", outcome: await skipReview(unwanted, { ...run, pause }, deps) };
  const untilMs = reviewNotBefore({ triggers, config }, deps.context.job.createdAt);
  if (untilMs > deps.now()) return { kind: "end", outcome: { state: "wait", untilMs, reason: "debounced" } };

  const automatic = triggers.filter((trigger) => !isExplicit(trigger));
  const isRequestOnly = gateReview({ ...gate, triggers: automatic }) !== null;
  const decision = await permitReview(
    { ...run, config, wantsAnswer: isRequestOnly },
    { ...deps, choice: run.models.choice, degradations, hasWriteAccess },
  );
  if (decision === null) return { kind: "next", value: run.models };
  // Without the model, another look at the same head shows nothing new.
  if (decision.kind === "refused" && (isRequestOnly || isOnlyModelBack(triggers))) {
    if (isRequestOnly) await answerRefusal({ ...run, decision }, deps);
    return { kind: "end", outcome: await skipReview("skipped:request-limit", run, deps) };
  }
  const { login, requesterClass } = decision.by;
  const permit = { isGranted: decision.kind === "granted", login, isOutsider: requesterClass !== "writer" };
  return { kind: "next", value: pullRequestModels({ pullRequest, run: run.run, permit }, deps) };
}
