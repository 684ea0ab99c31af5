/**
 * `read_file`: lines of a file at the head or the base. Reading a file doesn't count as having seen its diff. Lines that the model
 * already has aren't sent again.
 */
import * as z from "zod";
import { answerLines } from "./answer-lines.ts";
import { isRefusal, MAX_PATH_CHARS, namePath, openTextFile } from "./resolve-paths.ts";
import type { ReadContext, ReviewContext, Tool } from "./tool.ts";

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).describe("From the root, such as src/a.ts"),
  from: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
  rev: z.enum(["head", "base"]).optional().describe("Default: head, after the change"),
});

type FileContext = ReadContext & Partial<Pick<ReviewContext, "shown">>;

export const readFile: Tool<FileContext, z.infer<typeof schema>> = {
  name: "read_file",
  description: "Numbered lines of a file: 400, or up to 2,000 with `to`.",
  schema,
  isOffered: ({ repository }) => repository !== null,
  async execute({ path: given, rev = "head", ...range }, context) {
    const file = await openTextFile(given, rev, context);
    if (isRefusal(file)) return file;
    return answerLines(file.lines, range, {
      name: `${namePath(file.path, context.guard)} at the ${rev}`,
      key: `${rev}:${file.path}`,
      shown: context.shown,
    });
  },
};
