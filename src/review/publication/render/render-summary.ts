/**
 * The sticky summary of a pull request: the verdict, what changed, new findings, findings that are still open, and the
 * details. Findings with a comment on their line are listed without their code; the others are shown in full.
 */
import { SEVERITIES, SEVERITY_LABELS } from "../../../base/severity.ts";
import { renderDependencies } from "./dependency-blocks.ts";
import type { Links } from "./links.ts";
import { renderAnswered, renderHidden, renderResolved, renderStillOpen } from "./ledger-lists.ts";
import { item } from "./list-item.ts";
import {
  fitFindings,
  MAX_MARKDOWN_COMMENT_CHARS,
  type NumberedFinding,
  renderDetails,
  renderFinding,
  renderListed,
  renderMore,
  renderNotices,
  renderReviewOverview,
} from "./markdown-blocks.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { groupFindings, sectionUnplaced } from "../group-findings.ts";

/** The forge appends its signed marker, which is this long without its state. */
const MARKER_CHARS = 500;

export type SummaryOptions = {
  /** True for a finding that has a comment on its line. */
  readonly isInline: (finding: PublishedFinding) => boolean;
  /** Why the host refused a comment for a finding, by id. */
  readonly movedReasons: ReadonlyMap<string, string>;
  readonly links: Links;
  /** Room for the state that the forge keeps in its marker. */
  readonly stateChars: number;
};

export function renderSummary(publication: Publication, options: SummaryOptions): string {
  const { isInline, movedReasons, links, stateChars } = options;
  const { placed, unplaced, more } = groupFindings(publication.findings);
  const below = [renderNotices(publication), renderRetry(publication), renderReviewOverview(publication)];
  const head = [
    `## Kodiai\n\n**${item(publication.verdict.headline)}**\n`,
    ...below.filter((block) => block !== ""),
  ].join("\n");
  const tail = [
    renderDependencies(publication.dependencies),
    renderStillOpen(publication, links),
    renderAnswered(publication, links),
    renderHidden(publication),
    renderResolved(publication),
    renderMore(more, links),
    renderDetails(publication),
  ]
    .filter((block) => block !== "")
    .join("\n");
  const sections = [
    ...SEVERITIES.map((severity) => ({
      title: SEVERITY_LABELS[severity],
      findings: placed.filter((finding) => finding.severity === severity),
    })),
    ...sectionUnplaced(unplaced),
  ];
  const render = (numbered: NumberedFinding): string => {
    if (isInline(numbered.item)) return renderListed(numbered, links);
    const moved = movedReasons.get(numbered.item.id);
    const note = moved === undefined ? "" : `\nShown here because ${item(moved)}.\n`;
    return `${renderFinding(numbered, links)}${note}`;
  };
  const markerChars = MARKER_CHARS + stateChars;
  const budgetChars = MAX_MARKDOWN_COMMENT_CHARS - markerChars - head.length - tail.length;
  return [head, ...fitFindings(sections, render, { budgetChars, hint: "", links }), tail].join("\n");
}

/** Offers a retry where it can help. It can't after the budget is spent. */
function renderRetry({ conclusion }: Publication): string {
  const canHelp = conclusion === "timeout-partial" || conclusion === "model-failed";
  return canHelp ? "To retry, comment `/kodiai review`.\n" : "";
}
