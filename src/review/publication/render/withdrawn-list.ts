/** Findings that a second reading refuted, in Markdown: collapsed, each with the line that decided. */
import { grouped } from "../../../base/count.ts";
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import { withdrawnOf } from "../describe-verification.ts";
import type { Publication } from "../publication.ts";
import { type Links, renderPathLink, renderPlaceLink } from "./links.ts";
import { item } from "./list-item.ts";
import { collapse } from "./markdown-blocks.ts";

/** Open findings take precedence. */
const MAX_WITHDRAWN_CHARS = 4_000;

export function renderWithdrawn({ dropped }: Pick<Publication, "dropped">, links: Links): string {
  const withdrawn = withdrawnOf(dropped);
  if (withdrawn.length === 0) return "";
  const { repositoryUrl, head } = links;
  const folderUrl = repositoryUrl === null || head === null ? null : `${repositoryUrl}/blob/${head}`;
  const entries = withdrawn.map(({ finding, anchor, severity, detail, decidedBy }) => {
    const lines =
      decidedBy === null
        ? null
        : { path: decidedBy.path, startLine: decidedBy.line, endLine: decidedBy.line };
    const decided = lines === null ? "" : ` (${renderPathLink(lines.path, lines, folderUrl)})`;
    const place = renderPlaceLink({ finding, anchor }, links);
    return `- ${SEVERITY_LABELS[severity]}: ${item(finding.title)}, ${place}: ${item(detail)}${decided}`;
  });
  return collapse(`Withdrawn (${grouped(withdrawn.length)})`, entries, MAX_WITHDRAWN_CHARS);
}
