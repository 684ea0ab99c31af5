/** `file_history`: the commits that changed a file, newest first. */
import * as z from "zod";
import {
  MAX_PATH_CHARS,
  namePath,
  notInRepository,
  ONLY_A_DIFF,
  deadlineOf,
  treePath,
} from "./resolve-paths.ts";
import { hasHistory, MAX_ENTRIES, showEntry } from "./show-history.ts";
import type { ReadContext, Tool } from "./tool.ts";

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS),
});

export const fileHistory: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "file_history",
  description: "The last 20 commits that changed a file, also under earlier names.",
  schema,
  isOffered: hasHistory,
  async execute({ path: given }, context) {
    const { repository, head, guard } = context;
    if (repository === null) return ONLY_A_DIFF;
    const path = treePath(given, guard);
    if (path === null) return notInRepository(given);
    const options = { ...deadlineOf(context), maxEntries: MAX_ENTRIES + 1 };
    const entries = await repository.readHistory(head, path, options);
    const name = namePath(path, guard);
    if (entries.length === 0 && (await repository.findEntry(head, path, options)) === null)
      return notInRepository(given);
    const shown = entries.slice(0, MAX_ENTRIES);
    const isCut = entries.length > MAX_ENTRIES;
    const notes = [
      ...(isCut ? ["There are older commits."] : []),
      ...(typeof head === "string" ? ["Uncommitted changes aren't included."] : []),
      ...(repository.isShallow && !isCut
        ? ["The history is incomplete (shallow clone): the oldest commit shown may just be where it ends."]
        : []),
    ];
    return {
      text: [`${name}: ${shown.length} ${shown.length === 1 ? "commit" : "commits"}.`, ...notes].join(" "),
      data: shown.map((entry) => ({ prefix: "", ...showEntry(entry) })),
    };
  },
};
