/** Decides whether a review gets a summary comment. An existing summary is edited anyway, so that it never says what isn't true any more. */
import type { RepoConfig } from "../../../config/repo-config/schema.ts";
import type { Publication } from "../publication.ts";
import { isComplete } from "../words.ts";

export type SummaryPolicy = RepoConfig["review"]["summary"];

/**
 * `findings`: silence isn't proof, so a review that is incomplete or had to do without something also gets a comment. So does a
 * change of dependencies that isn't known to be harmless.
 */
export function wantsSummary(publication: Publication, policy: SummaryPolicy): boolean {
  if (policy !== "findings") return policy === "always";
  const { findings, stillOpen, degradations, dependencies } = publication;
  const isDoubtful = dependencies !== null && dependencies.confidence.level !== "high";
  const reasons = findings.length + stillOpen.length + degradations.length;
  return reasons > 0 || isDoubtful || !isComplete(publication);
}
