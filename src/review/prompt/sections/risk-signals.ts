/** Risks that the analysis sees. Hints for the order of reading, not findings. */
import { showPath } from "../../untrusted/show-path.ts";
import { fitLines, leftNote } from "../fit.ts";
import { NOTHING, type SectionRenderer } from "../section.ts";

export const riskSignals: SectionRenderer = {
  name: "risk signals",
  budgetChars: 500,
  leanBudgetChars: 0,
  render({ analysis, pass, guard }, budgetChars) {
    const inPass = new Set(pass.paths);
    const signals = analysis.riskSignals
      .map(({ label, paths }) => ({ label, paths: paths.filter((path) => inPass.has(path)) }))
      .filter(({ paths }) => paths.length > 0)
      .map(({ label, paths }) => `- ${label}: ${paths.map((path) => showPath(path, guard)).join(", ")}`);
    if (signals.length === 0) return NOTHING;
    const { lines, left, cutChars } = fitLines(signals, { budgetChars });
    if (lines.length === 0) return { ...NOTHING, cutChars };
    const fenced = guard.fence("risky parts of the change, by paths and words", lines.join("\n"));
    return { text: `# Where to look first\n${fenced}${leftNote(left)}`, cutChars };
  },
};
