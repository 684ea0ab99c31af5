/** `edit_file`: replaces one piece of text of a file in the draft. The text must be there exactly once, unless all are to be replaced. */
import * as z from "zod";
import { count } from "../base/count.ts";
import { lineEndingOf, withLineEnding } from "../review/edits/line-endings.ts";
import {
  DRAFT_IS_FULL,
  type EditContext,
  inTurn,
  isAnswer,
  lineIndexAt,
  linesAround,
  MASKED_LINE,
  openDraft,
  restoreText,
} from "./edit-tool.ts";
import { MAX_PATH_CHARS, namePath, refuse } from "./resolve-paths.ts";
import type { Tool, ToolResult } from "./tool.ts";

/** The limit for a change. */
const MAX_TEXT_CHARS = 400_000;

/** Places named when a text is there several times. */
const MAX_PLACES = 5;

const schema = z.object({
  path: z.string().max(MAX_PATH_CHARS).describe("From the root of the repository, such as src/a.ts"),
  find: z
    .string()
    .min(1)
    .max(MAX_TEXT_CHARS)
    .describe(
      "The exact text to replace, with its indentation and without line numbers; it must occur once, unless `all` is true",
    ),
  replace: z.string().max(MAX_TEXT_CHARS).describe("The text in its place; empty to delete it"),
  all: z.boolean().optional().describe("true replaces every occurrence of the text in the file"),
});

type Args = z.infer<typeof schema>;

export const editFile: Tool<EditContext, Args> = {
  name: "edit_file",
  description:
    "Replaces one piece of text of an existing file. Edits of one file build on each other. Reading tools keep showing the file before your edits; answers of this tool show the edited lines.",
  schema,
  execute: (args, context) => inTurn(context.draft, () => edit(args, context)),
};

async function edit(
  { path: given, find, replace, all = false }: Args,
  context: EditContext,
): Promise<ToolResult> {
  const file = await openDraft(given, context);
  if (isAnswer(file)) return file;
  const { path, text } = file;
  const { guard, draft } = context;
  const name = namePath(path, guard);
  if (text === null) return refuse(`${name} doesn't exist. Use write_file for a new file.`);
  const ending = lineEndingOf(text);
  const wanted = [guard.reveal(find), find]
    .map((each) => withLineEnding(each, ending))
    .find((each) => text.includes(each));
  if (wanted === undefined) return describeMissing(name, text, guard.reveal(find));
  const places = placesOf(text, wanted);
  if (places.length > 1 && !all) {
    const lines = places.map((at) => lineIndexAt(text, at) + 1).join(", ");
    return refuse(
      `The text is in ${name} more than once, on lines ${lines}. Add lines around it to make it unique, or set \`all\`.`,
    );
  }
  const restored = restoreText(replace, wanted, guard);
  if (restored === null) return MASKED_LINE;
  const replacement = withLineEnding(restored, ending);
  if (replacement === wanted) return refuse("`find` and `replace` are the same, so nothing would change.");
  const at = places[0] ?? 0;
  const edited = all
    ? text.replaceAll(wanted, () => replacement)
    : text.slice(0, at) + replacement + text.slice(at + wanted.length);
  if (!draft.put(path, edited)) return DRAFT_IS_FULL;
  const times = all ? ` (${count(text.split(wanted).length - 1, "occurrence")})` : "";
  return {
    text: `Edited ${name}${times}. It now reads, around the ${all ? "first " : ""}edit:`,
    data: linesAround(edited, lineIndexAt(edited, at), replacement.split("\n").length),
  };
}

function placesOf(text: string, wanted: string): readonly number[] {
  const places: number[] = [];
  for (
    let at = text.indexOf(wanted);
    at !== -1 && places.length < MAX_PLACES;
    at = text.indexOf(wanted, at + 1)
  )
    places.push(at);
  return places;
}

/** Shows the lines that the model may have meant: those where its first line is, whatever the spaces. */
function describeMissing(name: string, text: string, find: string): ToolResult {
  const squeeze = (line: string): string => line.replace(/\s+/g, "");
  const wanted = find.split("\n").map(squeeze);
  const first = wanted.find((line) => line !== "") ?? "";
  const lines = text.split("\n").map(squeeze);
  const at = first === "" ? -1 : lines.findIndex((line) => line.includes(first));
  if (at === -1)
    return refuse(
      `The text isn't in ${name}, and neither is its first line. Copy it from the file exactly, without line numbers. Earlier edits may have changed it.`,
    );
  return {
    text: `The text isn't in ${name} exactly like this. Its first line is here; compare the spaces and the lines below it:`,
    data: linesAround(text, at, wanted.length),
    isError: true,
  };
}
