/** Where findings are lost between the reviewer and the reader, how right they are for their confidence, and what second readings did. */
import { compareTexts } from "../../base/compare-texts.ts";
import type { EvaluatedFinding } from "../run/case-run.ts";
import type { ComparedFinding, ComparedReview } from "./compare-case.ts";
import { round, share } from "./figures.ts";
import type { Band, LossRow, Score } from "./score.ts";

/** The order of the tables: from the reader backwards. */
const FATES = [
  "shown",
  "not-placed",
  "merged",
  "below-threshold",
  "over-limit",
  "withdrawn",
  "refuted",
  "dropped",
] as const satisfies readonly EvaluatedFinding["fate"][];

export function lossesOf(reviews: readonly ComparedReview[]): Score["losses"] {
  const finders = reviews.flatMap(({ answers }) => answers.map(({ by }) => by));
  return {
    known: rowsOf(finders.filter((by) => by !== null)),
    neverReported: finders.filter((by) => by === null).length,
    all: rowsOf(reviews.flatMap(({ findings }) => findings.map(({ finding }) => finding))),
  };
}

/** Every fate has a row, so that a zero is seen. Shown ones have a row for each place, dropped ones for each reason. */
function rowsOf(findings: readonly EvaluatedFinding[]): readonly LossRow[] {
  return FATES.flatMap((fate): readonly LossRow[] => {
    const same = findings.filter((each) => each.fate === fate);
    const byReason = Map.groupBy(same, (each) => each.placement ?? each.reason);
    if (fate !== "shown" && fate !== "dropped") return [{ fate, reason: null, count: same.length }];
    if (same.length === 0) return [{ fate, reason: null, count: 0 }];
    return [...byReason]
      .toSorted(([a], [b]) => compareTexts(a ?? "", b ?? ""))
      .map(([reason, rows]) => ({ fate, reason, count: rows.length }));
  });
}

/** Most models say 0.5 or more. */
const BANDS = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1] as const;

/**
 * Of the findings of models, if there are any: rules have fixed numbers. A merged or withdrawn finding is no claim of its own. A hidden
 * finding is right when it says an answer that no shown one says.
 */
export function calibrationOf(reviews: readonly ComparedReview[]): Score["calibration"] {
  const all = reviews
    .flatMap(({ findings }) => findings)
    .filter(({ finding: { fate } }) => fate !== "merged" && fate !== "withdrawn");
  const ofModels = all.filter(({ finding }) => finding.source === "model");
  const used = ofModels.length > 0 ? ofModels : all;
  return {
    of: ofModels.length > 0 ? "model" : "all",
    bands: BANDS.slice(0, -1).map((from, at) => bandOf(used, from, BANDS[at + 1] ?? 1)),
  };
}

function bandOf(findings: readonly ComparedFinding[], from: number, to: number): Band {
  const inside = findings.filter(
    ({ finding: { confidence } }) => confidence >= from && (confidence < to || to === 1),
  );
  const sum = inside.reduce((total, { finding }) => total + finding.confidence, 0);
  return {
    from,
    to,
    findings: inside.length,
    right: inside.filter(({ answer }) => answer !== null).length,
    meanConfidence: round(share(sum, inside.length)),
  };
}

/** Refuted and right: a true one was lost. Refuted and wrong: a false one was caught. */
export function verificationOf(reviews: readonly ComparedReview[]): Score["verification"] {
  const read = reviews.flatMap(({ findings }) => findings).filter(({ finding }) => finding.verdict !== null);
  if (read.length === 0) return null;
  const tally = (verdict: EvaluatedFinding["verdict"]) => {
    const same = read.filter(({ finding }) => finding.verdict === verdict);
    const right = same.filter(({ answer }) => answer !== null).length;
    return { right, wrong: same.length - right };
  };
  return { confirmed: tally("confirmed"), refuted: tally("refuted"), unsure: tally("unsure") };
}
