/** Renders docs/rules.md from the rules and from docs/rule-hits.json, which bench/real-commits.ts writes. */
import { count, grouped } from "../src/base/count.ts";
import { CATEGORIES } from "../src/base/severity.ts";
import { type ListedRule, listRules } from "../src/linters/list-rules.ts";
import { describeLanguages } from "../src/cli/render-rules.ts";

export type RuleHits = {
  readonly repositories: number;
  /** 0: not measured yet. */
  readonly commits: number;
  readonly addedLines: number;
  /** By rule id. A rule without hits can be left out. `judged` of the hits were read one by one; `true` of those were right and worth fixing. */
  readonly rules: Readonly<
    Record<string, { readonly hits: number; readonly judged?: number; readonly true?: number }>
  >;
};

const RULES = await listRules();

const OWN_COUNT = RULES.filter(({ origin }) => origin === "built-in").length;

const LINTERS = [...new Set(RULES.map(({ origin }) => origin))].filter((origin) => origin !== "built-in");

const INTRODUCTION = `# Rules

<!-- Generated from src/rules/checks, src/linters and docs/rule-hits.json by \`npm run generate\`. -->

Kodiai has ${OWN_COUNT} built-in rules${describeLinters()}.
They run without a model, check only what a change adds or removes, and favor precision: when a rule isn't sure, it reports
nothing. \`kodiai rules\` lists them with their state in your repository.

Disable a rule or change its severity in \`.kodiai.yml\` (see [configuration](configuration.md)):

    floor:
      rules:
        empty-catch: off
        unpinned-action: minor

To ignore one finding, add a comment with a reason on the line above it:

    // kodiai-ignore-next-line empty-catch -- closing twice is harmless

The review lists ignored findings. A comment without a reason has no effect, and the finding says so. A comment can't ignore critical
findings, or findings about attempts to hide code from a review or manipulate it: \`diff-hiding-attributes\`, \`hidden-characters\`,
\`kodiai-config-changed\` and \`reviewer-injection\` are reported in every mode.
`;

function describeLinters(): string {
  if (LINTERS.length === 0) return "";
  const counted = LINTERS.map((name) => `${RULES.filter(({ origin }) => origin === name).length} of ${name}`);
  return `, and uses rules of linters: ${counted.join(", ")}`;
}

export function renderRulesDocs(hits: RuleHits): string {
  const sections = CATEGORIES.flatMap((category) => {
    const rules = RULES.filter((rule) => rule.category === category);
    if (rules.length === 0) return [];
    const title = `${category.charAt(0).toUpperCase()}${category.slice(1)}`;
    return [`## ${title}\n\n${rules.map((rule) => renderRule(rule, hits)).join("\n\n")}\n`];
  });
  return [INTRODUCTION, ...renderMeasure(hits), ...sections].join("\n");
}

/** Nothing before the first measurement. */
function renderMeasure({ repositories, commits, addedLines, rules }: RuleHits): readonly string[] {
  if (commits === 0) return [];
  const findings = Object.values(rules).reduce((sum, { hits }) => sum + hits, 0);
  return [
    `The hits of each rule were counted on ${count(commits, "commit")} of ${count(repositories, "public repository", "public repositories")} with ${count(addedLines, "added line")}: ${count(findings, "finding")}.
"12 hits, 9 of 10 worth fixing" means that the rule reported 12 problems, and that 10 of them were read one by one and 9 were right and worth
reporting. Most commits have no such problem, so a rule without hits isn't a rule without use.
`,
  ];
}

function renderRule(rule: ListedRule, hits: RuleHits): string {
  const facts = [rule.severity, rule.origin, describeLanguages(rule), ...describeHits(rule, hits)].join(
    " · ",
  );
  return `### ${rule.id}\n\n${rule.title}. *${facts}*\n\n${rule.why} ${rule.fix}`;
}

function describeHits({ id }: ListedRule, { commits, rules }: RuleHits): readonly string[] {
  if (commits === 0) return [];
  const found = rules[id];
  if (found === undefined || found.hits === 0) return ["no hits"];
  const { judged = 0, true: right = 0 } = found;
  const share = judged === 0 ? "" : `, ${grouped(right)} of ${grouped(judged)} worth fixing`;
  return [`${count(found.hits, "hit")}${share}`];
}
