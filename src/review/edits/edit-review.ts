/** The results of a review of edits, before anything of them is pushed. Pure. */
import { isAtLeast, SEVERITY_LABELS, type Severity } from "../../base/severity.ts";
import { codeSpan, neutraliseInline } from "../publication/render/safe-markdown.ts";

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
export const BLOCKING_SEVERITY: Severity = "must-fix";

export function blockingOf({ findings }: Pick<EditReview, "findings">): readonly EditFinding[] {
  return findings.filter(({ severity }) => isAtLeast(severity, BLOCKING_SEVERITY));
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
