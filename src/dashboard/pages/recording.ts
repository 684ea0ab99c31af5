/** The recording of a review as a file for `kodiai replay`. It contains the code of the change, so it is for administrators. */
import { readReview } from "../../store/repositories/listed-reviews.ts";
import { readRecording } from "../../store/repositories/recordings.ts";
import type { DashboardPage } from "../page.ts";
import { parseId } from "../read/read-query.ts";

export const recordingPage: DashboardPage = {
  path: "/reviews/:id/recording",
  needs: "admin",
  async answer({ params, viewer }, { database }) {
    const id = parseId(params["id"]);
    const run = id === null ? null : await readReview(id, viewer.repositories, database);
    const recording = run === null ? null : await readRecording(run.id, database);
    if (recording === null) return { kind: "not-found" };
    const body = JSON.stringify(recording.content);
    return {
      kind: "data",
      contentType: "application/json",
      body,
      fileName: `review-${recording.runId}.json`,
    };
  },
};
