/** `delete_file`: deletes a file in the draft. */
import * as z from "zod";
import { type EditContext, inTurn, isAnswer, openDraft } from "./edit-tool.ts";
import { MAX_PATH_CHARS, namePath, refuse } from "./resolve-paths.ts";
import type { Tool } from "./tool.ts";

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).describe("From the root of the repository, such as src/a.ts"),
});

export const deleteFile: Tool<EditContext, z.infer<typeof schema>> = {
  name: "delete_file",
  description: "Deletes a file. Test files can't be deleted.",
  schema,
  execute: ({ path: given }, context) =>
    inTurn(context.draft, async () => {
      const file = await openDraft(given, context);
      if (isAnswer(file)) return file;
      const name = namePath(file.path, context.guard);
      if (file.text === null) return refuse(`${name} doesn't exist.`);
      context.draft.put(file.path, null);
      return { text: `Deleted ${name}.` };
    }),
};
