/** Compares the findings of one review with what is known about its pull request. */
import type { CaseRun, EvaluatedFinding } from "../run/case-run.ts";
import type { RunCase } from "../run/run-file.ts";
import type { KnownAnswer } from "../set/evaluation-set.ts";
import { distanceOf, matchFindings, overlapOf } from "./match-findings.ts";

export type ComparedFinding = {
  readonly finding: EvaluatedFinding;
  /** The known answer that it says; null for none, and for what is no separate report. */
  readonly answer: KnownAnswer | null;
};

export type ComparedReview = {
  readonly run: CaseRun;
  readonly of: RunCase;
  /** In the order of the review. */
  readonly findings: readonly ComparedFinding[];
  /** Each known answer with the finding that says it, shown or lost; null when no finding does. */
  readonly answers: readonly { readonly answer: KnownAnswer; readonly by: EvaluatedFinding | null }[];
};

export function isShown({ fate }: EvaluatedFinding): boolean {
  return fate === "shown";
}

/**
 * A shown finding takes its answer first. The remaining answers are compared with the findings that no reader saw. A shown one elsewhere
 * that is alike doesn't take the answer of a lost one at its very place: it is another defect of the same kind.
 */
export function compareReview(run: CaseRun, of: RunCase): ComparedReview {
  const answerOf = new Map<EvaluatedFinding, KnownAnswer>();
  const open = new Set(of.answers);
  const lost = run.findings.filter((each) => !isShown(each) && each.fate !== "merged");
  for (const shown of [true, false]) {
    const candidates = run.findings.filter((each) => isShown(each) === shown);
    const asked = [...open];
    for (const match of matchFindings(asked, candidates)) {
      const [answer, finding] = [asked[match.answer], candidates[match.finding]];
      if (answer === undefined || finding === undefined) continue;
      if (shown && match.by === "topic" && lost.some((each) => isCloser(each, finding, answer))) continue;
      answerOf.set(finding, answer);
      open.delete(answer);
    }
  }
  const finders = new Map([...answerOf].map(([finding, answer]) => [answer, finding]));
  return {
    run,
    of,
    findings: run.findings.map((finding) => ({ finding, answer: answerOf.get(finding) ?? null })),
    answers: of.answers.map((answer) => ({ answer, by: finders.get(answer) ?? null })),
  };
}

/** The place decides only if both have one. */
function isCloser(lost: EvaluatedFinding, shown: EvaluatedFinding, answer: KnownAnswer): boolean {
  if (shown.lines === null || distanceOf(answer, lost) === null) return false;
  return overlapOf(answer, lost) >= overlapOf(answer, shown);
}
