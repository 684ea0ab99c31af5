/** The table of a review's findings: number, severity, title, and a link to the thread that explains each. */
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import { placeOf } from "../group-findings.ts";
import type { PublishedFinding } from "../publication.ts";
import { type Links, renderPlaceLink, safeUrl } from "./links.ts";
import { title } from "./markdown-blocks.ts";
import { codeSpan } from "./safe-markdown.ts";

export type TableOptions = {
  /** True for a finding that has a comment on its line. */
  readonly isInline: (finding: PublishedFinding) => boolean;
  /** Addresses of comments, by the id of the finding. */
  readonly threads: ReadonlyMap<string, string>;
  readonly links: Links;
};

const HEADING = ["| # | Severity | Finding | Where |", "|---|---|---|---|"];

/** Its lines. `rest` completes the place of a finding without a comment. */
export function renderFindingsTable(
  findings: readonly PublishedFinding[],
  options: TableOptions,
  rest: (finding: PublishedFinding) => string,
): readonly string[] {
  if (findings.length === 0) return [];
  return [
    ...HEADING,
    ...findings.map((found) => {
      const { number, severity, finding, anchor } = found;
      const removed = anchor?.side === "old" ? " (removed code)" : "";
      const where = options.isInline(found)
        ? renderThreadLink(found, options)
        : `${renderPlaceLink(found, options.links)}${rest(found)}`;
      const cells = [String(number), SEVERITY_LABELS[severity], title(finding.title), `${where}${removed}`];
      return `| ${cells.map(escapePipes).join(" | ")} |`;
    }),
  ];
}

/** A link to the lines while the address of the thread isn't known. */
function renderThreadLink(found: PublishedFinding, { threads, links }: TableOptions): string {
  const url = safeUrl(threads.get(found.id) ?? "");
  return url === null ? renderPlaceLink(found, links) : `[${codeSpan(placeOf(found))}](${url})`;
}

/** A pipe ends a cell, even in a code span. */
function escapePipes(cell: string): string {
  return cell.replaceAll(/(?<!\\)\|/g, "\\|");
}
