/**
 * Applies what people said about findings after a review to its publication: the verdicts of the ledger, threads that were resolved, and
 * suppressions that were learned. Nothing is judged or read again, so an incomplete review stays incomplete. Pure.
 */
import type { PriorFinding } from "../../context/prior-review.ts";
import { describeSuppressed, isBeyondFeedback } from "../../findings/rules/feedback-suppressions.ts";
import type { JudgingContext } from "../../findings/rules/rule.ts";
import type { HiddenFinding } from "../../findings/settle-prior.ts";
import type { OpenFinding, Publication, PublishedFinding } from "../publication.ts";
import { compareOpen } from "../words.ts";
import { composeVerdict } from "./compose-verdict.ts";

/** The present knowledge about the findings of a review. */
export type SettledSince = Pick<JudgingContext, "feedbackOn"> & {
  /** The ledger with its threads, by identity. */
  readonly priors: ReadonlyMap<string, PriorFinding>;
};

/** `publication` is as the review composed it, never as an earlier call settled it, so that a word can be taken back. */
export function settlePublication(
  publication: Publication,
  skippedBecause: string | null,
  { priors, feedbackOn }: SettledSince,
): Publication {
  const answered: OpenFinding[] = [];
  const hidden: HiddenFinding[] = [...publication.hidden];
  /** Whether the finding still counts. `earlier` is how the review saw it; null for one that it found itself. */
  const isOpen = (judged: PublishedFinding, earlier: OpenFinding | null): boolean => {
    const prior = priors.get(judged.id);
    if (prior === undefined) return keepAsItWas(earlier);
    const state = answerTo(prior, earlier);
    if (state !== null) {
      const { place, carriedAs } = earlier ?? { place: placeOf(judged), carriedAs: null };
      answered.push({ prior, judged: { ...judged, placement: "details" }, place, state, carriedAs });
      return false;
    }
    const ruling = isBeyondFeedback(judged) ? null : feedbackOn(judged.finding);
    if (ruling?.kind !== "suppress") return true;
    hidden.push({ prior, state: "suppressed", because: describeSuppressed(ruling) });
    return false;
  };
  /** The ledger doesn't know it any more. */
  const keepAsItWas = (earlier: OpenFinding | null): boolean => {
    const isAnswered = earlier !== null && publication.answered.includes(earlier);
    if (isAnswered) answered.push(earlier);
    return !isAnswered;
  };
  const findings = publication.findings.filter((finding) => isOpen(finding, null));
  const stillOpen = [...publication.stillOpen, ...publication.answered]
    .filter((open) => isOpen(open.judged, open))
    .map((open): OpenFinding => ({ ...open, state: open.state === "addressed" ? "addressed" : "open" }))
    .toSorted(compareOpen);
  const settled = { ...publication, findings, stillOpen, answered: answered.toSorted(compareOpen), hidden };
  const { change, receipt, details } = publication;
  const verdict = composeVerdict({
    ...settled,
    change: { ...change, isEmpty: receipt.coverage.files === 0 },
    skippedBecause,
    reviewer: details.reviewer,
    rulesRun: details.rulesRun,
  });
  return { ...settled, verdict };
}

/** A command holds. A resolved thread counts from when it was resolved: the review has judged what was resolved before. */
function answerTo(prior: PriorFinding, earlier: OpenFinding | null): "contested" | "waived" | null {
  const { state, verdict, thread } = prior;
  if (verdict !== undefined) return state === "contested" || state === "waived" ? state : null;
  if (thread?.isResolvedByPerson !== true) return null;
  const wasResolved = earlier?.prior.thread?.isResolvedByPerson === true;
  return wasResolved && earlier.state !== "waived" ? null : "waived";
}

function placeOf({ anchor }: PublishedFinding): OpenFinding["place"] {
  if (anchor === null) return null;
  const { path, side, startLine, endLine } = anchor;
  return { path, side, startLine, endLine };
}
