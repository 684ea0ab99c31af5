/** `mark_reviewed`: the model marks files as read. Only files that were shown to it can be marked. */
import * as z from "zod";
import { serialize } from "./serialize.ts";
import { changedFile, MAX_PATH_CHARS, namePaths, quoteBack } from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** As many files as a pass can have. */
const MAX_PATHS = 1_000;

/** More names don't help. */
export const MAX_NAMES = 20;

const schema = z.object({
  paths: z
    .array(z.string().max(MAX_PATH_CHARS))
    .min(1)
    .max(MAX_PATHS)
    .describe("Changed files that you have read"),
});

export const markReviewed: Tool<ReviewContext, z.infer<typeof schema>> = {
  name: "mark_reviewed",
  description:
    "Marks changed files that you have read completely. You can't mark a file whose diff wasn't shown to you.",
  schema,
  execute: ({ paths }, context) => serialize(context.notebook, () => mark(paths, context)),
};

async function mark(given: readonly string[], context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, shown, guard } = context;
  const marked = markedPaths(context);
  const [read, unseen, foreign]: [Set<string>, string[], string[]] = [new Set(), [], []];
  for (const each of new Set(given)) {
    const path = changedFile(each, context)?.path;
    if (path === undefined || !pass.paths.has(path)) foreign.push(quoteBack(each));
    else if (!shown.hasDiff(path)) unseen.push(path);
    else read.add(path);
  }
  const paths = [...read].filter((path) => !marked.has(path));
  if (paths.length > 0) await notebook.append({ kind: "reviewed", pass: pass.name, paths });
  const count = read.size === 1 ? "1 file is" : `${read.size} files are`;
  const notes = [
    ...(unseen.length > 0
      ? [
          `Not marked, because you haven't read their diffs yet (call show_diff, then mark them in a later turn): ${namePaths(unseen, guard, MAX_NAMES)}.`,
        ]
      : []),
    ...(foreign.length > 0 ? [`Not changed, or not part of your pass: ${listNames(foreign)}.`] : []),
  ];
  return { text: [`${count} marked.`, ...notes].join(" "), isError: read.size === 0 };
}

/** The files that this pass has marked so far. */
export function markedPaths({ notebook, pass }: ReviewContext): ReadonlySet<string> {
  const entries = notebook.entries().filter((entry) => entry.kind === "reviewed");
  return new Set(entries.filter((entry) => entry.pass === pass.name).flatMap(({ paths }) => paths));
}

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return names.slice(0, MAX_NAMES).join(", ") + more;
}
