/** The types of a model's review: its input, and the task that each of its attempts gets. */
import type { HunksToRead } from "../../review/change/scope.ts";
import type { HunkTriage } from "../../review/analysis/hunk-triage.ts";
import type { Context } from "../../review/context/context.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { Revision } from "../../repository/repository.ts";
import type { PreparedReview } from "../gathering/prepared-review.ts";
import type { ReviewDeps } from "../gathering/prepare-review.ts";
import type { ModelSession } from "./model-session.ts";

export type ModelDeps = Pick<ReviewDeps, "repository" | "reader" | "now" | "signal" | "onProgress">;

export type ModelReviewInput = {
  readonly prepared: PreparedReview;
  readonly context: Context;
  /** Findings of the built-in rules. */
  readonly evidence: readonly Finding[];
  readonly session: ModelSession;
};

/** All that an attempt needs. */
export type ModelReviewTask = Omit<ModelReviewInput, "session"> &
  ModelSession & {
    readonly hunksToRead: HunksToRead;
    readonly triage: HunkTriage;
    readonly head: Revision;
    /** The probable cost of an attempt, reserved before it; omitted: that of one call. */
    readonly expectedUsd?: number;
    readonly deps: ModelDeps;
  };
