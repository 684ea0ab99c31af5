/** docs/rules.md from the rules themselves. */
import { CATEGORIES } from "../src/base/severity.ts";
import type { FloorRule } from "../src/review/floor/rule.ts";
import { ALL_RULES } from "../src/review/floor/rules/all-rules.ts";

const INTRODUCTION = `# The rules of the floor

<!-- Generated from src/review/floor/rules by \`npm run generate\`. -->

These ${ALL_RULES.length} rules need no model. They look at what a change adds, and they would rather be silent than wrong.

Switch one off, or give it another severity, in \`.kodiai.yml\` (see [configuration](configuration.md)):

    floor:
      rules:
        empty-catch: off
        unpinned-action: minor

or in the code, for the next line, with a reason:

    // kodiai-ignore-next-line empty-catch -- closing twice is harmless

What is ignored is listed with the review. Critical findings cannot be ignored from within the change, and neither can what blinds or steers a
review: \`diff-hiding-attributes\`, \`hidden-characters\`, \`kodiai-config-changed\` and \`reviewer-injection\` are told in every mode.
`;

export function renderRulesDocs(): string {
  const sections = CATEGORIES.flatMap((category) => {
    const rules = ALL_RULES.filter((rule) => rule.category === category);
    return rules.length === 0 ? [] : [`## ${category}\n\n${rules.map(renderRule).join("\n\n")}\n`];
  });
  return [INTRODUCTION, ...sections].join("\n");
}

function renderRule(rule: FloorRule): string {
  const facts = [rule.severity, ...languagesOf(rule)].join(" · ");
  return `### ${rule.id}\n\n${rule.title}. *${facts}*\n\n${rule.why} ${rule.fix}`;
}

function languagesOf(rule: FloorRule): readonly string[] {
  if (rule.kind === "change") return ["the change as a whole"];
  return [rule.languages === "any" ? "any file" : rule.languages.join(", ")];
}
