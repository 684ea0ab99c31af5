/** Records a run of the server. A failed recording doesn't cost the review: its details say so. */
import type { Sql } from "../../store/database.ts";
import { saveRecording } from "../../store/repositories/recordings.ts";
import { createDegradations } from "../gathering/optional.ts";
import type { OpenReview } from "../run/run-deps.ts";
import { recordReview } from "./record-review.ts";

const TOO_LARGE = "not kept: larger than 8 MB compressed";

/** `now`: milliseconds since 1970, of the store. */
export function recordRuns({
  database,
  now,
}: {
  readonly database: Sql;
  readonly now: () => number;
}): OpenReview {
  return (deps, degradations, runId) => {
    const recorded = recordReview(deps, degradations, now);
    return {
      prepare: recorded.prepare,
      async review(prepared, models) {
        const { publication, ...result } = await recorded.review(prepared, models);
        const more = createDegradations(deps.signal);
        await more.optional("recording", async () => {
          const content = await recorded.recording();
          const isKept = content !== null && (await saveRecording({ runId, at: now(), content }, database));
          if (!isKept) more.note("recording", TOO_LARGE);
        });
        const all = [...publication.degradations, ...more.list()];
        return { ...result, publication: { ...publication, degradations: all } };
      },
    };
  };
}
