/** Records a run of the server. A review is not lost for it: what could not be kept is told with the review. */
import type { Publication } from "../../review/publication/publication.ts";
import type { Sql } from "../../store/database.ts";
import { saveRecording } from "../../store/repositories/recordings.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { ReviewDeps, ReviewRequest } from "../gathering/prepare-review.ts";

const TOO_LARGE = "not kept: larger than 8 MB compressed";

export type WatchedRun = {
  /** To be reviewed with. */
  readonly deps: ReviewDeps;
  /** The publication, with a word more when there is no recording of it. */
  keep(review: ReviewToKeep): Promise<Publication>;
};

export type ReviewToKeep = {
  readonly request: ReviewRequest;
  readonly publication: Publication;
  readonly runId: number;
};

/** `now`: milliseconds since 1970, of the store. */
export async function recordRun(
  reviewDeps: ReviewDeps,
  { database, now }: { readonly database: Sql; readonly now: () => number },
): Promise<WatchedRun> {
  // Loaded only where it is switched on.
  const { watchReview } = await import("./record-review.ts");
  const watched = watchReview(reviewDeps, now);
  return {
    deps: watched.deps,
    async keep({ request, publication, runId }) {
      const degradations = createDegradations(reviewDeps.signal);
      await degradations.optional("recording", async () => {
        const content = await watched.finish(request, publication);
        const isKept = content !== null && (await saveRecording({ runId, at: now(), content }, database));
        if (!isKept) degradations.note("recording", TOO_LARGE);
      });
      return { ...publication, degradations: [...publication.degradations, ...degradations.list()] };
    },
  };
}
