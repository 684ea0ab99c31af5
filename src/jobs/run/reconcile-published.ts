/**
 * Finds visible comments on earlier heads whose run never finished: it crashed or was replaced after posting its review
 * and before recording it. Their findings count as reported, so they aren't reported again.
 */
import type { ForgeSession, PullRequest } from "../../forge/forge.ts";
import type { Database } from "../../store/database.ts";
import { markReported } from "../../store/repositories/findings.ts";
import { createPublicationJournal, readBegunReviews } from "../../store/repositories/publications.ts";

export type ReconcilePublishedInput = { readonly pullRequest: PullRequest; readonly session: ForgeSession };

export type ReconcilePublishedDeps = { readonly database: Database; readonly now: () => number };

export async function reconcilePublished(
  { pullRequest, session }: ReconcilePublishedInput,
  { database, now }: ReconcilePublishedDeps,
): Promise<void> {
  const key = { repositoryId: pullRequest.repositoryRef.repositoryId, pullRequest: pullRequest.number };
  for (const { runId, head, request } of await readBegunReviews(
    { ...key, head: pullRequest.head },
    database,
  )) {
    const journal = createPublicationJournal(database, { ...key, head, request, now });
    const begun = { pullRequest: { ...pullRequest, head }, journal, request };
    if (await session.isReviewVisible(begun)) await markReported(runId, now(), database);
  }
}
