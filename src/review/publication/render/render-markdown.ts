/**
 * The review as Markdown for a comment or a job summary. Untrusted text passes through safe-markdown.ts. The result never
 * exceeds a forge's limit, and states how much was left out.
 */
import { SEVERITIES, SEVERITY_LABELS } from "../../../base/severity.ts";
import { renderAnswered, renderHidden, renderResolved, renderStillOpen } from "./ledger-lists.ts";
import { renderDependencies } from "./dependency-blocks.ts";
import { type Links, NO_LINKS } from "./links.ts";
import { item } from "./list-item.ts";
import {
  fitFindings,
  MAX_MARKDOWN_COMMENT_CHARS,
  type NumberedFinding,
  renderDetails,
  renderFinding,
  renderMore,
  renderNotices,
  renderReviewOverview,
} from "./markdown-blocks.ts";
import { adviseRest } from "../compose/advise-failure.ts";
import type { Publication } from "../publication.ts";
import { groupFindings, sectionUnplaced } from "../group-findings.ts";

export function renderMarkdown(publication: Publication): string {
  const { placed, unplaced, more } = groupFindings(publication.findings);
  const head = [
    `**${item(publication.verdict.headline)}**\n`,
    ...[renderNotices(publication), renderRest(publication), renderReviewOverview(publication)].filter(
      (block) => block !== "",
    ),
  ].join("\n");
  const links: Links = { ...NO_LINKS, rulesUrl: publication.rulesUrl };
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
  const budgetChars = MAX_MARKDOWN_COMMENT_CHARS - head.length - tail.length;
  const hint = "; `--format json` lists them all";
  const render = (numbered: NumberedFinding): string => renderFinding(numbered, links);
  return [head, ...fitFindings(sections, render, { budgetChars, hint, links }), tail].join("\n");
}

/** Advice after a timeout. */
function renderRest({ conclusion }: Publication): string {
  const advice = adviseRest(conclusion);
  return advice === null ? "" : `Next: ${item(advice)}\n`;
}
