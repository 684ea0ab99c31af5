/** `finish_edits`: the end of a change. The model's words about it are published after they were made safe. */
import * as z from "zod";
import { explainFindings } from "../review/edits/edit-report.ts";
import { stripControls } from "../base/hidden-characters.ts";
import { type EditContext, inTurn } from "./edit-tool.ts";
import type { Tool } from "./tool.ts";

const MAX_TITLE_CHARS = 200;

/** A few paragraphs. */
const MAX_DESCRIPTION_CHARS = 4_000;

/** One sentence. */
const MAX_REASON_CHARS = 400;

/** More than a request can name. */
const MAX_NOT_DONE = 100;

const schema = z.object({
  title: z
    .string()
    .trim()
    .min(1)
    .max(MAX_TITLE_CHARS)
    .describe(
      "The change in one line of at most 70 characters, such as: Check the limit before the first request",
    ),
  description: z
    .string()
    .trim()
    .max(MAX_DESCRIPTION_CHARS)
    .describe("What you changed and why, and what you were asked for but didn't do or couldn't check"),
  not_done: z
    .array(
      z.object({
        finding: z.int().min(1).describe("Its number"),
        reason: z.string().trim().min(1).max(MAX_REASON_CHARS).describe("Why, in one sentence"),
      }),
    )
    .max(MAX_NOT_DONE)
    .optional()
    .describe("Only for several findings: those of the request that you didn't fix"),
});

export const finishEdits: Tool<EditContext, z.infer<typeof schema>> = {
  name: "finish_edits",
  description:
    "Ends the work. Make all edits first. Call it without edits if nothing has to change, and say why.",
  schema,
  execute: ({ title, description, not_done: left = [] }, { draft, guard, findProblems }) =>
    inTurn(draft, async () => {
      // Masked values stay masked.
      const clean = (text: string): string => guard.unfence(stripControls(text)).trim().toWellFormed();
      const notDone = left.map(({ finding, reason }) => ({ finding, reason: clean(reason) }));
      draft.finish({ title: clean(title), description: clean(description), notDone });
      const problems = await findProblems();
      if (problems.length === 0) return { text: "The change is finished.", isFinal: true };
      return {
        text: "Not accepted yet: the checks report problems on the lines that you added. Fix them in your edits and call finish_edits again. If they are still there then, nothing is written.",
        data: explainFindings(problems).map((text) => ({ prefix: "", text })),
        isError: true,
      };
    }),
};
