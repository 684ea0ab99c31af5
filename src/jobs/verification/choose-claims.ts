/** Chooses the findings that are worth a second reading, the gravest first, and puts those of one file together. Pure. */
import { hashParts } from "../../base/hash.ts";
import { isAtLeast, severityRank } from "../../base/severity.ts";
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { DESCRIPTION_PATH } from "../../review/findings/description-path.ts";
import type { JudgedFinding } from "../../review/findings/finding.ts";
import type { Judgement } from "../../review/findings/judge-findings.ts";
import { isBeyondVerifier } from "../../review/findings/rules/second-reading.ts";

/** In one review. More would cost as much as the review itself; the gravest come first. */
export const MAX_CLAIMS = 12;

/** Claims about one file share the code that they are about. More of them would distract from each other. */
const MAX_CLAIMS_TOGETHER = 4;

/** Long enough that two claims of one review never share a key. */
const KEY_CHARS = 24;

export type CheckedClaim = {
  /** The same for the same claim when a review is taken up again. */
  readonly key: string;
  readonly judged: JudgedFinding;
};

export type VerifySettings = Pick<RepoConfig["review"], "verify" | "verifyBelow">;

/** Findings of this review that have no verdict, the gravest first. */
export function chooseClaims(
  { judged, known }: Pick<Judgement, "judged" | "known">,
  settings: VerifySettings,
): readonly CheckedClaim[] {
  const again = known.flatMap(({ judged: each, carriedAs }) =>
    each === null || carriedAs !== null ? [] : [each],
  );
  return [...judged, ...again]
    .filter((each) => isWanted(each, settings))
    .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
    .map((each) => ({ key: keyOfClaim(each), judged: each }));
}

function isWanted({ finding, severity, sources = [] }: JudgedFinding, settings: VerifySettings): boolean {
  const { verify, verifyBelow } = settings;
  const reports = [finding, ...sources];
  if (verify === "off" || finding.verification !== undefined || finding.path === DESCRIPTION_PATH)
    return false;
  if (reports.some(isBeyondVerifier)) return false;
  // A registry or an advisory proves it, which the code can't refute.
  if (finding.source === "bump") return false;
  if (reports.some(({ disputed }) => disputed !== undefined)) return true;
  if (verify === "all" || severity === "critical") return true;
  // A later round looks for one kind of problem, so it finds more that isn't there.
  if (finding.round !== undefined) return true;
  return finding.source === "model" ? finding.confidence < verifyBelow : isAtLeast(severity, "must-fix");
}

function keyOfClaim({ finding: { path, title, quote } }: JudgedFinding): string {
  return hashParts([path, title, quote], KEY_CHARS);
}

/** In the order of the gravest claim of each group. */
export function groupClaims(claims: readonly CheckedClaim[]): readonly (readonly CheckedClaim[])[] {
  const byPath = Map.groupBy(claims, ({ judged }) => judged.finding.path);
  return [...byPath.values()].flatMap((ofFile) =>
    Array.from({ length: Math.ceil(ofFile.length / MAX_CLAIMS_TOGETHER) }, (_, index) =>
      ofFile.slice(index * MAX_CLAIMS_TOGETHER, (index + 1) * MAX_CLAIMS_TOGETHER),
    ),
  );
}
