/** `write_file`: creates a file in the draft, or gives it a whole new content. */
import * as z from "zod";
import { count } from "../base/count.ts";
import { lineEndingOf, withLineEnding } from "../review/edits/line-endings.ts";
import {
  DRAFT_IS_FULL,
  type EditContext,
  inTurn,
  isAnswer,
  MASKED_LINE,
  openDraft,
  restoreText,
} from "./edit-tool.ts";
import { MAX_PATH_CHARS, namePath } from "./resolve-paths.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** The limit for a file. */
const MAX_CONTENT_CHARS = 1024 * 1024;

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).describe("From the root of the repository, such as src/a.ts"),
  content: z.string().max(MAX_CONTENT_CHARS).describe("The whole file"),
  executable: z
    .boolean()
    .optional()
    .describe("Whether it may be executed, such as a script; left out, that stays as it is"),
});

type Args = z.infer<typeof schema>;

export const writeFileTool: Tool<EditContext, Args> = {
  name: "write_file",
  description:
    "Creates a file, or replaces its whole content. To change a part of an existing file, use edit_file: whatever you leave out here is deleted. It also sets whether a file may be executed.",
  schema,
  execute: (args, context) => inTurn(context.draft, () => write(args, context)),
};

async function write({ path: given, content, executable }: Args, context: EditContext): Promise<ToolResult> {
  const file = await openDraft(given, context);
  if (isAnswer(file)) return file;
  const { path, text } = file;
  const { guard, draft } = context;
  const restored = restoreText(content, text ?? "", guard);
  if (restored === null) return MASKED_LINE;
  const written = withLineEnding(restored, lineEndingOf(text ?? ""));
  if (!draft.put(path, written)) return DRAFT_IS_FULL;
  if (executable !== undefined) draft.setExecutable(path, executable);
  const lines = count(written.split("\n").length - (written.endsWith("\n") ? 1 : 0), "line");
  return { text: `${text === null ? "Created" : "Replaced"} ${namePath(path, guard)}: ${lines}.` };
}
