/** Places in a model's text: `src/a.ts:10`, `src/a.ts:10-20`, `src/a.ts#L10-L20`. Whether they exist isn't decided here. Pure. */

/** A path and its lines, as far as the text says. */
export type Citation = {
  readonly path: string;
  readonly startLine: number;
  readonly endLine: number;
};

/** No file has more lines. */
const MAX_LINE_DIGITS = 7;

const LINES = String.raw`(?::L?|#L)(?<start>[1-9]\d{0,${MAX_LINE_DIGITS - 1}})(?:[-\u2013]L?(?<end>[1-9]\d{0,${MAX_LINE_DIGITS - 1}}))?(?::\d{1,5})?`;

/** In plain text a path has no spaces, starts a word, and isn't a part of an address. The repeats are bounded. */
export const CITATION_IN_TEXT = new RegExp(
  String.raw`(?<![^\s("'])(?:\./)?[\p{L}\p{N}_.-][\p{L}\p{N}_./@+~-]{0,300}${LINES}(?![\p{L}\p{N}_/@:#-])`,
  "gu",
);

/** A code span holds nothing else. */
const CITATION_IN_CODE = new RegExp(String.raw`^(?:\./)?(?<path>[^\n:#]{1,500})${LINES}$`, "u");

/** The citation that a text is as a whole; null if it is something else. */
export function parseCitation(text: string): Citation | null {
  const groups = CITATION_IN_CODE.exec(text.trim())?.groups;
  if (groups === undefined) return null;
  const { path = "", start = "", end = start } = groups;
  const [startLine, endLine] = [Number(start), Number(end)];
  return endLine < startLine ? null : { path, startLine, endLine };
}
