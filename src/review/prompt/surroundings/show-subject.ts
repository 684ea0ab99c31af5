/** The pull request, issue or change that a conversation is about, with its branches and commits, and the lines of its thread. */
import { sampleCommits } from "../../analysis/intent.ts";
import type { Change } from "../../change/change.ts";
import type { Guard } from "../../untrusted/guard.ts";
import { showPath } from "../../untrusted/show-path.ts";
import { cutNote, type Fitted, fitLines, fitOnLine, fitProse, leftNote } from "../fit.ts";
import { NOTHING, type RenderedSection } from "../section.ts";
import type { KnownPullRequest, Surroundings } from "./surroundings.ts";

/** A title is one line; a longer one wasn't written for readers. */
export const MAX_TITLE_CHARS = 300;

/** The model can't read more of it with tools, but the beginning says what the change is for. */
export const MAX_DESCRIPTION_CHARS = 6_000;

/** Git allows longer names; no one can read them. */
const MAX_BRANCH_CHARS = 250;

const MAX_COMMITS = 20;
const MAX_SUBJECT_CHARS = 150;

/** About a hundred lines. A host shows a thread below the last line of its hunk. */
export const MAX_HUNK_CHARS = 4_000;

const SUBJECTS: Readonly<Record<Surroundings["subject"]["kind"], string>> = {
  "pull-request": "This conversation is on a pull request.",
  issue: "This conversation is on an issue. There is no change: the tools read the default branch.",
  change:
    "This conversation is about a local repository. Its newest change is listed below; the question may be about other code too.",
};

const NO_CHANGE =
  "This conversation is about a local repository. Nothing has changed: the tools read its current code.";

export function showSubject({ subject, change, known }: Surroundings, guard: Guard): RenderedSection {
  const { kind } = subject;
  const isUnchanged = kind === "change" && change.files.length === 0;
  const title = fitOnLine(subject.title, MAX_TITLE_CHARS, guard).trim();
  const description = fitProse(subject.description, MAX_DESCRIPTION_CHARS, guard);
  const commits = listCommits(change, guard);
  const lines = [
    "# Subject",
    isUnchanged ? NO_CHANGE : SUBJECTS[kind],
    ...(known === undefined ? [] : [nameBranches(known, guard)]),
    ...(title === "" ? [] : [guard.fence("title", title)]),
    ...(description.text.trim() === ""
      ? []
      : [`${guard.fence("description", description.text)}${cutNote(description.cutChars)}`]),
    ...(commits.text === "" ? [] : [commits.text]),
  ];
  return { text: lines.join("\n"), cutChars: description.cutChars + commits.cutChars };
}

function nameBranches({ headBranch, baseBranch }: KnownPullRequest, guard: Guard): string {
  const names = [`head: ${headBranch}`, `base: ${baseBranch}`];
  return guard.fence("branches", names.map((name) => fitOnLine(name, MAX_BRANCH_CHARS, guard)).join("\n"));
}

/** Subjects, oldest first. */
export function listCommits({ commits }: Pick<Change, "commits">, guard: Guard): RenderedSection {
  if (commits.length === 0) return NOTHING;
  const subjects = sampleCommits(commits).map(
    ({ subject }) => `- ${fitOnLine(subject, MAX_SUBJECT_CHARS, guard)}`,
  );
  const budgetChars = MAX_COMMITS * MAX_SUBJECT_CHARS;
  const { lines, cutChars } = fitLines(subjects, { budgetChars, maxLines: MAX_COMMITS });
  const fenced = guard.fence("commit subjects", lines.join("\n"));
  return { text: `${fenced}${leftNote(commits.length - lines.length)}`, cutChars };
}

export function showHunk({ hunk }: Surroundings, guard: Guard): RenderedSection {
  if (hunk === null || hunk.text.trim() === "") return NOTHING;
  const { text, cutChars } = fitEnd(hunk.text, MAX_HUNK_CHARS, guard);
  const label = `diff of ${showPath(hunk.path, guard)}`;
  return { text: `# Lines of the thread\n${guard.fence(label, text)}${cutNote(cutChars)}`, cutChars };
}

/** The end matters most. */
function fitEnd(text: string, budgetChars: number, guard: Guard): Fitted {
  const lines = guard.code(text.toWellFormed()).split("\n");
  let usedChars = 0;
  let from = lines.length;
  while (from > 0 && usedChars + (lines[from - 1]?.length ?? 0) + 1 <= budgetChars)
    usedChars += (lines[--from]?.length ?? 0) + 1;
  const cutChars = lines.slice(0, from).reduce((sum, { length }) => sum + length + 1, 0);
  return { text: lines.slice(from).join("\n"), cutChars };
}
