/**
 * The review as Markdown for a comment or a job summary. Untrusted text passes through safe-markdown.ts. The result never
 * exceeds a forge's limit, and states how much was left out.
 */
import { type Links, NO_LINKS } from "./links.ts";
import { item } from "./list-item.ts";
import {
  fitFindings,
  MAX_MARKDOWN_COMMENT_CHARS,
  type NumberedFinding,
  renderFinding,
  renderNotices,
  renderReviewOverview,
} from "./markdown-blocks.ts";
import { adviseRest } from "../compose/advise-failure.ts";
import type { Publication } from "../publication.ts";
import { renderBelow, sectionBySeverity } from "./render-below.ts";
import { renderTaught } from "./taught-findings.ts";

export function renderMarkdown(publication: Publication): string {
  const head = [
    `**${item(publication.verdict.headline)}**\n`,
    ...[
      renderNotices(publication),
      renderRest(publication),
      renderReviewOverview(publication),
      renderTaught(publication),
    ].filter((block) => block !== ""),
  ].join("\n");
  const links: Links = { ...NO_LINKS, rulesUrl: publication.rulesUrl };
  const tail = renderBelow(publication, { links });
  const budgetChars = MAX_MARKDOWN_COMMENT_CHARS - head.length - tail.length;
  const hint = "; `--format json` lists them all";
  const render = (numbered: NumberedFinding): string => renderFinding(numbered, links, true);
  return [
    head,
    ...fitFindings(sectionBySeverity(publication.findings), render, { budgetChars, hint, links }),
    tail,
  ].join("\n");
}

/** Advice after a timeout. */
function renderRest({ conclusion }: Publication): string {
  const advice = adviseRest(conclusion);
  return advice === null ? "" : `Next: ${item(advice)}\n`;
}
