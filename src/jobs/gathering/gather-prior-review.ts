/** Reads the results of earlier runs on a pull request: the last reviewed head and the reported findings. */
import type { Severity } from "../../base/severity.ts";
import type { PriorReview } from "../../review/context/prior-review.ts";
import type { Database } from "../../store/database.ts";
import { readReportedFindings } from "../../store/repositories/findings.ts";
import { lastCompletedRun } from "../../store/repositories/runs.ts";

export type PriorReviewRequest = {
  readonly repositoryId: number;
  readonly pullRequest: number;
  readonly head: string;
  /** The current run, which is left out. */
  readonly exceptRunId: number;
};

export async function gatherPriorReview(
  request: PriorReviewRequest,
  database: Database,
): Promise<PriorReview> {
  const [last, reported] = await Promise.all([
    lastCompletedRun(request.repositoryId, request.pullRequest, database),
    readReportedFindings(request, database),
  ]);
  return {
    lastReviewed: last === null ? null : { head: last.head, base: last.base },
    findings: reported.map(({ startLine, severity, ...finding }) => ({
      ...finding,
      line: startLine,
      // Rows are written from a publication, which has these severities.
      severity: severity as Severity,
    })),
  };
}
