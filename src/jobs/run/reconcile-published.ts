/**
 * Finds visible comments on earlier heads whose run never finished: it crashed or was replaced after posting its review
 * and before recording it. Their findings count as reported, so they aren't reported again.
 */
import type { PullRequest, Reviews } from "../../forge/forge.ts";
import { markReported } from "../../store/repositories/findings.ts";
import { createPublicationJournal, readBegunReviews } from "../../store/repositories/publications.ts";
import type { RowStore } from "../job-store.ts";

export async function reconcilePublished(
  pullRequest: PullRequest,
  reviews: Pick<Reviews, "isVisible">,
  { database, now }: RowStore,
): Promise<void> {
  const { repositoryRef, number } = pullRequest;
  const key = { repositoryId: repositoryRef.repositoryId, pullRequest: number };
  const begunReviews = await readBegunReviews({ ...key, head: pullRequest.head }, database);
  for (const { runId, head, request } of begunReviews) {
    const journal = createPublicationJournal(database, { ...key, head, request, now });
    const begun = { pullRequest: { ...pullRequest, head }, journal, request };
    if (await reviews.isVisible(begun)) await markReported(runId, now(), database);
  }
}
