/** Gathers what the gate of a review needs to know about a pull request, all but the triggers. */
import { type Pause, readPause } from "../../store/repositories/pauses.ts";
import type { GateInput } from "../gate-review.ts";
import { isPaused, PAUSE_WINDOW_MS } from "../is-paused.ts";
import type { RowStore } from "../job-store.ts";
import { runsOfPullRequest } from "../run/run-record.ts";
import type { OpenedPullRequest } from "./open-pull-request.ts";
import type { PreparedReview } from "./prepared-review.ts";

export type GateSubject = Pick<OpenedPullRequest, "pullRequest" | "change"> & {
  readonly prepared: PreparedReview;
};

export type GatheredGate = {
  readonly gate: Omit<GateInput, "triggers" | "mayRepeat">;
  /** Of a person; null for none. */
  readonly pause: Pause | null;
};

export async function gatherGate(
  { pullRequest, change, prepared }: GateSubject,
  { database, now }: RowStore,
): Promise<GatheredGate> {
  const key = { repositoryId: pullRequest.repositoryRef.repositoryId, pullRequest: pullRequest.number };
  const runs = runsOfPullRequest(key, database);
  const pause = await readPause(key, database);
  return {
    pause,
    gate: {
      pullRequest,
      config: prepared.config.tree.root.values,
      analysis: prepared.analysis,
      prior: prepared.prior,
      base: change.base ?? "",
      isModelOwed: await runs.isModelOwed(pullRequest.head),
      // A run that hasn't finished isn't among them.
      isPaused: isPaused(await runs.finishedSince(now() - PAUSE_WINDOW_MS)),
      isPausedByPerson: pause !== null,
    },
  };
}
