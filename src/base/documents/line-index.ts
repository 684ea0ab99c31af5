/** Translates offsets of a text into line numbers. */
export type LineIndex = {
  /** 1-based line of an offset. */
  readonly lineAt: (offset: number) => number;
};

export function createLineIndex(text: string): LineIndex {
  const ends: number[] = [];
  for (let at = text.indexOf("\n"); at !== -1; at = text.indexOf("\n", at + 1)) ends.push(at);
  return {
    lineAt(offset) {
      let low = 0;
      let high = ends.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if ((ends[middle] ?? 0) < offset) low = middle + 1;
        else high = middle;
      }
      return low + 1;
    },
  };
}

/** The lines of a file, without its byte order mark. */
export const linesIn = (text: string): readonly string[] => text.replace(/^\uFEFF/, "").split("\n");

/** Within a part of a text. Searching for newlines would go on behind the part, each time. */
export function countNewlines(text: string, start: number, end: number): number {
  let lines = 0;
  for (let at = start; at < end; at += 1) {
    if (text.charCodeAt(at) === 10) lines += 1;
  }
  return lines;
}
