/** How much there is to read, how closely, and what of it is this pass. */
import type { FileAnalysis, Tier } from "../../analysis/analysis.ts";
import type { PromptInput } from "../prompt.ts";
import type { Section } from "../section.ts";

export const scale: Section = {
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
  const mentioned = analysis.files.filter(isMentioned).length;
  return [
    `${files} ${files === 1 ? "file" : "files"} to read with ${addedLines} added and ${removedLines} removed lines.`,
    ...(isLarge
      ? ["It is large: look first where a mistake costs most, and do not try to say everything."]
      : []),
    ...(isTriaged
      ? [
          `There are more files than can be read closely. ${tierOf("full")} of this pass are to be read in full; in the ${tierOf("abbreviated")} marked "abbreviated" look for what is major or worse. ${mentioned} further files of the change are not read by you.`,
        ]
      : []),
  ];
}

function isMentioned({ tier, mark, isSkipped }: FileAnalysis): boolean {
  return tier === "mentioned" && mark === null && !isSkipped;
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
