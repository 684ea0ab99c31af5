/** The size of the change, how closely to read it, and the share of this pass. */
import type { Tier } from "../../analysis/analysis.ts";
import type { PromptInput } from "../prompt.ts";
import type { SectionRenderer } from "../section.ts";

export const scale: SectionRenderer = {
  name: "scale and triage",
  budgetChars: 1_000,
  leanBudgetChars: 0,
  render(input) {
    return { text: ["# Size", ...describeSize(input), ...describePass(input)].join("\n"), cutChars: 0 };
  },
};

function describeSize({ analysis, pass }: PromptInput): readonly string[] {
  const { files, addedLines, removedLines, isLarge, isTriaged } = analysis.scale;
  const inPass = new Set(pass.paths);
  const tierOf = (tier: Tier): number =>
    analysis.files.filter((file) => inPass.has(file.path) && file.tier === tier).length;
  return [
    `${countFiles(files)} changed, with ${addedLines} added and ${removedLines} removed lines.`,
    ...(isLarge ? ["The change is large: look first where a mistake costs most."] : []),
    ...(isTriaged
      ? [
          `There is too much to read closely. Read ${countFiles(tierOf("full"))} of this pass in full; in the ${tierOf("abbreviated")} marked "abbreviated", look for major and more severe defects. The remaining files are listed below as left out.`,
        ]
      : []),
  ];
}

function countFiles(count: number): string {
  return `${count} ${count === 1 ? "file" : "files"}`;
}

function describePass({ analysis, pass }: PromptInput): readonly string[] {
  const minutes = Math.max(1, Math.round(pass.seconds / 60));
  const time = `You have about ${minutes} ${minutes === 1 ? "minute" : "minutes"}.`;
  if (analysis.passes.length < 2) return [time];
  return [
    `The change is reviewed in ${analysis.passes.length} passes; this is ${pass.name}, with ${pass.paths.length} files. Record findings only in these files. You may read the others for context.`,
    time,
  ];
}
