/** What earlier reviews of the same pull request covered and reported. */
import * as z from "zod";
import { SEVERITIES } from "../../base/severity.ts";

const PriorFinding = z
  .object({
    identity: z.string(),
    title: z.string(),
    path: z.string(),
    line: z.number().nullable(),
    severity: z.enum(SEVERITIES),
    /** An earlier head listed it only in the details: after a push it can get the comment that it had no room for. */
    isOnlyListed: z.boolean(),
  })
  .readonly();
export type PriorFinding = z.infer<typeof PriorFinding>;

export const PriorReview = z
  .object({
    /** The last head that was reviewed completely, with its base; null when there is none. */
    lastReviewed: z.object({ head: z.string(), base: z.string() }).readonly().nullable(),
    /** Newest first. */
    findings: z.array(PriorFinding).readonly(),
  })
  .readonly();
export type PriorReview = z.infer<typeof PriorReview>;

export const NO_PRIOR_REVIEW: PriorReview = { lastReviewed: null, findings: [] };

/** Findings that people have seen as comments or in the summary. */
export function openFindingsOf({ findings }: PriorReview): readonly PriorFinding[] {
  return findings.filter(({ isOnlyListed }) => !isOnlyListed);
}

export function wasReported(identity: string, prior: PriorReview): boolean {
  return openFindingsOf(prior).some((finding) => finding.identity === identity);
}

export function wasOnlyListed(identity: string, { findings }: PriorReview): boolean {
  return findings.some((finding) => finding.identity === identity && finding.isOnlyListed);
}
