/** Finds the code spans and the raw HTML in paragraphs. Pure, and linear: hostile text may consist of nothing but backticks. */

/** HTML whose text isn't prose, even in the next paragraphs. It goes on until it is closed, or to the end of the text. */
const RAW_START = /<!--|<(?:pre|code|script|style|textarea)(?=[\s/>])/gi;

/** Backticks beyond this many runs in a comment aren't paired. The rest of their paragraph then counts as code. */
const MAX_RUNS = 1_000;

const BACKTICK_CODE = 96;
const BACKSLASH_CODE = 92;

/** Paragraphs are entered in order, and offsets in them are asked about in order. */
export type SpanFinder = {
  enter(start: number, end: number): void;
  /** Whether the offset is in a span. */
  covers(offset: number): boolean;
  leave(): void;
};

/**
 * `isCut` if the text goes on: backticks in its last paragraph may be closed after it. The small functions inside share one position, so
 * they stay in one long function.
 */
export function createSpanFinder(text: string, isCut: boolean): SpanFinder {
  /** All text before it has been read. */
  let at = 0;
  let end = 0;
  /** The last span. */
  let spanStart = 0;
  let spanEnd = 0;
  /** The next ones from there. */
  let backtick = nextBacktick(text, 0);
  let raw = nextRaw(text, 0);
  let runs = 0;
  /** Where the last run of each length in the paragraph starts, once a search has reached its end. */
  let lastRuns: Map<number, number> | null = null;

  return {
    enter(start, paragraphEnd) {
      at = Math.max(start, spanEnd);
      end = paragraphEnd;
      lastRuns = null;
    },
    covers(offset) {
      readTo(offset);
      return spanStart < offset && offset < spanEnd;
    },
    leave() {
      // Raw HTML may go on after the paragraph, unless it is code itself. Code spans don't.
      if (raw < end) readTo(end);
    },
  };

  /** Reads spans until the next one starts at the offset or after it. */
  function readTo(offset: number): void {
    while (at < offset) {
      if (backtick < at) backtick = nextBacktick(text, at);
      if (raw < at) raw = nextRaw(text, at);
      const next = Math.min(backtick, raw, offset);
      const isLiteral = isEscaped(text, at, next);
      at = next;
      if (next === offset) return;
      if (isLiteral) at++;
      else if (next === raw) addSpan(rawEnd(text, next));
      else readRun();
    }
  }

  function readRun(): void {
    const after = runEnd(text, at);
    const closed = findRun(after - at, after);
    if (closed !== null) addSpan(closed);
    else at = after;
  }

  function addSpan(to: number): void {
    spanStart = at;
    spanEnd = to;
    at = to;
  }

  /** Returns where the next run of exactly this length ends. No length that doesn't occur again is searched for twice. */
  function findRun(length: number, from: number): number | null {
    const isUnfinished = isCut && end === text.length;
    const isAbsent = lastRuns !== null && (lastRuns.get(length) ?? -1) < from;
    if (isAbsent) return isUnfinished ? end : null;
    const seen = new Map<number, number>();
    for (let next = nextBacktick(text, from); next < end;) {
      if (++runs > MAX_RUNS) return end;
      const after = runEnd(text, next);
      if (after - next === length) return after;
      seen.set(after - next, next);
      next = nextBacktick(text, after);
    }
    lastRuns = seen;
    return isUnfinished ? end : null;
  }
}

function nextBacktick(text: string, from: number): number {
  const index = text.indexOf("`", from);
  return index === -1 ? text.length : index;
}

function nextRaw(text: string, from: number): number {
  // The search for a character is faster than the pattern.
  const bracket = text.indexOf("<", from);
  if (bracket === -1) return text.length;
  RAW_START.lastIndex = bracket;
  return RAW_START.exec(text)?.index ?? text.length;
}

function rawEnd(text: string, start: number): number {
  if (text[start + 1] === "!") {
    // `<!-->` is a whole comment.
    const closing = text.indexOf("-->", start + 2);
    return closing === -1 ? text.length : closing + 3;
  }
  const tag = /[a-z]+/i.exec(text.slice(start, start + 10))?.[0] ?? "";
  const closing = new RegExp(`</${tag}(?=[\\s>])`, "gi");
  closing.lastIndex = start;
  return closing.exec(text) === null ? text.length : closing.lastIndex;
}

/** An odd number of backslashes before a character makes it literal. */
function isEscaped(text: string, from: number, at: number): boolean {
  let first = at;
  while (first > from && text.charCodeAt(first - 1) === BACKSLASH_CODE) first--;
  return (at - first) % 2 === 1;
}

function runEnd(text: string, start: number): number {
  let end = start;
  while (text.charCodeAt(end) === BACKTICK_CODE) end++;
  return end;
}
