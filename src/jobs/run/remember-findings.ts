/** Stores the findings of a run: as pending before they are published, and as reported afterwards. */
import type { PullRequest } from "../../forge/forge.ts";
import type { Publication } from "../../review/publication/publication.ts";
import type { Sql } from "../../store/database.ts";
import { rememberFindings } from "../../store/repositories/findings.ts";
import type { ReviewRun } from "./claim-review-run.ts";

export type RememberInput = {
  readonly pullRequest: PullRequest;
  readonly run: Pick<ReviewRun, "id">;
  readonly publication: Publication;
  /** Null until they are published. */
  readonly reportedAt: number | null;
};

export async function rememberRun(
  { pullRequest, run, publication, reportedAt }: RememberInput,
  sql: Sql,
): Promise<void> {
  const rows = publication.findings.flatMap(({ id, others = [], finding, anchor, severity, placement }) => {
    const own = { id, startLine: anchor?.startLine ?? null, endLine: anchor?.endLine ?? null };
    // The lines that a finding names are reported with it.
    return [own, ...others].map((place) => ({
      identity: place.id,
      runId: run.id,
      repositoryId: pullRequest.repositoryRef.repositoryId,
      pullRequest: pullRequest.number,
      head: pullRequest.head,
      path: finding.path,
      side: anchor?.side ?? null,
      startLine: place.startLine,
      endLine: place.endLine,
      severity,
      category: finding.category,
      title: finding.title,
      rule: finding.rule,
      source: finding.source,
      placement,
      reportedAt,
    }));
  });
  await rememberFindings(rows, sql);
}
