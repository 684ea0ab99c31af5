/** `mark_reviewed`: the model marks files, or some hunks of one, as read. Only what was shown to it can be marked. */
import * as z from "zod";
import { count } from "../base/count.ts";
import type { FilePart } from "../review/change/scope.ts";
import { serialize } from "./serialize.ts";
import { markedHunks } from "./marked-hunks.ts";
import { changedFile, MAX_PATH_CHARS, namePath, namePaths, quoteBack, refuse } from "./resolve-paths.ts";
import type { ReviewContext, Tool, ToolResult } from "./tool.ts";

/** As many files as a pass can have. */
const MAX_PATHS = 1_000;

/** A model that has read more hunks of a file marks the file. */
const MAX_HUNKS = 1_000;

/** More names don't help. */
export const MAX_NAMES = 20;

const schema = z.object({
  paths: z.array(z.string().max(MAX_PATH_CHARS)).min(1).max(MAX_PATHS),
  hunks: z
    .array(z.int().min(1))
    .min(1)
    .max(MAX_HUNKS)
    .optional()
    .describe("Of one path, such as 2 for @@ 2/5; default: all"),
});

type Given = z.infer<typeof schema>;

export const markReviewed: Tool<ReviewContext, Given> = {
  name: "mark_reviewed",
  description:
    "Marks changed files, or hunks of one file, that were shown to you and that you have read completely.",
  schema,
  execute: (given, context) => serialize(context.notebook, () => mark(given, context)),
};

async function mark(given: Given, context: ReviewContext): Promise<ToolResult> {
  const { notebook, pass, hunksToRead } = context;
  const sorted = sortPaths(given, context);
  if ("text" in sorted) return sorted;
  const { read } = sorted;
  const before = markedHunks(pass.name, notebook.entries(), hunksToRead);
  const isNew = ({ path, hunks }: FilePart): boolean => {
    const known = before.get(path);
    return known === undefined || hunks.some((hunk) => !known.has(hunk));
  };
  const isWhole = ({ path, hunks }: FilePart): boolean =>
    hunksToRead(path).every((hunk) => hunks.includes(hunk));
  const fresh = read.filter(isNew);
  const [paths, parts] = [
    fresh.filter(isWhole).map(({ path }) => path),
    fresh.filter((part) => !isWhole(part)),
  ];
  if (fresh.length > 0) {
    const some = parts.length === 0 ? {} : { parts };
    await notebook.append({ kind: "reviewed", pass: pass.name, paths, ...some });
  }
  return { text: describe(sorted, context), isError: read.length === 0 };
}

type Sorted = {
  /** The hunks to mark, one entry per file. */
  readonly read: readonly FilePart[];
  /** Files with hunks that can't be marked yet. */
  readonly unseen: readonly string[];
  readonly foreign: readonly string[];
};

function sortPaths({ paths, hunks }: Given, context: ReviewContext): Sorted | ToolResult {
  const { pass, shown, guard, hunksToRead } = context;
  if (hunks !== undefined && paths.length > 1)
    return refuse("Nothing is marked: hunks belong to one file. Mark these files one by one.");
  const read = new Map<string, FilePart>();
  const [unseen, foreign] = [new Set<string>(), new Set<string>()];
  for (const each of paths) {
    const file = changedFile(each, context);
    if (file === null || !pass.paths.has(file.path)) {
      foreign.add(quoteBack(each));
      continue;
    }
    const { path } = file;
    if (hunks?.some((hunk) => hunk > file.hunks.length) === true)
      return refuse(`Nothing is marked: ${namePath(path, guard)} has ${count(file.hunks.length, "hunk")}.`);
    const [wanted, seen] = [hunks ?? hunksToRead(path), new Set(shown.hunks(file))];
    const part = { path, hunks: [...new Set(wanted)].filter((hunk) => seen.has(hunk)) };
    if (part.hunks.length > 0 || (wanted.length === 0 && shown.hasDiff(path))) read.set(path, part);
    if (!wanted.every((hunk) => seen.has(hunk)) || !read.has(path)) unseen.add(path);
  }
  return { read: [...read.values()], unseen: [...unseen], foreign: [...foreign] };
}

function describe({ read, unseen, foreign }: Sorted, { notebook, pass, guard, hunksToRead }: ReviewContext) {
  const marked = markedHunks(pass.name, notebook.entries(), hunksToRead);
  const partly = read.flatMap(({ path }) => {
    const [toRead, done] = [hunksToRead(path), marked.get(path)];
    const left = toRead.filter((hunk) => done?.has(hunk) !== true);
    return left.length === 0
      ? []
      : [`${namePath(path, guard)} (still unread: ${listNames(left.map(String))})`];
  });
  const whole = read.length - partly.length;
  const notes = [
    ...(partly.length > 0 ? [`Some hunks are marked in ${listNames(partly)}.`] : []),
    ...(unseen.length > 0
      ? [
          `Not marked, because you haven't read their diffs yet (call show_diff, then mark them in a later turn): ${namePaths(unseen, guard, MAX_NAMES)}.`,
        ]
      : []),
    ...(foreign.length > 0 ? [`Not changed, or not part of your pass: ${listNames(foreign)}.`] : []),
  ];
  return [`${whole === 1 ? "1 file is" : `${whole} files are`} marked.`, ...notes].join(" ");
}

function listNames(names: readonly string[]): string {
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : "";
  return names.slice(0, MAX_NAMES).join(", ") + more;
}
