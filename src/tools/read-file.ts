/**
 * `read_file`: lines of a file at the head or the base. Reading a file doesn't count as having seen its diff. Lines that the model
 * already has aren't sent again.
 */
import * as z from "zod";
import { isRefusal, MAX_PATH_CHARS, namePath, openTextFile, refuse } from "./resolve-paths.ts";
import { showLines } from "./show-lines.ts";
import type { ReadContext, ReviewContext, Tool } from "./tool.ts";

const MAX_LINES = 2_000;

/** About 5,000 tokens; a model can request more. Every later turn pays for these tokens again. */
const DEFAULT_LINES = 400;

/** The limit for an answer is 200 KB; the rest is for the text around the lines. */
const MAX_CHARS = 190_000;

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).describe("From the root of the repository, such as src/a.ts"),
  from: z.int().min(1).optional().describe("First line; 1 when left out"),
  to: z.int().min(1).optional().describe("Last line; default: 400 lines, at most 2,000"),
  rev: z
    .enum(["head", "base"])
    .optional()
    .describe("After the change (head, the default) or before it (base)"),
});

type FileContext = ReadContext & Partial<Pick<ReviewContext, "shown">>;

export const readFile: Tool<FileContext, z.infer<typeof schema>> = {
  name: "read_file",
  description:
    "Numbered lines of a file: 400 from `from` on, or up to 2,000 (200 KB) with `to`. The answer says how to continue.",
  schema,
  async execute({ path: given, from = 1, to = from + DEFAULT_LINES - 1, rev = "head" }, context) {
    const file = await openTextFile(given, rev, context);
    if (isRefusal(file)) return file;
    const name = namePath(file.path, context.guard);
    const total = file.lines.length;
    if (total === 0) return { text: `${name} at the ${rev} is empty.` };
    if (from > total) return refuse(`${name} at the ${rev} has ${total} lines, so there is no line ${from}.`);
    if (to < from) return refuse(`"to" is before "from": ${to} < ${from}.`);
    const wanted = Math.min(to, total) - from + 1;
    const numbered = file.lines.map((text, index) => ({ prefix: `${index + 1}\t`, text }));
    const limits = { maxLines: Math.min(wanted, MAX_LINES), maxChars: MAX_CHARS };
    const { data, count } = showLines(numbered, from - 1, limits);
    const end = from + count - 1;
    const lines = `${name} at the ${rev}, lines ${from}–${end} of ${total}`;
    const more = end < total ? ` To continue, call again with from: ${end + 1}.` : "";
    const key = `${rev}:${file.path}`;
    const where = context.shown?.whereLines(key, { from, to: end }) ?? null;
    if (where !== null) return { text: `${lines}, were already shown ${where}.${more}` };
    context.shown?.noteLines(key, { from, to: end });
    return { text: `${lines}.${more}`, data };
  },
};
