/** Renders findings by severity and the blocks after them, as the report and the summary of a pull request both have them. */
import { SEVERITIES, SEVERITY_LABELS } from "../../../base/severity.ts";
import type { Publication } from "../publication.ts";
import { groupFindings, sectionUnplaced } from "../group-findings.ts";
import { renderDependencies } from "./dependency-blocks.ts";
import { renderAnswered, renderHidden, renderResolved, renderStillOpen } from "./ledger-lists.ts";
import type { Links } from "./links.ts";
import { renderWithdrawn } from "./withdrawn-list.ts";
import { type MarkdownSection, renderDetails, renderMore } from "./markdown-blocks.ts";

export function renderBelow(
  publication: Publication,
  links: Links,
): { readonly sections: readonly MarkdownSection[]; readonly tail: string } {
  const { placed, unplaced, more } = groupFindings(publication.findings);
  const tail = [
    renderDependencies(publication.dependencies),
    renderStillOpen(publication, links),
    renderAnswered(publication, links),
    renderHidden(publication),
    renderResolved(publication),
    renderMore(more, links),
    renderWithdrawn(publication, links),
    renderDetails(publication),
  ];
  return {
    sections: [
      ...SEVERITIES.map((severity) => ({
        title: SEVERITY_LABELS[severity],
        findings: placed.filter((finding) => finding.severity === severity),
      })),
      ...sectionUnplaced(unplaced),
    ],
    tail: tail.filter((block) => block !== "").join("\n"),
  };
}
