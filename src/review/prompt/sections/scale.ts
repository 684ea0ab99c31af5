/** How much there is to read, how closely, and what of it is this pass. */
import type { Tier } from "../../analysis/analysis.ts";
import type { PromptInput } from "../prompt.ts";
import type { SectionRenderer } from "../section.ts";

export const scale: SectionRenderer = {
  name: "scale and triage",
  budgetChars: 1_000,
  leanBudgetChars: 0,
  render(input) {
    return { text: ["# Its size", ...describeSize(input), ...describePass(input)].join("\n"), cutChars: 0 };
  },
};

function describeSize({ analysis, pass }: PromptInput): readonly string[] {
  const { files, addedLines, removedLines, isLarge, isTriaged } = analysis.scale;
  const inPass = new Set(pass.paths);
  const tierOf = (tier: Tier): number =>
    analysis.files.filter((file) => inPass.has(file.path) && file.tier === tier).length;
  return [
    `${countFiles(files)} changed, with ${addedLines} added and ${removedLines} removed lines.`,
    ...(isLarge
      ? ["It is large: look first where a mistake costs most, and do not try to say everything."]
      : []),
    ...(isTriaged
      ? [
          `There is more than can be read closely. Read ${countFiles(tierOf("full"))} of this pass in full; in the ${tierOf("abbreviated")} marked "abbreviated" look for what is major or worse. Files beyond that are listed below as not given to you.`,
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
    `The change is read in ${analysis.passes.length} passes; this is ${pass.name}, with ${pass.paths.length} files. Record findings on these files only. The others you may read to understand them.`,
    time,
  ];
}
