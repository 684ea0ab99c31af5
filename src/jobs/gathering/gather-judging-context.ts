/** Gathers the context for judging findings: configuration, earlier reviews, tooling, people's feedback. */
import type { Suppression } from "../../memory/feedback.ts";
import { hasTooling } from "../../review/analysis/tooling.ts";
import { placesSince } from "../../review/context/decide-scope.ts";
import { carryPrior, type CheckProof } from "../../review/findings/carry-prior.ts";
import { locatePrior } from "../../review/findings/match-prior.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { FeedbackRuling, JudgingContext } from "../../review/findings/rules/rule.ts";
import { isToolingMatter } from "../../review/findings/rules/tooling.ts";
import type { PreparedReview } from "./prepared-review.ts";
import type { ReviewDeps } from "./prepare-review.ts";
import { teamMemoryOf } from "./team-memory.ts";

export type GatheredJudging = JudgingContext & {
  /** Suppressions in force in this repository. */
  readonly suppressions: readonly Suppression[];
};

export async function gatherJudgingContext(
  findings: readonly Finding[],
  prepared: PreparedReview,
  proof: CheckProof,
  deps: Pick<ReviewDeps, "teamMemory" | "now">,
): Promise<GatheredJudging> {
  const { change, config, analysis, listing, prior, scope } = prepared;
  const located = locatePrior(prior, placesSince(change.files, prior));
  const paths = findings.some(isToolingMatter) ? await listing() : null;
  return {
    analysis,
    config: config.tree,
    located,
    carriage: carryPrior(located, change.files, proof),
    scope,
    hasTooling: paths !== null && hasTooling(paths),
    ...(await gatherFeedback(prepared, deps)),
  };
}

/** Without memory, or if it can't be read, every finding is judged as it is. */
async function gatherFeedback(
  { config, degradations }: PreparedReview,
  deps: Pick<ReviewDeps, "teamMemory" | "now">,
): Promise<Pick<GatheredJudging, "feedbackOn" | "suppressions">> {
  const memory = teamMemoryOf(config, deps.teamMemory);
  const read = memory === null ? null : await degradations.optional("feedback", () => memory.readFeedback());
  if (read === null) return { feedbackOn: () => null, suppressions: [] };
  // Imported only here: without memory, a review needs none of it.
  const [{ isInForce, rulingOn }, { findProblems }] = await Promise.all([
    import("../../memory/decide-suppression.ts"),
    import("../../memory/problems.ts"),
  ]);
  const now = deps.now();
  const settings = config.tree.root.values.feedback;
  const problems = findProblems(read.feedback);
  const byProblem = <Row extends { readonly pattern: string }>(rows: readonly Row[]) =>
    Map.groupBy(
      rows.map((row) => ({ ...row, pattern: problems.patternOf(row.pattern) })),
      ({ pattern }) => pattern,
    );
  const byPattern = byProblem(read.feedback);
  const suppressionsBy = byProblem(read.suppressions);
  const explained = new Map(
    byProblem(read.explained)
      .entries()
      .map(([pattern, [first]]) => [pattern, first?.id ?? 0]),
  );
  const rulings = new Map<string, FeedbackRuling | null>();
  const rule = (pattern: string): FeedbackRuling | null => {
    const known = rulings.get(pattern);
    if (known !== undefined) return known;
    const feedback = byPattern.get(pattern) ?? [];
    const suppressions = suppressionsBy.get(pattern) ?? [];
    const ruling = rulingOn(pattern, { feedback, suppressions, explained, settings, now });
    rulings.set(pattern, ruling);
    return ruling;
  };
  return {
    feedbackOn(finding) {
      const { pattern, isCertain } = problems.patternFor(finding);
      const ruling = rule(pattern);
      return ruling === null || isCertain ? ruling : weaken(ruling);
    },
    suppressions: read.suppressions.filter(
      (each) => isInForce(each, now) && rule(problems.patternOf(each.pattern))?.kind === "suppress",
    ),
  };
}

/** A finding that is probably the same problem isn't hidden or moved. */
function weaken(ruling: FeedbackRuling): FeedbackRuling {
  if (ruling.kind === "suppress") {
    const { reason, rejections } = ruling;
    return { kind: "lower", reason, rejections, signals: rejections };
  }
  return ruling.kind === "explained" ? { ...ruling, isListed: false } : ruling;
}
