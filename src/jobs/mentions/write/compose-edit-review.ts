/** Composes the review of edits from the publication of a review. Pure. */
import { isAtLeast } from "../../../base/severity.ts";
import { BLOCKING_SEVERITY, type EditReview } from "../../../review/edits/edit-review.ts";
import type { DropReason } from "../../../review/findings/finding.ts";
import type { Publication } from "../../../review/publication/publication.ts";
import { pathsOfGap } from "../../../review/publication/describe-details.ts";
import { describeGap, listOmissions } from "../../../review/publication/words.ts";

/** Reasons that a person who reviews may accept. An edit can't bring a comment that hides its own findings, and its size is no excuse. */
const NOT_HIDDEN: ReadonlySet<DropReason> = new Set(["suppressed:in-code", "filtered:below-mode"]);

export function composeEditReview({
  findings,
  dropped,
  receipt,
  details,
  dependencies,
  degradations,
}: Pick<
  Publication,
  "findings" | "dropped" | "receipt" | "details" | "dependencies" | "degradations"
>): EditReview {
  const hidden = dropped.filter(
    ({ reason, severity }) => NOT_HIDDEN.has(reason) && isAtLeast(severity, BLOCKING_SEVERITY),
  );
  const { rulesRun, analysers } = details;
  const ran = analysers.filter(({ files }) => files > 0).map(({ name }) => name);
  return {
    findings: [...hidden, ...findings].map(({ finding, anchor, severity }) => ({
      severity,
      title: finding.title,
      body: finding.body,
      path: finding.path,
      line: anchor?.startLine ?? null,
    })),
    checked: [
      ...(rulesRun === 0 ? [] : [`${rulesRun} built-in rules`]),
      ...ran,
      ...(dependencies === null ? [] : ["dependencies"]),
    ],
    notChecked: [
      ...(rulesRun === 0 ? [{ what: "built-in rules (they couldn't run)", paths: [] }] : []),
      ...degradations.map(({ what, message }) => ({ what: `${what} (${message})`, paths: [] })),
      ...receipt.gaps.map((gap) => ({ what: describeGap(gap), paths: pathsOfGap(gap).paths })),
      ...listOmissions(receipt).map(({ label, paths }) => ({
        what: label,
        paths: paths.map(({ path }) => path),
      })),
    ],
  };
}
