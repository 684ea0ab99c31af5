/**
 * The texts of a pull request's summary and check. Both have the verdict's context, what changed, the table of findings,
 * findings that are still open, and the details. A finding is explained once: in its comment, or without one in the summary.
 * Without a summary, the check has all of it.
 */
import { count } from "../../../base/count.ts";
import { needsExplanation } from "../explain-once.ts";
import { groupFindings, sectionUnplaced } from "../group-findings.ts";
import type { Publication, PublishedFinding } from "../publication.ts";
import { renderAgentPrompt } from "./agent-prompt.ts";
import { renderFindingsTable, type TableOptions } from "./findings-table.ts";
import { item, MAX_ITEM_CHARS } from "./list-item.ts";
import {
  fitBlocks,
  fitFindings,
  MAX_MARKDOWN_COMMENT_CHARS,
  type NumberedFinding,
  renderFinding,
  renderNotices,
  renderReviewOverview,
} from "./markdown-blocks.ts";
import { renderBelow } from "./render-below.ts";
import { renderTaught } from "./taught-findings.ts";
import { codeSpan } from "./safe-markdown.ts";

/** The forge appends its signed marker, which is this long without its state. */
const MARKER_CHARS = 500;

/** More than 100 findings. Those without a comment also come below the table. */
const MAX_TABLE_CHARS = 16_000;

export type SummaryOptions = TableOptions & {
  /** Why the host refused a comment for a finding, by id. */
  readonly movedReasons: ReadonlyMap<string, string>;
  /** True for a finding that the check explains on its line. */
  readonly isAnnotated: (finding: PublishedFinding) => boolean;
  /** How people address Kodiai, such as "@kodiai". */
  readonly mention: string;
  /** Room for the state that the forge keeps in its marker. */
  readonly stateChars: number;
};

export function renderSummary(publication: Publication, options: SummaryOptions): string {
  const headline = `## Kodiai\n\n**${item(publication.verdict.headline)}**\n`;
  const room = MAX_MARKDOWN_COMMENT_CHARS - MARKER_CHARS - options.stateChars - headline.length;
  return [headline, renderWhole(publication, options, { room, areDetailsOpen: false })].join("\n");
}

/** The title of a check is the verdict. `hasSummary`: a summary explains the findings that have no comment. */
export function renderCheckSummary(
  publication: Publication,
  options: SummaryOptions,
  hasSummary: boolean,
): string {
  const room = MAX_MARKDOWN_COMMENT_CHARS - MARKER_CHARS;
  if (!hasSummary) return renderWhole(publication, options, { room, areDetailsOpen: true });
  const head = renderHead(publication, options);
  // The summary has the dependencies and the prompt.
  const below = renderBelow(
    { ...publication, dependencies: null },
    { links: options.links, explains: () => false, areDetailsOpen: true },
  );
  const table = fitTable(publication, options, { room: room - head.length - below.length, rest: () => "" });
  return joinBlocks([head, table, below]);
}

function renderWhole(
  publication: Publication,
  options: SummaryOptions,
  { room, areDetailsOpen }: { readonly room: number; readonly areDetailsOpen: boolean },
): string {
  const { isInline, movedReasons, isAnnotated, links } = options;
  const head = renderHead(publication, options);
  const below = renderBelow(publication, {
    links,
    explains: (finding) => needsExplanation(finding) && !isAnnotated(finding),
    areDetailsOpen,
  });
  const end = joinBlocks([below, renderFooter(options)]);
  const prompt = renderAgentPrompt(publication);
  // Whatever a review found takes precedence.
  const hasRoom = head.length + end.length + prompt.length < room / 2;
  const tail = hasRoom ? joinBlocks([below, prompt, renderFooter(options)]) : end;
  const { placed, unplaced } = groupFindings(publication.findings);
  const sections = [
    { title: "Without a line comment", findings: placed.filter((finding) => !isInline(finding)) },
    ...sectionUnplaced(unplaced),
  ];
  const table = fitTable(publication, options, {
    room: room - head.length - tail.length,
    rest: () => " (below)",
  });
  const render = (numbered: NumberedFinding): string => {
    const moved = movedReasons.get(numbered.item.id);
    const note = moved === undefined ? "" : `\nShown here because ${item(moved)}.\n`;
    return `${renderFinding(numbered, links, false)}${note}`;
  };
  const budgetChars = room - head.length - tail.length - table.length;
  return joinBlocks([head, table, ...fitFindings(sections, render, { budgetChars, hint: "", links }), tail]);
}

/** The problems of the review, and what changed. */
function renderHead(publication: Publication, options: SummaryOptions): string {
  return joinBlocks([
    renderNotices(publication),
    renderRetry(publication, options),
    renderReviewOverview(publication),
    renderTaught(publication),
  ]);
}

/** The findings that aren't in the collapsed list. The table counts those that don't fit. */
function fitTable(
  { findings }: Publication,
  options: SummaryOptions,
  { room, rest }: { readonly room: number; readonly rest: (finding: PublishedFinding) => string },
): string {
  const { placed, unplaced } = groupFindings(findings);
  const listed = new Set([...placed, ...unplaced]);
  const lines = renderFindingsTable(
    findings.filter((finding) => listed.has(finding)),
    options,
    rest,
  );
  const { kept, left } = fitBlocks(lines, Math.min(room - MAX_ITEM_CHARS, MAX_TABLE_CHARS));
  const more = left === 0 ? [] : ["", `_${count(left, "more finding")} didn't fit in this table._`];
  return lines.length === 0 ? "" : [...kept, ...more, ""].join("\n");
}

/** Offers a retry where it can help. It can't after the budget is spent. */
function renderRetry({ conclusion }: Publication, { mention }: SummaryOptions): string {
  const canHelp = conclusion === "timeout-partial" || conclusion === "model-failed";
  return canHelp ? `To retry, comment ${codeSpan(`${mention} review`)}.\n` : "";
}

/** How people talk to Kodiai, and how they teach it. */
export function renderFooter({ mention }: Pick<SummaryOptions, "mention">): string {
  return `<sub>${codeSpan(`${mention} help`)} lists the commands · React with 👎 to a wrong finding</sub>\n`;
}

function joinBlocks(blocks: readonly string[]): string {
  return blocks.filter((block) => block !== "").join("\n");
}
