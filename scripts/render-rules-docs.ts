/** Renders docs/rules.md from the rules. */
import { CATEGORIES } from "../src/base/severity.ts";
import type { FloorRule } from "../src/review/floor/rule.ts";
import { ALL_RULES } from "../src/review/floor/rules/all-rules.ts";

const INTRODUCTION = `# Built-in rules

<!-- Generated from src/review/floor/rules by \`npm run generate\`. -->

Kodiai has ${ALL_RULES.length} built-in rules. They run without a model, check only what a change adds or removes, and favor precision: when a
rule isn't sure, it reports nothing.

Disable a rule or change its severity in \`.kodiai.yml\` (see [configuration](configuration.md)):

    floor:
      rules:
        empty-catch: off
        unpinned-action: minor

To ignore one finding, add a comment with a reason on the line above it:

    // kodiai-ignore-next-line empty-catch -- closing twice is harmless

The review lists ignored findings. A comment can't ignore critical findings, or findings about attempts to hide code from a review or
manipulate it: \`diff-hiding-attributes\`, \`hidden-characters\`, \`kodiai-config-changed\` and \`reviewer-injection\` are reported in every
mode.
`;

export function renderRulesDocs(): string {
  const sections = CATEGORIES.flatMap((category) => {
    const rules = ALL_RULES.filter((rule) => rule.category === category);
    return rules.length === 0
      ? []
      : [
          `## ${category.charAt(0).toUpperCase()}${category.slice(1)}\n\n${rules.map(renderRule).join("\n\n")}\n`,
        ];
  });
  return [INTRODUCTION, ...sections].join("\n");
}

function renderRule(rule: FloorRule): string {
  const facts = [rule.severity, ...languagesOf(rule)].join(" · ");
  return `### ${rule.id}\n\n${rule.title}. *${facts}*\n\n${rule.why} ${rule.fix}`;
}

function languagesOf(rule: FloorRule): readonly string[] {
  if (rule.kind === "change") return ["whole change"];
  return [rule.languages === "any" ? "any file" : rule.languages.join(", ")];
}
