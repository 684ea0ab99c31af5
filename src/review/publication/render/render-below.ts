/** The blocks below the findings, as the report and the summary of a pull request both have them. */
import { SEVERITIES, SEVERITY_LABELS } from "../../../base/severity.ts";
import { needsExplanation } from "../explain-once.ts";
import { groupFindings, sectionUnplaced } from "../group-findings.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { renderDependencies } from "./dependency-blocks.ts";
import { renderAnswered, renderHidden, renderResolved, renderStillOpen } from "./ledger-lists.ts";
import type { Links } from "./links.ts";
import { renderWithdrawn } from "./withdrawn-list.ts";
import { type MarkdownSection, renderDetails, renderMore } from "./markdown-blocks.ts";

export type BelowOptions = {
  readonly links: Links;
  /** True for a finding whose explanation is nowhere else. Omitted: from major up. */
  readonly explains?: (finding: PublishedFinding) => boolean;
  /** Omitted: collapsed. */
  readonly areDetailsOpen?: boolean;
};

export function renderBelow(publication: Publication, options: BelowOptions): string {
  const { links, explains = needsExplanation, areDetailsOpen = false } = options;
  const blocks = [
    renderDependencies(publication.dependencies),
    renderStillOpen(publication, links),
    renderAnswered(publication, links),
    renderHidden(publication),
    renderResolved(publication),
    renderMore(groupFindings(publication.findings).more, links, explains),
    renderWithdrawn(publication, links),
    areDetailsOpen
      ? `### Details\n\n${renderDetails(publication, { isOpen: true })}`
      : renderDetails(publication),
  ];
  return blocks.filter((block) => block !== "").join("\n");
}

/** The findings under a heading for each severity, then those without a line. */
export function sectionBySeverity(findings: readonly PublishedFinding[]): readonly MarkdownSection[] {
  const { placed, unplaced } = groupFindings(findings);
  return [
    ...SEVERITIES.map((severity) => ({
      title: SEVERITY_LABELS[severity],
      findings: placed.filter((finding) => finding.severity === severity),
    })),
    ...sectionUnplaced(unplaced),
  ];
}
