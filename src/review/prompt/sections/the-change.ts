/** The purpose of the change in its author's words, and the tone for the author. */
import type { AuthorTier, ReviewIntent } from "../../analysis/analysis.ts";
import { sampleCommits } from "../../analysis/intent.ts";
import type { Change } from "../../change/change.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { cutNote, fitLines, fitProse, leftNote } from "../fit.ts";
import type { PromptInput } from "../prompt.ts";
import type { SectionRenderer } from "../section.ts";

/** A title is one line; a longer one wasn't written for readers. */
const MAX_TITLE_CHARS = 300;
/** Subjects show how the change came about; more than twenty repeat themselves. */
const MAX_COMMITS = 20;
const MAX_SUBJECT_CHARS = 150;

const TONES: Readonly<Record<AuthorTier, string>> = {
  "first-time":
    "The author is new to this repository: be welcoming, and explain in each body why it matters here and how to fix it. This doesn't change what you record.",
  regular: "Explain what isn't obvious from the code.",
  core: "The author maintains this repository: one or two sentences for each body.",
};

export const theChange: SectionRenderer = {
  name: "the change",
  budgetChars: 8_000,
  leanBudgetChars: 3_000,
  render(input, budgetChars) {
    const { change, analysis, guard } = input;
    const title = fitProse(change.title, MAX_TITLE_CHARS, guard);
    const body = fitProse(change.body, budgetChars, guard);
    const commits = renderCommits(input);
    const text = [
      "# The change",
      describeIntent(analysis.intent),
      TONES[analysis.authorTier],
      title.text === ""
        ? "It has no title."
        : `${guard.fence("title", title.text)}${cutNote(title.cutChars)}`,
      body.text === ""
        ? "It has no description."
        : `${guard.fence("description", body.text)}${cutNote(body.cutChars)}`,
      commits.text,
    ];
    return {
      text: text.filter((part) => part !== "").join("\n"),
      cutChars: title.cutChars + body.cutChars + commits.cutChars,
    };
  },
};

function describeIntent({ type, isBreaking, breakingSource, isDraft }: ReviewIntent): string {
  return [
    type === null ? "" : `Its author calls it "${type}".`,
    isBreaking ? `A breaking change is announced in the ${breakingSource}.` : "",
    isDraft ? "It is marked as work in progress." : "",
  ]
    .filter((sentence) => sentence !== "")
    .join(" ");
}

/** A single commit's subject repeats the title. */
function renderCommits({ change, guard, size }: PromptInput): { text: string; cutChars: number } {
  if (size === "lean" || change.commits.length < 2) return { text: "", cutChars: 0 };
  const subjects = sampleCommits(change.commits).map((commit) => subjectOf(commit, guard));
  const { lines, cutChars } = fitLines(subjects, {
    budgetChars: MAX_COMMITS * MAX_SUBJECT_CHARS,
    maxLines: MAX_COMMITS,
  });
  const fenced = guard.fence("commit subjects", lines.join("\n"));
  return { text: `${fenced}${leftNote(change.commits.length - lines.length)}`, cutChars };
}

function subjectOf({ subject }: Change["commits"][number], guard: Guard): string {
  return `- ${fitProse(subject, MAX_SUBJECT_CHARS, guard).text.replaceAll(/\s+/g, " ")}`;
}
