/** `mark_reviewed`: the model says which files it has read. Only what was shown to it can have been read. */
import * as z from "zod";
import { serialize } from "./serialize.ts";
import { changedFile, MAX_PATH_CHARS, namePaths, sayBack } from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** As many files as a pass can have. */
const MAX_PATHS = 1_000;

/** More names tell nothing. */
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
    "Says which changed files you have read to their end. Files whose diff was not shown to you cannot be marked.",
  schema,
  execute: ({ paths }, context) => serialize(context.notebook, () => mark(paths, context)),
};

async function mark(given: readonly string[], context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, shown, guard } = context;
  const marked = markedPaths(context);
  const [read, unseen, foreign]: [Set<string>, string[], string[]] = [new Set(), [], []];
  for (const each of new Set(given)) {
    const path = changedFile(each, context)?.path;
    if (path === undefined || !pass.paths.has(path)) foreign.push(sayBack(each));
    else if (!shown.hasDiff(path)) unseen.push(path);
    else read.add(path);
  }
  const paths = [...read].filter((path) => !marked.has(path));
  if (paths.length > 0) await notebook.append({ kind: "reviewed", pass: pass.name, paths });
  const count = read.size === 1 ? "1 file is" : `${read.size} files are`;
  const notes = [
    ...(unseen.length > 0
      ? [
          `Not marked, because you have not read their diffs yet (call show_diff, and mark them in a later turn): ${namePaths(unseen, guard, MAX_NAMES)}.`,
        ]
      : []),
    ...(foreign.length > 0 ? [`Not changed, or not yours to review: ${sayAll(foreign)}.`] : []),
  ];
  return { text: [`${count} marked.`, ...notes].join(" "), isError: read.size === 0 };
}

/** What this pass has marked so far. */
export function markedPaths({ notebook, pass }: ReviewContext): ReadonlySet<string> {
  const entries = notebook.entries().filter((entry) => entry.kind === "reviewed");
  return new Set(entries.filter((entry) => entry.pass === pass.name).flatMap(({ paths }) => paths));
}

function sayAll(said: readonly string[]): string {
  const more = said.length > MAX_NAMES ? ` and ${said.length - MAX_NAMES} more` : "";
  return said.slice(0, MAX_NAMES).join(", ") + more;
}
