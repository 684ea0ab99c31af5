/**
 * `finish_review`: the end of a pass. Asked for while files were not looked at, it says which, once; whoever asks again
 * means it.
 */
import * as z from "zod";
import { stripControls } from "../review/untrusted/hidden-characters.ts";
import { serialize } from "./serialize.ts";
import { markedPaths, MAX_NAMES } from "./mark-reviewed.ts";
import { namePaths } from "./resolve-paths.ts";
import type { Shown } from "./shown.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** A few sentences. */
const MAX_SUMMARY_CHARS = 4_000;

/** Attempts, each by what it was shown, that were told what they have not looked at, and those that are over. */
const warned = new WeakSet<Shown>();
const finished = new WeakSet<Shown>();

const schema = z.object({
  summary: z
    .string()
    .trim()
    .max(MAX_SUMMARY_CHARS)
    .describe("Two or three sentences: what the change does, and what you could not check"),
});

export const finishReviewTool: Tool<ReviewContext, z.infer<typeof schema>> = {
  name: "finish_review",
  description: "Ends the review. Everything must be recorded by then.",
  schema,
  execute: ({ summary }, context) => serialize(context.notebook, () => finish(summary, context)),
};

async function finish(summary: string, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, shown, guard } = context;
  if (finished.has(shown)) return { text: "The review is over already.", isFinal: true };
  const left = unseenPaths(context);
  if (left.length > 0 && !warned.has(shown) && context.isLate?.() !== true) {
    warned.add(shown);
    return {
      text: `Not finished: you have not seen the changes of ${namePaths(left, guard, MAX_NAMES)}. Look at them with show_diff, or call finish_review again to end without them.`,
      isError: true,
    };
  }
  finished.add(shown);
  // It is shown to people: what was masked for the model stays masked, as in what it records.
  const text = guard.unfence(stripControls(summary)).trim().toWellFormed();
  await notebook.append({ kind: "summary", pass: pass.name, text });
  return { text: "The review is finished.", isFinal: true };
}

/** Files of the pass that have lines to show, and were neither shown nor marked. */
function unseenPaths(context: ReviewContext): readonly string[] {
  const { change, pass, shown } = context;
  const marked = markedPaths(context);
  return change.files
    .filter(({ path, hunks }) => pass.paths.has(path) && hunks.length > 0)
    .filter(({ path }) => !shown.hasDiff(path) && !marked.has(path))
    .map(({ path }) => path);
}
