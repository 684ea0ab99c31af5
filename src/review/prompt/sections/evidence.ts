/** Findings of the built-in rules and of other tools in the files of the pass and in the description: place and title, never values. */
import { type ListedFinding, listEvidence } from "../../findings/disputable.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

const DISPUTE = " If one is wrong, call dispute_rule with its id and the line that proves it.";

export const evidence: SectionRenderer = {
  name: "evidence",
  budgetChars: 4_000,
  leanBudgetChars: 2_000,
  render({ evidence: findings, pass, guard }, budgetChars) {
    const own = listEvidence(findings, pass.paths);
    if (own.length === 0) return NOTHING;
    const listed = own.map((each) => describe(each, guard));
    const { lines, left, cutChars } = fitLines(listed, { budgetChars });
    const isOfRules = findings.every(({ source }) => source === "floor");
    const finders = isOfRules ? "Built-in rules" : "Built-in rules and linters";
    const dispute = own.some(({ id }) => id !== null) ? DISPUTE : "";
    const fenced = guard.fence(`found by ${finders.toLowerCase()}`, lines.join("\n"));
    return {
      text: `# Already found\n${finders} found these. Don't repeat them; check whether there is more behind them.${dispute}\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};

function describe({ finding, id }: ListedFinding, guard: Guard): string {
  const { path, lineHint, severity, rule, title } = finding;
  const place = `${showPath(path, guard)}${lineHint === null ? "" : `:${lineHint}`}`;
  return `- ${id === null ? "" : `(${id}) `}${place} [${severity}${rule === null ? "" : `, ${rule}`}] ${guard.prose(title).replaceAll(/\s+/g, " ")}`;
}
