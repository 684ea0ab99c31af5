/** Second readings in words, the same in every format. */
import { count, grouped } from "../../base/count.ts";
import type { GivenVerdict, VerificationReport } from "../context/verification.ts";
import type { DroppedFinding } from "../findings/finding.ts";

/** "5 findings: 3 confirmed, 1 withdrawn, 1 not checked". Completes "Second reading: …". */
export function describeVerification({
  asked,
  confirmed,
  refuted,
  unsure,
  failed,
  leftOut,
}: VerificationReport): string {
  const verdicts = [
    [confirmed, "confirmed"],
    [refuted, "withdrawn"],
    [unsure, "unsure"],
    [failed + leftOut, "shown as found"],
  ] as const;
  const said = verdicts
    .filter(([number]) => number > 0)
    .map(([number, word]) => `${grouped(number)} ${word}`);
  return `${count(asked + leftOut, "finding")}: ${said.join(", ")}`;
}

export type WithdrawnFinding = DroppedFinding & { readonly decidedBy: GivenVerdict["evidence"] };

/** Findings that a second reading refuted, with the line that decided. */
export function withdrawnOf(dropped: readonly DroppedFinding[]): readonly WithdrawnFinding[] {
  return dropped.flatMap((each) => {
    if (each.reason !== "dropped:withdrawn") return [];
    const { verification } = each.finding;
    const isGiven = verification !== undefined && verification.verdict !== "failed";
    return [{ ...each, decidedBy: isGiven ? verification.evidence : null }];
  });
}
