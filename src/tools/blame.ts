/** `blame`: the commits that last changed the lines of a file. */
import * as z from "zod";
import type { BlameRange } from "../repository/repository.ts";
import {
  isRefusal,
  MAX_PATH_CHARS,
  namePath,
  openTextFile,
  deadlineOf,
  refuse,
  type TextFile,
} from "./resolve-paths.ts";
import { hasHistory, MAX_ENTRIES, showEntry } from "./show-history.ts";
import type { ReadContext, Tool } from "./tool.ts";

/** Git's work grows with the number of lines. */
const MAX_LINES = 2_000;

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS),
  from: z.int().min(1).optional(),
  to: z.int().min(1).optional(),
});

export const blame: Tool<ReadContext, z.infer<typeof schema>> = {
  name: "blame",
  description: "Who last changed lines of a file, when and why. At most 20 ranges.",
  schema,
  isOffered: hasHistory,
  async execute({ path: given, from = 1, to = Number.MAX_SAFE_INTEGER }, context) {
    const file = await openTextFile(given, "head", context);
    if (isRefusal(file)) return file;
    const name = namePath(file.path, context.guard);
    const total = file.lines.length;
    if (from > total) return refuse(`${name} has ${total} lines, so there is no line ${from}.`);
    if (to < from) return refuse(`"to" is before "from": ${to} < ${from}.`);
    if (!(await isCommitted(file, context))) return { text: `${name} isn't committed yet.` };
    const last = Math.min(to, total, from + MAX_LINES - 1);
    const { repository } = file;
    const ranges = await repository.readBlame(file.revision, file.path, {
      ...deadlineOf(context),
      from,
      to: last,
    });
    const shown = ranges.slice(0, MAX_ENTRIES);
    const end = shown.at(-1)?.endLine ?? last;
    const notes = [
      ...(end < Math.min(to, total) ? [`Cut here: call again with from: ${end + 1} for more.`] : []),
      ...(repository.isShallow && shown.some(({ isEdge }) => isEdge)
        ? ["The history is incomplete (shallow clone): lines marked * may be older than shown."]
        : []),
    ];
    return {
      text: [`${name}, lines ${from}–${end} of ${total}.`, ...notes].join(" "),
      data: shown.map((range) => ({ prefix: linesOf(range, file), ...showEntry(range) })),
    };
  },
};

/** An uncommitted file has no history. */
async function isCommitted({ revision, repository, path }: TextFile, context: ReadContext): Promise<boolean> {
  if (typeof revision !== "string") return true;
  return (await repository.findEntry({ commit: "HEAD" }, path, deadlineOf(context))) === "file";
}

function linesOf({ startLine, endLine, isEdge }: BlameRange, { repository }: TextFile): string {
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  return `${lines}${repository.isShallow && isEdge ? "*" : ""}: `;
}
