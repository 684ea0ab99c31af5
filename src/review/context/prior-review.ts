/**
 * The coverage and findings of earlier reviews of the same pull request. Import the types with `import type`: a schema loads zod.
 */
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
