/** An answer with numbered lines of one text. Lines that the model already has aren't sent again. */
import { refuse } from "./resolve-paths.ts";
import { showLines } from "./show-lines.ts";
import type { ReviewContext, ToolResult } from "./tool.ts";

const MAX_LINES = 2_000;

/** About 5,000 tokens; a model can request more. Every later turn pays for these tokens again. */
const DEFAULT_LINES = 400;

/** The limit for an answer is 200 KB; the rest is for the text around the lines. */
const MAX_CHARS = 190_000;

type LineRange = { readonly from?: number | undefined; readonly to?: number | undefined };

type Labeled = {
  /** Fixed, or already guarded. */
  readonly name: string;
  /** The same for the same text. */
  readonly key: string;
  readonly shown: ReviewContext["shown"] | undefined;
};

export function answerLines(
  lines: readonly string[],
  { from = 1, to = from + DEFAULT_LINES - 1 }: LineRange,
  { name, key, shown }: Labeled,
): ToolResult {
  const total = lines.length;
  if (total === 0) return { text: `${name} is empty.` };
  if (from > total) return refuse(`${name} has ${total} lines, so there is no line ${from}.`);
  if (to < from) return refuse(`"to" is before "from": ${to} < ${from}.`);
  const wanted = Math.min(to, total) - from + 1;
  const numbered = lines.map((text, index) => ({ prefix: `${index + 1}\t`, text }));
  const limits = { maxLines: Math.min(wanted, MAX_LINES), maxChars: MAX_CHARS };
  const { data, count } = showLines(numbered, from - 1, limits);
  const end = from + count - 1;
  const part = `${name}, lines ${from}–${end} of ${total}`;
  const more = end < total ? ` To continue, call again with from: ${end + 1}.` : "";
  const where = shown?.whereLines(key, { from, to: end }) ?? null;
  if (where !== null) return { text: `${part}, were already shown ${where}.${more}` };
  shown?.noteLines(key, { from, to: end });
  return { text: `${part}.${more}`, data };
}
