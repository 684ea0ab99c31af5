/** The feedback of people on findings, looked up once per problem. Pure. */
import type { RepoConfig } from "../../config/repo-config/schema.ts";
import { isInForce, rulingOn } from "../../memory/decide-suppression.ts";
import type { Suppression } from "../../memory/feedback.ts";
import { findProblems } from "../../memory/problems.ts";
import type { FeedbackRuling } from "../../review/context/feedback-ruling.ts";
import type { JudgingContext } from "../../review/findings/rules/rule.ts";
import type { TeamFeedback } from "./team-memory.ts";

export type FeedbackRulings = Pick<JudgingContext, "feedbackOn"> & {
  /** Suppressions in force in this repository. */
  readonly suppressions: readonly Suppression[];
};

export function createFeedbackRulings(
  given: TeamFeedback,
  settings: RepoConfig["feedback"],
  now: number,
): FeedbackRulings {
  const problems = findProblems(given.feedback);
  const byProblem = <Row extends { readonly pattern: string }>(rows: readonly Row[]) =>
    Map.groupBy(
      rows.map((row) => ({ ...row, pattern: problems.patternOf(row.pattern) })),
      ({ pattern }) => pattern,
    );
  const byPattern = byProblem(given.feedback);
  const suppressionsBy = byProblem(given.suppressions);
  const idsOf = (learnings: TeamFeedback["explained"]): ReadonlyMap<string, number> =>
    new Map(
      byProblem(learnings)
        .entries()
        .map(([pattern, [first]]) => [pattern, first?.id ?? 0]),
    );
  const [explained, repeated] = [idsOf(given.explained), idsOf(given.repeated)];
  const rulings = new Map<string, FeedbackRuling | null>();
  const rule = (pattern: string): FeedbackRuling | null => {
    const known = rulings.get(pattern);
    if (known !== undefined) return known;
    const feedback = byPattern.get(pattern) ?? [];
    const suppressions = suppressionsBy.get(pattern) ?? [];
    const ruling = rulingOn(pattern, { feedback, suppressions, explained, repeated, settings, now });
    rulings.set(pattern, ruling);
    return ruling;
  };
  return {
    feedbackOn(finding) {
      const { pattern, isCertain, isSameKind } = problems.patternFor(finding);
      const ruling = rule(pattern);
      if (ruling === null) return null;
      return (ruling.kind === "explained" ? isCertain : isSameKind) ? ruling : weaken(ruling);
    },
    suppressions: given.suppressions.filter(
      (each) => isInForce(each, now) && rule(problems.patternOf(each.pattern))?.kind === "suppress",
    ),
  };
}

/** A finding that is probably the same problem isn't hidden or moved. */
function weaken(ruling: FeedbackRuling): FeedbackRuling {
  if (ruling.kind === "suppress") {
    const { reason, undo, rejections } = ruling;
    return { kind: "lower", reason, undo, rejections, signals: rejections };
  }
  return ruling.kind === "explained" ? { ...ruling, isListed: false } : ruling;
}
