/** Renders docs/rules.md from the rules and from docs/rule-hits.json, which bench/real-commits.ts and bench/recall.ts write. */
import { count, grouped } from "../src/base/count.ts";
import { CATEGORIES } from "../src/base/severity.ts";
import { type ListedRule, listRules } from "../src/linters/list-rules.ts";
import { type JudgedRepairs, renderJudgedRepairs } from "./render-judged-repairs.ts";
import { type JudgedRuns, renderJudgedTables } from "./render-judged-run.ts";
import { describeLanguages } from "../src/cli/render-rules.ts";

/** The evidence that a rule is worth its place. A built-in rule has some, or `guard`. */
export type RuleEvidence = {
  /** Findings on real commits. `judged` of them were read one by one; `true` of those were right and worth fixing. */
  readonly hits?: number;
  readonly judged?: number;
  readonly true?: number;
  /** Planted bugs that it found, by set. */
  readonly planted?: Readonly<Record<string, number>>;
  /** The grave problem that it watches for, if neither commits nor planted bugs show one. */
  readonly guard?: string;
};

export type RuleHits = {
  readonly repositories: number;
  readonly commits: number;
  readonly addedLines: number;
  /** The number of planted bugs of each set. Each set was counted before a rule was tuned on it. */
  readonly planted: Readonly<Record<string, number>>;
  /** By rule id. */
  readonly rules: Readonly<Record<string, RuleEvidence>>;
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

export type RuleFigures = {
  readonly hits: RuleHits;
  readonly runs: JudgedRuns;
  readonly repairs: JudgedRepairs;
};

export function renderRulesDocs({ hits, runs, repairs }: RuleFigures): string {
  const sections = CATEGORIES.flatMap((category) => {
    const rules = RULES.filter((rule) => rule.category === category);
    if (rules.length === 0) return [];
    const title = `${category.charAt(0).toUpperCase()}${category.slice(1)}`;
    return [`## ${title}\n\n${rules.map((rule) => renderRule(rule, hits)).join("\n\n")}\n`];
  });
  return [
    INTRODUCTION,
    renderSeverities(runs),
    renderRepairs(repairs),
    renderMeasure(hits),
    ...sections,
  ].join("\n");
}

function renderSeverities(runs: JudgedRuns): string {
  return `## How severe

A rule, built-in or a linter's, reports above medium only what is proven: the finding itself shows it, or at least 10 of the rule's findings on
real commits were read and 85 % of them were true and wanted. A finding proves itself with the way of outside input to a dangerous call,
with a file or value that must be rejected, with the places that still use what the change removes, with a credential in its
issuer's format, with the code points that a reader can't see, or with an advisory. Your own severity for a rule stays.

These findings of a review without a model were read one by one. \`bench/judged-commits.json\` has the commits and the verdicts, and
\`bench/real-commits.ts\` repeats the run on them or on other repositories.

${renderJudgedTables(runs)}
`;
}

function renderRepairs(repairs: JudgedRepairs): string {
  return `## Real defects

Most defects that people repair later need to be understood, which rules can't do. \`bench/repairs.ts\` reads real repairs backwards, without
their tests: a review without a model should name the defect. \`bench/judged-repairs.json\` has the repairs and the verdicts.

${renderJudgedRepairs(repairs)}
`;
}

function renderMeasure({ repositories, commits, addedLines, planted, rules }: RuleHits): string {
  const findings = Object.values(rules).reduce((sum, { hits = 0 }) => sum + hits, 0);
  return `## Evidence

The rules were measured before on ${count(commits, "commit")} of ${count(repositories, "public repository", "public repositories")} with ${count(addedLines, "added line")} (${count(findings, "finding")}), and on
${count(total(planted), "planted bug")} that no rule was tuned on at the time. "Real commits: 9 of 10 right" means that the rule reported 10 problems, and
that 9 of them were right and worth fixing. "Planted: 3" means that it found three planted bugs. A built-in rule without either is only kept as a guard against something grave that public commits rarely
show.
`;
}

function total(counts: Readonly<Record<string, number>>): number {
  return Object.values(counts).reduce((sum, some) => sum + some, 0);
}

function renderRule(rule: ListedRule, hits: RuleHits): string {
  const proof = rule.proof === null ? [] : [`proof: ${rule.proof}`];
  const facts = [
    rule.severity,
    ...proof,
    rule.origin,
    describeLanguages(rule),
    describeHits(rule, hits),
  ].join(" · ");
  const blind = rule.cannotKnow === null ? "" : `\n\n${rule.cannotKnow}`;
  return `### ${rule.id}\n\n${rule.title}. *${facts}*\n\n${rule.why} ${rule.fix}${blind}`;
}

function describeHits({ id }: ListedRule, { rules }: RuleHits): string {
  const { hits = 0, judged = 0, true: right = 0, planted = {}, guard } = rules[id] ?? {};
  const share = judged === 0 ? [] : [`${grouped(right)} of ${grouped(judged)} right`];
  const found = judged === hits ? share : [count(hits, "hit"), ...share];
  const parts = [
    ...(hits === 0 ? [] : [`real commits: ${found.join(", ")}`]),
    ...(total(planted) === 0 ? [] : [`planted: ${grouped(total(planted))}`]),
    ...(guard === undefined ? [] : [`guard: ${guard}`]),
  ];
  return parts.length === 0 ? "no hits" : parts.join("; ");
}
