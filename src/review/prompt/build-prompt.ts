/**
 * The prompt of one pass: sections in a fixed order, each with its own budget. Pure and deterministic. Content that doesn't
 * fit is left out, noted in the text, and counted.
 */
import type { Analysis } from "../analysis/analysis.ts";
import type { Change } from "../change/change.ts";
import type { Context } from "../context/context.ts";
import type { Prompt, PromptInput, PromptSection, PromptTask } from "./prompt.ts";
import type { SectionRenderer } from "./section.ts";
import { checkAgain } from "./sections/check-again.ts";
import { contextPack } from "./sections/context-pack.ts";
import { customRules } from "./sections/custom-rules.ts";
import { dependencies } from "./sections/dependencies.ts";
import { diff } from "./sections/diff.ts";
import { evidence } from "./sections/evidence.ts";
import { guidelines } from "./sections/guidelines.ts";
import { instructions } from "./sections/instructions.ts";
import { lens } from "./sections/lens.ts";
import { learnings } from "./sections/learnings.ts";
import { memories } from "./sections/memories.ts";
import { mode } from "./sections/mode.ts";
import { omittedFiles } from "./sections/omitted-files.ts";
import { openFindings } from "./sections/open-findings.ts";
import { pathInstructions } from "./sections/path-instructions.ts";
import { question } from "./sections/question.ts";
import { relatedCode } from "./sections/related-code.ts";
import { riskSignals } from "./sections/risk-signals.ts";
import { scale } from "./sections/scale.ts";
import { skim } from "./sections/skim.ts";
import { task } from "./sections/task.ts";
import { whatIsNew } from "./sections/what-is-new.ts";
import { theChange } from "./sections/the-change.ts";
import { SYSTEM_PROMPT } from "./system-prompt.ts";

const SECTIONS: readonly SectionRenderer[] = [
  theChange,
  whatIsNew,
  scale,
  mode,
  riskSignals,
  dependencies,
  guidelines,
  pathInstructions,
  customRules,
  learnings,
  instructions,
  checkAgain,
  openFindings,
  memories,
  evidence,
  skim,
  omittedFiles,
  contextPack,
  diff,
  relatedCode,
  question,
  lens,
  task,
];

export function buildPrompt(change: Change, analysis: Analysis, context: Context, task: PromptTask): Prompt {
  const input: PromptInput = { change, analysis, context, ...task };
  const rendered = SECTIONS.map((section) => ({ name: section.name, ...renderSection(section, input) }));
  const texts = rendered.map(({ text }) => text).filter((text) => text !== "");
  return {
    system: SYSTEM_PROMPT,
    user: texts.join("\n\n"),
    sections: [
      { name: "role and rules", chars: SYSTEM_PROMPT.length, cutChars: 0 },
      ...rendered
        .filter(({ text, cutChars }) => text !== "" || cutChars > 0)
        .map(({ name, text, cutChars }): PromptSection => ({ name, chars: text.length, cutChars })),
    ],
    shownPaths: rendered.flatMap(({ shownPaths }) => shownPaths ?? []),
    shownParts: rendered.flatMap(({ shownParts }) => shownParts ?? []),
  };
}

/** A section that a lean prompt leaves out counts as cut. */
function renderSection(section: SectionRenderer, input: PromptInput) {
  if (input.size === "full") return section.render(input, section.budgetChars);
  if (section.leanBudgetChars > 0) return section.render(input, section.leanBudgetChars);
  const { text, cutChars } = section.render(input, section.budgetChars);
  return { text: "", cutChars: cutChars + text.length };
}
