/**
 * The material of a prompt for a question or for edits: sections in a fixed order, from what changes least to what was said last, each with
 * its own budget. Pure. All text of people and repositories is guarded and fenced, and the text says what was left out.
 */
import type { Guard } from "../../untrusted/guard.ts";
import type { PromptSection } from "../prompt.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import { guidelines } from "../sections/guidelines.ts";
import { instructions } from "../sections/instructions.ts";
import { learnings } from "../sections/learnings.ts";
import { showChangedFiles, showChangeDiff, showDiffSinceReview } from "./show-code.ts";
import { showFailedChecks } from "./show-checks.ts";
import { showFinding, showFindings } from "./show-findings.ts";
import { showHunk, showSubject } from "./show-subject.ts";
import { showReviews } from "./show-reviews.ts";
import { showThread } from "./show-thread.ts";
import type { Surroundings } from "./surroundings.ts";

export type ShownSurroundings = {
  readonly text: string;
  /** Those that have content. */
  readonly sections: readonly PromptSection[];
};

type Section = {
  readonly name: string;
  readonly render: (facts: Surroundings, guard: Guard) => RenderedSection;
};

const SECTIONS: readonly Section[] = [
  { name: "subject", render: showSubject },
  { name: guidelines.name, render: showGuidance("guidelines") },
  { name: instructions.name, render: showGuidance("instructions") },
  { name: learnings.name, render: showGuidance("learnings") },
  { name: "changed files", render: showChangedFiles },
  { name: "diff", render: showChangeDiff },
  { name: "reviews", render: showReviews },
  { name: "since review", render: showDiffSinceReview },
  { name: "findings", render: showFindings },
  { name: "failed checks", render: showFailedChecks },
  { name: "finding", render: showFinding },
  { name: "lines of the thread", render: showHunk },
  { name: "comments", render: showThread },
];

export function showSurroundings(facts: Surroundings, guard: Guard): ShownSurroundings {
  const shown = SECTIONS.map(({ name, render }) => ({ name, ...render(facts, guard) }));
  const withText = shown.filter(({ text, cutChars }) => text !== "" || cutChars > 0);
  return {
    text: withText
      .map(({ text }) => text)
      .filter((text) => text !== "")
      .join("\n\n"),
    sections: withText.map(({ name, text, cutChars }) => ({ name, chars: text.length, cutChars })),
  };
}

/** The same sections as in a review. */
function showGuidance(name: "guidelines" | "instructions" | "learnings"): Section["render"] {
  return ({ guidance }, guard) => {
    if (guidance === undefined) return NOTHING;
    const { config } = guidance;
    const context = { guidelines: guidance.guidelines, memory: { learnings: guidance.learnings } };
    if (name === "guidelines") return guidelines.render({ context, guard }, guidelines.budgetChars);
    return name === "instructions"
      ? instructions.render({ config, guard }, instructions.budgetChars)
      : learnings.render({ context, guard }, learnings.budgetChars);
  };
}
