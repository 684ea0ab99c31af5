/** Marks the places of an answer that its pack doesn't show, line by line, while the answer arrives. Pure. */
import type { ShownLines } from "../../review/pack/render/block.ts";
import { type Citation, CITATION_IN_TEXT, parseCitation } from "../../review/publication/render/citation.ts";

export type CitationMarker = {
  /** The next line of the answer, with a mark after each place that isn't in the pack. */
  readonly mark: (line: string) => string;
  readonly counts: () => CitationCounts;
};

export type CitationCounts = { readonly all: number; readonly missing: number };

const MARK = " (not in the pack)";

/** Quoted code isn't a citation. */
const FENCE = /^ {0,3}(?:```|~~~)/;

/** Times and ports look like places otherwise. */
const LOOKS_LIKE_FILE = /\/|\.\p{L}/u;

/** A longer line isn't prose. */
const MAX_LINE_CHARS = 20_000;

/** `shown`: null for a pack that we didn't make, of which nothing is known. */
export function createCitationMarker(shown: readonly ShownLines[] | null): CitationMarker {
  const byPath = Map.groupBy(shown ?? [], ({ path }) => path);
  let isCode = false;
  let all = 0;
  let missing = 0;
  const isShown = ({ path, startLine, endLine }: Citation): boolean => {
    const ranges = byPath.get(path.replace(/^\.\//, "")) ?? [];
    const has = (line: number): boolean =>
      ranges.some((range) => line >= range.startLine && line <= range.endLine);
    return has(startLine) && has(endLine);
  };
  return {
    mark(line) {
      if (FENCE.test(line)) isCode = !isCode;
      if (shown === null || isCode || line.length > MAX_LINE_CHARS) return line;
      // Marks come after code spans, not into them. A space has the place of each backtick, so that places keep theirs.
      const marks: number[] = [];
      for (const { 0: text, index } of line.replaceAll("`", " ").matchAll(CITATION_IN_TEXT)) {
        const citation = parseCitation(text);
        if (citation === null || !LOOKS_LIKE_FILE.test(citation.path)) continue;
        all++;
        if (isShown(citation)) continue;
        missing++;
        const end = index + text.length;
        marks.push(end + (/^`+/.exec(line.slice(end))?.[0].length ?? 0));
      }
      return marks.reduceRight((marked, at) => `${marked.slice(0, at)}${MARK}${marked.slice(at)}`, line);
    },
    counts: () => ({ all, missing }),
  };
}
