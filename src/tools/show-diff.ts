/**
 * `show_diff`: the hunks of the change, in the format of the prompt. A hunk counts as shown once all of its lines were,
 * in one answer or in several. Lines that the model already has aren't sent again.
 */
import * as z from "zod";
import type { ChangedFile } from "../review/change/change.ts";
import { roughChars } from "../review/change/diff-size.ts";
import { renderHunks } from "../review/prompt/render-file-diff.ts";
import type { Guard } from "../review/untrusted/guard.ts";
import { showPath } from "../review/untrusted/show-path.ts";
import { changedFile, MAX_PATH_CHARS, namePath, namePaths, refuse, quoteBack } from "./resolve-paths.ts";
import { showLines } from "./show-lines.ts";
import type { DataLine, ReadContext, ReviewContext, Tool, ToolResult } from "./tool.ts";

/** About 15,000 tokens: models read longer answers less carefully, and every later turn pays for them again. */
const MAX_CHARS = 50_000;

/** Also limits the number of lines, for files with many short ones. */
const MAX_LINES = 2_000;

/** More names don't help; the rest is counted. */
const MAX_NAMES = 50;

type DiffContext = ReadContext & Partial<Pick<ReviewContext, "shown" | "pass">>;

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).optional().describe("Default: all files"),
  from: z.int().min(1).optional().describe("With a path: first line of its diff"),
});

export const showDiff: Tool<DiffContext, z.infer<typeof schema>> = {
  name: "show_diff",
  description:
    "The hunks of the change with line numbers. Long diffs are cut; the answer says how to continue.",
  schema,
  async execute({ path, from = 1 }, context) {
    if (path === undefined) return showAll(context);
    const file = changedFile(path, context);
    if (file === null)
      return refuse(`${quoteBack(path)} isn't changed. Use read_file for files outside the change.`);
    return showOne(file, from, context);
  },
};

function showOne(file: ChangedFile, from: number, context: DiffContext): ToolResult {
  const name = describeFile(file, context, namePath);
  const { lines, hunkLines } = diffLines(file, context);
  const total = lines.length;
  if (total === 0) {
    context.shown?.noteDiff(file.path, { from: 1, to: 0, hunkLines });
    return { text: `${name}: ${whyNoLines(file)}.` };
  }
  if (from > total) return refuse(`${name}: its diff has ${total} lines, so there is no line ${from}.`);
  const { data, count } = showLines(lines, from - 1, { maxLines: MAX_LINES, maxChars: MAX_CHARS });
  const to = from + count - 1;
  const rest = to < total ? ` Cut here: call show_diff with this path and from: ${to + 1} for more.` : "";
  const where = context.shown?.whereDiff(file.path, { from, to }) ?? null;
  context.shown?.noteDiff(file.path, { from, to, hunkLines });
  if (where !== null)
    return {
      text: `${name}: lines ${from}–${to} of ${total} of its diff were already shown ${where}.${rest}`,
    };
  return { text: `${name}: lines ${from}–${to} of ${total} of its diff.${rest}`, data };
}

/** As many whole files as fit that the model doesn't have yet; files of its own pass first. */
function showAll(context: DiffContext): ToolResult {
  const { change, pass, guard, shown } = context;
  if (change.files.length === 0) return { text: ["There are no changes.", ...change.notes].join(" ") };
  const mine = (file: ChangedFile): boolean => pass?.paths.has(file.path) ?? true;
  const files = [...change.files.filter(mine), ...change.files.filter((file) => !mine(file))];
  const data: DataLine[] = [];
  const known: string[] = [];
  const left: string[] = [];
  let chars = 0;
  let lineCount = 0;
  for (const file of files) {
    if (shown?.hasDiff(file.path) === true) {
      known.push(file.path);
      continue;
    }
    if (roughChars(file) > MAX_CHARS - chars) {
      left.push(file.path);
      continue;
    }
    const head = { prefix: `=== ${describeFile(file, context, showPath)}${noLines(file)}`, text: "" };
    const { lines: ownLines, hunkLines } = diffLines(file, context);
    const lines = [head, ...ownLines];
    const size = lines.reduce((sum, { prefix }) => sum + (prefix?.length ?? 0) + 1, 0);
    if (chars + size > MAX_CHARS || lineCount + lines.length > MAX_LINES) {
      left.push(file.path);
      continue;
    }
    chars += size;
    lineCount += lines.length;
    data.push(...lines);
    shown?.noteDiff(file.path, { from: 1, to: ownLines.length, hunkLines });
  }
  return { text: describeAll(change.files.length, { known, left }, guard), data };
}

function describeAll(
  total: number,
  { known, left }: { readonly known: readonly string[]; readonly left: readonly string[] },
  guard: Guard,
): string {
  const count = total === 1 ? "1 changed file" : `${total} changed files`;
  if (known.length + left.length === 0) return `${count}, all shown.`;
  return [
    `${count}.`,
    ...(known.length === 0
      ? []
      : [`Already shown, in the prompt or an earlier turn: ${namePaths(known, guard, MAX_NAMES)}.`]),
    ...(left.length === 0
      ? []
      : [
          `${left.length} didn't fit. Call show_diff with the path of each: ${namePaths(left, guard, MAX_NAMES)}.`,
        ]),
  ].join(" ");
}

/** The same format as in the prompt, without the line that names the file. */
function diffLines(file: ChangedFile, { guard }: ReadContext) {
  const hunks = renderHunks(file, guard);
  return {
    lines: hunks.flat().map((line): DataLine => ({ prefix: line, text: "" })),
    hunkLines: hunks.map(({ length }) => length),
  };
}

function describeFile(
  { path, oldPath, status, addedLines, removedLines }: ChangedFile,
  { guard }: ReadContext,
  show: typeof showPath,
) {
  const before = oldPath !== null && oldPath !== path ? ` from ${show(oldPath, guard)}` : "";
  return `${show(path, guard)} (${status}${before}, +${addedLines} −${removedLines})`;
}

function noLines(file: ChangedFile): string {
  return file.hunks.length === 0 ? `: ${whyNoLines(file)}` : "";
}

function whyNoLines({ unreadable, status }: ChangedFile): string {
  return `no lines to show (${unreadable ?? status})`;
}
