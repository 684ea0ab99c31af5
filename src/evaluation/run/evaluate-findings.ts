/** The findings of a review with what became of each: shown, or one of the ways to lose it. */
import type { DropReason, DroppedFinding, Finding } from "../../review/findings/finding.ts";
import type { Publication, PublishedFinding } from "../../review/publication/publication.ts";
import type { EvaluatedFinding } from "./case-run.ts";

type Reviewed = Pick<Publication, "findings" | "dropped">;

/** Shown ones first, in the order of the review. */
export function evaluateFindings({ findings, dropped }: Reviewed): readonly EvaluatedFinding[] {
  return [
    ...findings.map(({ finding, anchor, severity, placement }) => ({
      ...describe({ finding, anchor, severity }),
      fate: "shown" as const,
      placement,
      reason: null,
      mergedInto: null,
    })),
    ...dropped.map((each) => {
      const fate = fateOf(each);
      return {
        ...describe(each),
        fate,
        placement: null,
        reason: fate === "dropped" ? each.reason : null,
        mergedInto: fate === "merged" ? findMerged(each, findings) : null,
      };
    }),
  ];
}

type Placed = Pick<DroppedFinding, "finding" | "anchor" | "severity">;

function describe({ finding, anchor, severity }: Placed) {
  const { title, body, category, confidence, source, rule, pass, verification } = finding;
  const verdict =
    verification === undefined || verification.verdict === "failed" ? null : verification.verdict;
  return {
    title,
    body,
    path: anchor?.path ?? finding.path,
    side: anchor?.side ?? finding.sideHint,
    lines: anchor === null ? null : ([anchor.startLine, anchor.endLine] as const),
    severity,
    category,
    confidence,
    source,
    rule,
    pass,
    verdict,
  };
}

const FATES: Readonly<Partial<Record<DropReason, EvaluatedFinding["fate"]>>> = {
  "dropped:not-in-change": "not-placed",
  "dropped:duplicate": "merged",
  "dropped:below-confidence": "below-threshold",
  "filtered:below-mode": "below-threshold",
  "dropped:too-many": "over-limit",
};

function fateOf({ reason, finding }: DroppedFinding): EvaluatedFinding["fate"] {
  if (reason !== "dropped:withdrawn") return FATES[reason] ?? "dropped";
  return finding.withdrawnBecause === undefined && finding.verification?.verdict === "refuted"
    ? "refuted"
    : "withdrawn";
}

/** Null when it was merged into a finding that was dropped later. */
function findMerged({ finding, anchor }: DroppedFinding, shown: readonly PublishedFinding[]): number | null {
  const isSame = (other: Finding): boolean =>
    other.title === finding.title && other.path === finding.path && other.quote === finding.quote;
  const bySource = shown.findIndex(({ sources = [] }) => sources.some(isSame));
  if (bySource !== -1) return bySource;
  const byPlace = shown.findIndex(
    ({ others = [], finding: { path } }) =>
      path === finding.path && others.some(({ startLine }) => startLine === anchor?.startLine),
  );
  return byPlace === -1 ? null : byPlace;
}
