/**
 * `finish_review`: the end of a pass. The first call while files are unread lists those files instead; the second call
 * ends the pass.
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

/** Attempts that got the list of unread files, and attempts that are over. The key is the attempt's `Shown`. */
const warned = new WeakSet<Shown>();
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
  const left = unseenPaths(context);
  if (left.length > 0 && !warned.has(shown) && context.isLate?.() !== true) {
    warned.add(shown);
    return {
      text: `Not finished: you haven't seen the changes of ${namePaths(left, guard, MAX_NAMES)}. Read them with show_diff, or call finish_review again to finish without them.`,
      isError: true,
    };
  }
  finished.add(shown);
  // The summary is published, so masked values stay masked, as in findings.
  const text = guard.unfence(stripControls(summary)).trim().toWellFormed();
  await notebook.append({ kind: "summary", pass: pass.name, text });
  return { text: "The review is finished.", isFinal: true };
}

/** Files of the pass that have a diff and were neither shown nor marked. */
function unseenPaths(context: ReviewContext): readonly string[] {
  const { change, pass, shown } = context;
  const marked = markedPaths(context);
  return change.files
    .filter(({ path, hunks }) => pass.paths.has(path) && hunks.length > 0)
    .filter(({ path }) => !shown.hasDiff(path) && !marked.has(path))
    .map(({ path }) => path);
}
