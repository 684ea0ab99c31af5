/** What the checks of a review say about edits, before anything of them is pushed. Pure. */
import { isAtLeast, SEVERITY_LABELS, type Severity } from "../../base/severity.ts";
import type { DropReason } from "../findings/finding.ts";
import type { Publication } from "../publication/publication.ts";
import { codeSpan, neutraliseInline } from "../publication/render/safe-markdown.ts";
import { describeGap, listOmissions, pathsOfGap } from "../publication/words.ts";

export type EditFinding = {
  readonly severity: Severity;
  readonly title: string;
  /** What to do about it, in the words of the rule. */
  readonly body: string;
  readonly path: string;
  /** At the commit of the edits; null for the whole file. */
  readonly line: number | null;
};

export type EditReview = {
  /** Most severe first. */
  readonly findings: readonly EditFinding[];
  /** Checks that ran: "91 built-in rules", "oxlint". */
  readonly checked: readonly string[];
  /** Checks that should have run and didn't, and files that weren't read, each with the reason. */
  readonly notChecked: readonly NotChecked[];
};

export type NotChecked = { readonly what: string; readonly paths: readonly string[] };

/** Findings from this severity on keep edits from being pushed. */
const BLOCKING: Severity = "must-fix";

/** Reasons that a person who reviews may accept. An edit can't bring a comment that hides its own findings, and its size is no excuse. */
const NOT_HIDDEN: ReadonlySet<DropReason> = new Set([
  "suppressed:in-code",
  "filtered:abbreviated-file",
  "filtered:below-mode",
]);

export function composeEditReview({
  findings,
  dropped,
  receipt,
  details,
  dependencies,
}: Pick<Publication, "findings" | "dropped" | "receipt" | "details" | "dependencies">): EditReview {
  const hidden = dropped.filter(
    ({ reason, severity }) => NOT_HIDDEN.has(reason) && isAtLeast(severity, BLOCKING),
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
      ...receipt.gaps.map((gap) => ({ what: describeGap(gap), paths: pathsOfGap(gap).paths })),
      ...listOmissions(receipt).map(({ label, paths }) => ({
        what: label,
        paths: paths.map(({ path }) => path),
      })),
    ],
  };
}

export function blockingOf({ findings }: Pick<EditReview, "findings">): readonly EditFinding[] {
  return findings.filter(({ severity }) => isAtLeast(severity, BLOCKING));
}

/** Of a list in an answer. */
const MAX_LISTED = 20;

/** Safe Markdown, one line each. */
export function listEditFindings(findings: readonly EditFinding[]): readonly string[] {
  const lines = findings
    .slice(0, MAX_LISTED)
    .map(
      ({ severity, title, path, line }) =>
        `- **${SEVERITY_LABELS[severity]}** ${codeSpan(line === null ? path : `${path}:${line}`)}: ${neutraliseInline(title)}`,
    );
  const more = findings.length - lines.length;
  return more === 0 ? lines : [...lines, `- … and ${more} more`];
}

/** Completes "Not checked: …". */
export function describeNotChecked(notChecked: readonly NotChecked[]): string {
  return notChecked
    .map(({ what, paths }) => {
      const named = paths.map(codeSpan).join(", ");
      return `${neutraliseInline(what)}${named === "" ? "" : `: ${named}`}`;
    })
    .join("; ");
}
