/** The check of a pull request: the verdict, every finding, and annotations where no comment is. */
import { printable } from "../../../base/printable.ts";
import { isAtLeast, SEVERITY_LABELS, type Severity } from "../../../base/severity.ts";
import { chooseSpread } from "../../findings/choose-spread.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import type { CheckAnnotation, PullRequestPublication } from "../pull-request-publication.ts";
import { renderCheckSummary, type SummaryOptions } from "../render/render-summary.ts";
import { isAboutDescription, isComplete } from "../words.ts";

/** GitHub cuts longer titles of checks. */
const MAX_CHECK_TITLE_CHARS = 250;

/** Two requests. No reader opens more on the pages of a change; the summary lists the others. */
const MAX_ANNOTATIONS = 100;

/** GitHub's limit for the title of an annotation. */
const MAX_ANNOTATION_TITLE_CHARS = 255;

/** GitHub collapses long messages. */
const MAX_MESSAGE_CHARS = 2_000;

export type CheckOptions = {
  readonly failOn: Severity | "none";
  /** The findings that `annotatedOf` chose. */
  readonly annotated: readonly PublishedFinding[];
  readonly summary: SummaryOptions;
  /** False if the check has to explain the findings without a comment, because no summary does. */
  readonly hasSummary: boolean;
};

export function composeCheck(
  publication: Publication,
  { failOn, annotated, summary, hasSummary }: CheckOptions,
): PullRequestPublication["check"] {
  return {
    conclusion: concludeCheck(publication, failOn),
    title: cutTo(printable(publication.verdict.headline), MAX_CHECK_TITLE_CHARS),
    summary: renderCheckSummary(publication, summary, hasSummary),
    annotations: annotated.flatMap(toAnnotation),
  };
}

/** `success` means that everything was read and nothing blocks the merge; a review that is only advice is `neutral`. */
function concludeCheck(
  publication: Publication,
  failOn: CheckOptions["failOn"],
): PullRequestPublication["check"]["conclusion"] {
  const open = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
  if (failOn !== "none" && open.some(({ severity }) => isAtLeast(severity, failOn))) return "failure";
  if (!isComplete(publication) || publication.verdict.outcome === "skipped") return "neutral";
  return open.length > 0 && failOn === "none" ? "neutral" : "success";
}

const LEVELS: Readonly<Record<Severity, CheckAnnotation["level"]>> = {
  critical: "failure",
  "must-fix": "failure",
  major: "warning",
  medium: "warning",
  minor: "notice",
};

/**
 * The findings that get an annotation, because they have no comment. Only those with a line at the head: an annotation on any
 * other line would be wrong. A skipped review has none: a later review of this head may still comment on the lines.
 */
export function annotatedOf(
  { findings, verdict }: Publication,
  isInline: (finding: PublishedFinding) => boolean,
): readonly PublishedFinding[] {
  if (verdict.outcome === "skipped") return [];
  const uncommented = findings.filter(
    (found) =>
      !isInline(found) &&
      !isAboutDescription(found) &&
      found.headLine !== null &&
      found.anchor !== null &&
      found.finding.path.isWellFormed(),
  );
  return [...chooseSpread(uncommented, MAX_ANNOTATIONS)];
}

function toAnnotation(published: PublishedFinding): readonly CheckAnnotation[] {
  const { finding, anchor, headLine, severity } = published;
  if (headLine === null || anchor === null) return [];
  const isRemoved = anchor.side === "old";
  const note = isRemoved ? `About removed code (line ${anchor.startLine} before the change). ` : "";
  const source = finding.rule === null ? "" : `\n\n${printable(finding.rule)}`;
  const message = `${note}${finding.body}`.split(/\r\n|\n|\r/).map(printable);
  return [
    {
      path: finding.path,
      startLine: headLine,
      endLine: isRemoved ? headLine : anchor.endLine,
      level: LEVELS[severity],
      title: cutTo(`${SEVERITY_LABELS[severity]}: ${printable(finding.title)}`, MAX_ANNOTATION_TITLE_CHARS),
      message: `${cutTo(message.join("\n"), MAX_MESSAGE_CHARS)}${source}`,
    },
  ];
}

function cutTo(text: string, maxChars: number): string {
  return (text.length <= maxChars ? text : `${text.slice(0, maxChars - 2)} …`).toWellFormed();
}
