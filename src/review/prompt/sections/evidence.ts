/** Findings of the built-in rules and of other tools in the files of the pass and in the description: place and title, never values. */
import { severityRank } from "../../../base/severity.ts";
import { DESCRIPTION_PATH } from "../../findings/description-path.ts";
import type { Finding } from "../../findings/finding.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const evidence: SectionRenderer = {
  name: "evidence",
  budgetChars: 4_000,
  leanBudgetChars: 2_000,
  render({ evidence: findings, pass, guard }, budgetChars) {
    const inPass = new Set([...pass.paths, DESCRIPTION_PATH]);
    const listed = findings
      .filter(({ path }) => inPass.has(path))
      .toSorted((a, b) => severityRank(a.severity) - severityRank(b.severity))
      .map((finding) => describe(finding, guard));
    if (listed.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(listed, { budgetChars });
    const isOfRules = findings.every(({ source }) => source === "floor");
    const finders = isOfRules ? "Built-in rules" : "Built-in rules and linters";
    const fenced = guard.fence(`found by ${finders.toLowerCase()}`, lines.join("\n"));
    return {
      text: `# Already found\n${finders} found these, and they will be reported. Don't repeat them; check whether there is more behind them.\n${fenced}${leftNote(left)}`,
      cutChars,
    };
  },
};

function describe({ path, lineHint, severity, rule, title }: Finding, guard: Guard): string {
  const place = `${showPath(path, guard)}${lineHint === null ? "" : `:${lineHint}`}`;
  return `- ${place} [${severity}${rule === null ? "" : `, ${rule}`}] ${guard.prose(title).replaceAll(/\s+/g, " ")}`;
}
