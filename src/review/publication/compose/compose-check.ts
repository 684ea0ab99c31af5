/** The check of a pull request: the verdict, every finding with its explanation, and annotations where no comment is. */
import { printable } from "../../../base/printable.ts";
import { isAtLeast, SEVERITY_LABELS, type Severity } from "../../../base/severity.ts";
import { chooseSpread } from "../../findings/choose-spread.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import type { CheckAnnotation, PullRequestPublication } from "../pull-request-publication.ts";
import type { Links } from "../render/links.ts";
import {
  listFindings,
  renderDetails,
  renderEntries,
  renderReviewOverview,
} from "../render/markdown-blocks.ts";
import {
  listOpen,
  listResolved,
  renderAnswered,
  renderHidden,
  resolvedHeading,
} from "../render/ledger-lists.ts";
import { isAboutDescription, isComplete } from "../words.ts";

/** GitHub cuts longer titles of checks. */
const MAX_CHECK_TITLE_CHARS = 250;

/** All parts together stay below the 65,535 characters of a check's summary. */
const MAX_FINDINGS_CHARS = 36_000;
const MAX_STILL_OPEN_CHARS = 8_000;

/** Two requests. No reader opens more on the pages of a change; the summary lists the others. */
const MAX_ANNOTATIONS = 100;

/** GitHub's limit for the title of an annotation. */
const MAX_ANNOTATION_TITLE_CHARS = 255;

/** GitHub collapses long messages. */
const MAX_MESSAGE_CHARS = 2_000;

export type CheckOptions = {
  readonly failOn: Severity | "none";
  /** True for a finding that has a comment on its line. */
  readonly isInline: (finding: PublishedFinding) => boolean;
  readonly links: Links;
};

export function composeCheck(
  publication: Publication,
  options: CheckOptions,
): PullRequestPublication["check"] {
  return {
    conclusion: concludeCheck(publication, options),
    title: cutTo(printable(publication.verdict.headline), MAX_CHECK_TITLE_CHARS),
    summary: renderCheck(publication, options.links),
    annotations: composeAnnotations(publication, options),
  };
}

/** `success` means that everything was read and nothing blocks the merge; a review that is only advice is `neutral`. */
function concludeCheck(
  publication: Publication,
  { failOn }: CheckOptions,
): PullRequestPublication["check"]["conclusion"] {
  const open = [...publication.findings, ...publication.stillOpen.map(({ judged }) => judged)];
  if (failOn !== "none" && open.some(({ severity }) => isAtLeast(severity, failOn))) return "failure";
  if (!isComplete(publication) || publication.verdict.outcome === "skipped") return "neutral";
  return open.length > 0 && failOn === "none" ? "neutral" : "success";
}

function renderCheck(publication: Publication, links: Links): string {
  const { findings } = publication;
  const { stillOpen, resolved } = publication;
  const textsOf = (found: Parameters<typeof listFindings>[0]): readonly string[] =>
    listFindings(found, links).map(({ text }) => text);
  const sections = [
    renderReviewOverview(publication),
    ...(findings.length === 0
      ? []
      : [`### Findings (${findings.length})\n`, renderEntries(textsOf(findings), MAX_FINDINGS_CHARS)]),
    ...(stillOpen.length === 0
      ? []
      : [
          `### Still open (${stillOpen.length})\n`,
          renderEntries(listOpen(stillOpen, links), MAX_STILL_OPEN_CHARS),
        ]),
    renderAnswered(publication, links),
    renderHidden(publication),
    ...(resolved.length === 0
      ? []
      : [`${resolvedHeading(publication)}\n`, renderEntries(listResolved(resolved), MAX_STILL_OPEN_CHARS)]),
    "### Details\n",
    renderDetails(publication, { isOpen: true }),
  ];
  return sections.filter((section) => section !== "").join("\n");
}

const LEVELS: Readonly<Record<Severity, CheckAnnotation["level"]>> = {
  critical: "failure",
  "must-fix": "failure",
  major: "warning",
  medium: "warning",
  minor: "notice",
};

/** A skipped review has none: a later review of this head may still comment on the lines. */
function composeAnnotations(
  { findings, verdict }: Publication,
  { isInline }: CheckOptions,
): readonly CheckAnnotation[] {
  if (verdict.outcome === "skipped") return [];
  const uncommented = findings.filter(
    (found) => !isInline(found) && !isAboutDescription(found) && found.finding.path.isWellFormed(),
  );
  return [...chooseSpread(uncommented, MAX_ANNOTATIONS)].flatMap(toAnnotation);
}

/** Only findings with a line at the head: an annotation on any other line would be wrong. */
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
