/**
 * `finish_review`: the end of a pass. The first call while files are unread, marked only in part, or findings are to be checked again,
 * lists those instead; the second call ends the pass. A call in the same answer as a finding that got no line is refused once, too.
 */
import * as z from "zod";
import { stripControls } from "../base/hidden-characters.ts";
import { serialize } from "./serialize.ts";
import { MAX_NAMES } from "./mark-reviewed.ts";
import { markedHunks } from "./marked-hunks.ts";
import { answersIn } from "./notebook.ts";
import { namePaths, quoteBack } from "./resolve-paths.ts";
import type { Shown } from "./shown.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** A few sentences. */
const MAX_SUMMARY_CHARS = 4_000;

/** Attempts that got the list of unread files, that heard of findings without a line, and that are over. The key is the attempt's `Shown`. */
const warned = new WeakSet<Shown>();
const toldUnplaced = new WeakSet<Shown>();
const finished = new WeakSet<Shown>();

const schema = z.object({
  summary: z
    .string()
    .trim()
    .max(MAX_SUMMARY_CHARS)
    .describe("Two or three sentences: what the change does, and what you couldn't check"),
});

export const finishReviewTool: Tool<ReviewContext, z.infer<typeof schema>> = {
  name: "finish_review",
  description: "Ends the review. Record everything first.",
  schema,
  execute: ({ summary }, context) => serialize(context.notebook, () => finish(summary, context)),
};

async function finish(summary: string, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, shown, guard } = context;
  if (finished.has(shown)) return { text: "The review is already finished.", isFinal: true };
  const left = context.isLate?.() === true ? [] : listLeft(context);
  if (left.length > 0)
    return {
      text: `Not finished: ${left.join(" Also, ")} Or call finish_review again to finish without them.`,
      isError: true,
    };
  finished.add(shown);
  // The summary is published, so masked values stay masked, as in findings.
  const text = guard.unfence(stripControls(summary)).trim().toWellFormed();
  await notebook.append({ kind: "summary", pass: pass.name, text });
  return { text: "The review is finished.", isFinal: true };
}

/** Sentences about the work that is left, each said once. */
function listLeft(context: ReviewContext): readonly string[] {
  const { shown, guard } = context;
  const unplaced = toldUnplaced.has(shown) ? [] : shown.unplaced();
  if (unplaced.length > 0) toldUnplaced.add(shown);
  const { unseen, unmarked } = leftPaths(context);
  const unanswered = leftToCheck(context);
  const isWarned = warned.has(shown);
  if (unseen.length + unmarked.length + unanswered.length > 0) warned.add(shown);
  const sentences = [
    unseen.length > 0 &&
      `you haven't seen all changes of ${namePaths(unseen, guard, MAX_NAMES)}. Read them with show_diff.`,
    unmarked.length > 0 &&
      `you have marked only some hunks of ${namePaths(unmarked, guard, MAX_NAMES)}. Mark the others when you have read them.`,
    unanswered.length > 0 &&
      `you haven't answered with confirm_finding for ${unanswered
        .slice(0, MAX_NAMES)
        .map((number) => `(${number})`)
        .join(", ")}. Findings without an answer stay open.`,
  ];
  return [
    ...(isWarned ? [] : sentences.filter((sentence) => sentence !== false)),
    ...(unplaced.length === 0
      ? []
      : [
          `you recorded ${unplaced.slice(0, MAX_NAMES).map(quoteBack).join(", ")} in this same answer, without a line. Read why, and record it again with the exact text of a line.`,
        ]),
  ];
}

/** Numbers of findings to check again that have no answer. */
function leftToCheck({ toCheckAgain, pass, notebook }: ReviewContext): readonly number[] {
  const answers = answersIn(notebook);
  return toCheckAgain.flatMap(({ number, path }) =>
    pass.paths.has(path) && !answers.has(number) ? [number] : [],
  );
}

/** Files of the pass with hunks that weren't shown, and files of which the model has marked only some. */
function leftPaths({ change, pass, shown, notebook, hunksToRead }: ReviewContext) {
  const marked = markedHunks(pass.name, notebook.entries(), hunksToRead);
  const files = change.files.filter(({ path, hunks }) => pass.paths.has(path) && hunks.length > 0);
  const unseen = files.filter((file) => {
    const seen = new Set([...shown.hunks(file), ...(marked.get(file.path) ?? [])]);
    return !hunksToRead(file.path).every((hunk) => seen.has(hunk));
  });
  const unmarked = files.filter(({ path }) => {
    const own = marked.get(path);
    return own !== undefined && !hunksToRead(path).every((hunk) => own.has(hunk));
  });
  return {
    unseen: unseen.map(({ path }) => path),
    unmarked: unmarked.filter((file) => !unseen.includes(file)).map(({ path }) => path),
  };
}
