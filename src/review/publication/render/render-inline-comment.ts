/**
 * One finding as a comment on its lines: what it is, why it matters, a suggestion that can be committed when it was
 * verified, and words for an agent that is to mend it.
 */
import { SEVERITY_LABELS } from "../../../base/severity.ts";
import { item, MAX_MARKDOWN_COMMENT_CHARS, title } from "./markdown-blocks.ts";
import type { PublishedFinding } from "../publication.ts";
import { codeSpan, fence, neutralise } from "./safe-markdown.ts";

const LEFT_OUT = "There is more to it than a comment can hold.";

export function renderInlineComment(published: PublishedFinding): string {
  const { finding, severity, notes } = published;
  const origin = finding.rule === null ? finding.source : codeSpan(finding.rule);
  const said = [
    `**[${SEVERITY_LABELS[severity].toLowerCase()}] ${title(finding.title)}**`,
    neutralise(finding.body),
  ];
  const advice = [...renderSuggestion(published), ...notes.map((note) => `Note: ${item(note)}`)];
  const foot = `<sub>${finding.category} · ${origin}</sub>`;
  // Parts are joined, never the whole text tidied: blank lines of a suggestion are part of what is committed.
  const join = (parts: readonly string[]): string => parts.filter((part) => part !== "").join("\n\n");
  const whole = join([...said, ...advice, renderAgentPrompt(published), foot]);
  if (whole.length <= MAX_MARKDOWN_COMMENT_CHARS) return whole;
  const withoutPrompt = join([...said, ...advice, foot]);
  return withoutPrompt.length <= MAX_MARKDOWN_COMMENT_CHARS ? withoutPrompt : join([...said, LEFT_OUT, foot]);
}

function renderSuggestion({ suggestion, anchor }: PublishedFinding): readonly string[] {
  if (suggestion.kind === "prose")
    return [`Suggestion, not checked (${item(suggestion.reason)}):`, neutralise(suggestion.text)];
  if (suggestion.kind === "none" || anchor === null) return [];
  const lines = suggestion.replacement === "" ? [] : suggestion.replacement.split("\n");
  const block = fence(lines, "suggestion");
  // Text that had to be made safe is no longer what was verified; it is shown, but not offered to be committed.
  const isExact = block.slice(2, -2).every((line, index) => line === lines[index]);
  if (isExact && anchor.side === "new") return [block.join("\n").trim()];
  const diff = [...anchor.lines.map((line) => `- ${line}`), ...lines.map((line) => `+ ${line}`)];
  return [fence(diff, "diff").join("\n").trim()];
}

function renderAgentPrompt({ finding, anchor }: PublishedFinding): string {
  if (anchor === null) return "";
  const place =
    anchor.startLine === anchor.endLine
      ? `line ${anchor.startLine}`
      : `lines ${anchor.startLine} to ${anchor.endLine}`;
  const side = anchor.side === "old" ? " (removed by this change)" : "";
  const prompt = [
    `In ${finding.path}, ${place}${side}: ${finding.title}`,
    "",
    ...finding.body.split("\n"),
    "",
    "Check first that this is so. If it is, mend it with the smallest change that does, and run the tests.",
  ];
  return [
    "<details>",
    "<summary>Prompt to fix with an agent</summary>",
    ...fence(prompt, "text"),
    "</details>",
  ].join("\n");
}
