/** Rules as text: a table, or one rule with an example. */
import { printable } from "../base/printable.ts";
import type { ListedRule } from "../linters/list-rules.ts";
import type { RuleState } from "./rule-state.ts";

export type RuleInRepository = ListedRule & RuleState;

const HEADINGS = ["Rule", "Severity", "State", "Origin", "Languages"];

export function renderRuleList(rules: readonly RuleInRepository[], isMarkdown: boolean): string {
  const rows = rules.map((rule) => [
    isMarkdown ? `\`${rule.id}\`` : rule.id,
    rule.severityHere,
    describeState(rule),
    rule.origin,
    describeLanguages(rule),
  ]);
  if (isMarkdown) {
    const divider = HEADINGS.map(() => "---");
    return `${[HEADINGS, divider, ...rows].map((row) => `| ${row.join(" | ")} |`).join("\n")}\n`;
  }
  const widths = HEADINGS.map((heading, column) =>
    Math.max(heading.length, ...rows.map((row) => row[column]?.length ?? 0)),
  );
  const lines = [HEADINGS, ...rows].map((row) =>
    row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join("  "),
  );
  return `${lines.map((line) => printable(line.trimEnd())).join("\n")}\n`;
}

/** "on", "off (.kodiai.yml)", "on (changed from major by .kodiai.yml)". */
function describeState({ isOn, severity, severityHere, setBy }: RuleInRepository): string {
  const state = isOn ? "on" : "off";
  if (setBy === null) return state;
  return severity === severityHere
    ? `${state} (${setBy})`
    : `${state} (changed from ${severity} by ${setBy})`;
}

export function describeLanguages({ languages }: Pick<ListedRule, "languages">): string {
  return languages
    .map((language) => (language === "any" ? "any file" : language === "change" ? "whole change" : language))
    .join(", ");
}

export function renderRuleExplanation(rule: RuleInRepository, isMarkdown: boolean): string {
  const heading = isMarkdown ? `## ${rule.id}` : rule.id;
  const facts = [
    `Severity: ${rule.severityHere}`,
    `Category: ${rule.category}`,
    `Origin: ${rule.origin}`,
    `Languages: ${describeLanguages(rule)}`,
    `State: ${describeState(rule)}`,
  ];
  const parts = [
    heading,
    `${rule.title}.`,
    facts.map((fact) => (isMarkdown ? `- ${fact}` : `  ${fact}`)).join("\n"),
    rule.why,
    rule.fix,
    ...(rule.cannotKnow === null ? [] : [rule.cannotKnow]),
    ...renderExample(rule, isMarkdown),
    `To turn it off, set \`floor.rules.${rule.id}: off\` in .kodiai.yml. To ignore one finding, write this above the line:`,
    `    // kodiai-ignore-next-line ${rule.id} -- reason`,
  ];
  return `${parts.join("\n\n").split("\n").map(printable).join("\n")}\n`;
}

function renderExample({ example }: ListedRule, isMarkdown: boolean): readonly string[] {
  if (example === null) return [];
  const lines = example.text.trimEnd().split("\n");
  const shown = lines.map((line, index) => {
    const mark = index + 1 === example.line ? ">" : " ";
    return isMarkdown ? line : `  ${mark} ${line}`;
  });
  const code = isMarkdown ? ["```", ...shown, "```"] : shown;
  return [`It reports line ${example.line} of this ${example.path}:`, code.join("\n")];
}
