/** One finding as a comment on its lines: what it is, why it matters, and a suggestion that can be committed if it was verified. */
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import { threadUrl } from "./ledger-lists.ts";
import { type Links, linkSeenPlaces, renderAlsoReported, renderRuleLink } from "./links.ts";
import { item } from "./list-item.ts";
import { MAX_MARKDOWN_COMMENT_CHARS, title } from "./markdown-blocks.ts";
import type { PublishedFinding } from "../publication.ts";
import { fence, neutralise } from "./safe-markdown.ts";

const LEFT_OUT = "The rest of this finding doesn't fit in a comment.";

export function renderInlineComment(published: PublishedFinding, links: Links): string {
  const { finding, severity, notes } = published;
  const origin = renderRuleLink(finding, links);
  const intro = [
    `**[${SEVERITY_LABELS[severity].toLowerCase()}] ${title(finding.title)}** (${published.number})`,
    renderReturn(published),
    linkSeenPlaces(neutralise(finding.body), finding, links),
  ];
  const advice = [
    ...renderSuggestion(published),
    ...renderAlsoReported(published, links),
    ...notes.map((note) => `Note: ${item(note)}`),
  ];
  const foot = `<sub>${finding.category} · ${origin}</sub>`;
  // Blank lines are never trimmed from the joined text: those in a suggestion are part of the commit.
  const join = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
  const whole = join([...intro, ...advice, foot]);
  return whole.length <= MAX_MARKDOWN_COMMENT_CHARS ? whole : join([...intro, LEFT_OUT, foot]);
}

/** Refers to the comment on the finding before it was resolved. */
function renderReturn({ reopens }: PublishedFinding): string {
  if (reopens === undefined) return "";
  const url = threadUrl(reopens);
  const name = `(${reopens.number})`;
  return `Back again: reported before as ${url === null ? name : `[${name}](${url})`}`;
}

function renderSuggestion({ suggestion, anchor }: PublishedFinding): readonly string[] {
  if (suggestion.kind === "prose")
    return [`Unverified suggestion (${item(suggestion.reason)}):`, neutralise(suggestion.text)];
  if (suggestion.kind === "none" || anchor === null) return [];
  const lines = suggestion.replacement === "" ? [] : suggestion.replacement.split("\n");
  const block = fence(lines, "suggestion");
  // Escaped text is no longer the verified text: it's shown as a diff that can't be committed.
  const isExact = block.slice(2, -2).every((line, index) => line === lines[index]);
  if (isExact && anchor.side === "new") return [block.join("\n").trim()];
  const diff = [...anchor.lines.map((line) => `- ${line}`), ...lines.map((line) => `+ ${line}`)];
  return [fence(diff, "diff").join("\n").trim()];
}
