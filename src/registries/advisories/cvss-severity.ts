/** The severity of CVSS vectors of any version, by the rating scale that FIRST defines. */
import cvss from "ae-cvss-calculator";
import type { AdvisorySeverity } from "../../ecosystems/lookups.ts";

/** Longer than any vector with all optional metrics. */
const MAX_VECTOR_CHARS = 400;

/** The library declares no type for it. Null for a text that isn't a vector. */
type ParsedVector = {
  isBaseFullyDefined(): boolean;
  calculateScores(): { readonly base?: number };
} | null;

/** The lowest score of each severity. */
const RATINGS: readonly (readonly [number, AdvisorySeverity])[] = [
  [9, "critical"],
  [7, "high"],
  [4, "medium"],
  [0.1, "low"],
];

/** The worst of them. Scores that don't affect anything, and texts that aren't complete vectors, are unknown. */
export function severityOfVectors(vectors: readonly string[]): AdvisorySeverity {
  const worst = Math.max(0, ...vectors.map(scoreOf));
  return RATINGS.find(([lowest]) => worst >= lowest)?.[1] ?? "unknown";
}

function scoreOf(vector: string): number {
  if (vector.length > MAX_VECTOR_CHARS) return 0;
  const parsed: ParsedVector = cvss.fromVector(vector);
  if (parsed?.isBaseFullyDefined() !== true) return 0;
  return parsed.calculateScores().base ?? 0;
}
