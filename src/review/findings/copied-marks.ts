/**
 * Removes marks that models copy along with code: fences, quotation marks, the gutter and diff signs. Each function returns the
 * text without its kind of mark, or null when there is none. The caller decides whether the mark was code after all.
 */

/** The new and the old side of lines with the signs of a diff. */
export type SignedLines = {
  /** Added lines and lines without a sign; empty when no line was added. */
  readonly added: readonly string[];
  /** Removed lines and lines without a sign; empty when no line was removed. */
  readonly removed: readonly string[];
  /** All lines, read as if only the first had a sign. */
  readonly firstOnly: readonly string[] | null;
};

const FENCE = /^\s*(`{3,}|~{3,})\s*[\w+#.-]*\s*$/;
const HEADER = /^(?:@@ .{0,40}@@.*|diff --git .*|index [0-9a-f]+\.\..*|(?:---|\+\+\+) [ab]\/.*)$/;
const WRAPPINGS = ["`", '"', "'", "“”", "``"];

export function withoutFence(lines: readonly string[]): readonly string[] | null {
  const opening = FENCE.exec(lines[0] ?? "");
  if (opening === null) return null;
  const isClosed = lines.length > 1 && (lines.at(-1) ?? "").trim() === opening[1];
  return lines.slice(1, isClosed ? -1 : undefined);
}

/** Without the headers of files and hunks in a diff. */
export function withoutHeaders(lines: readonly string[]): readonly string[] | null {
  const code = lines.filter((line) => !HEADER.test(line));
  return code.length === lines.length || code.length === 0 ? null : code;
}

/** Backticks or quotation marks around the whole text or each line, or the `>` of a Markdown quote before each line. */
export function withoutWrapping(lines: readonly string[]): readonly string[] | null {
  const texts = lines.filter((line) => line.trim() !== "");
  if (texts.length > 0 && texts.every((line) => /^\s*>/.test(line)))
    return lines.map((line) => line.replace(/^\s*> ?/, ""));
  if (texts.length > 1 && texts.every((line) => unwrap(line) !== null))
    return lines.map((line) => unwrap(line) ?? line);
  return unwrap(lines.join("\n"))?.split("\n") ?? null;
}

function unwrap(text: string): string | null {
  const bare = text.trim();
  for (const marks of WRAPPINGS) {
    const [open, close] = marks === "“”" ? ["“", "”"] : [marks, marks];
    if (open === undefined || close === undefined || bare.length < open.length + close.length) continue;
    if (bare.startsWith(open) && bare.endsWith(close)) return bare.slice(open.length, -close.length);
  }
  return null;
}

/** `13: `, `13→`, `L13:`, `[13]`, `Line 13:`, `+13`, `13+`, `12   13 |`, `13<tab>`. Unambiguous, so that matching is linear. */
const GUTTER =
  /^[ \t]{0,20}(?<sign>[+-]?)(?:Line |line |L|\[|\()?(?<old>\d{1,7})(?: {1,20}(?<new>\d{1,7}))?[\])]?(?:\t|\.(?=\s)|[ \t]{0,20}[:|→│]| |(?=[+-]))(?<code>.*)$/;

export type Numbered = { readonly lines: readonly string[]; readonly firstNumber: number };

/** Line numbers before each non-blank line, or before the first only. They must increase. */
export function withoutGutter(lines: readonly string[]): Numbered | null {
  const texts = lines.filter((line) => line.trim() !== "");
  const [first] = texts;
  const numbers = texts.map((line) => numberOf(line));
  const [firstNumber] = numbers;
  if (first === undefined || firstNumber === undefined || firstNumber === null) return null;
  const isEach = numbers.every(
    (number, at) => number !== null && (at === 0 || number > (numbers[at - 1] ?? 0)),
  );
  if (!isEach && numbers.slice(1).some((number) => number !== null)) return null;
  return { lines: lines.map((line) => (isEach || line === first ? codeOf(line) : line)), firstNumber };
}

function numberOf(line: string): number | null {
  const groups = GUTTER.exec(line)?.groups;
  return groups === undefined ? null : Number(groups["new"] ?? groups["old"]);
}

function codeOf(line: string): string {
  const groups = GUTTER.exec(line)?.groups;
  return groups === undefined ? line : `${groups["sign"] ?? ""}${groups["code"] ?? ""}`;
}

const SIGNED = /^[ \t]{0,3}([+-])(.*)$/;

/** Every non-blank line must have a sign or begin with the space of an unchanged line; or only the first has a sign. */
export function withoutSigns(lines: readonly string[]): SignedLines | null {
  const texts = lines.filter((line) => line.trim() !== "");
  const isDiff = texts.every((line) => SIGNED.test(line) || /^[ \t]/.test(line));
  const [first = "", ...rest] = lines;
  const bare = SIGNED.exec(first)?.[2];
  const firstOnly = bare === undefined || rest.length === 0 ? null : [bare, ...rest];
  const [added, removed] = isDiff ? [sideOf("+", lines), sideOf("-", lines)] : [[], []];
  return added.length + removed.length === 0 && firstOnly === null ? null : { added, removed, firstOnly };
}

function sideOf(sign: string, lines: readonly string[]): readonly string[] {
  if (!lines.some((line) => SIGNED.exec(line)?.[1] === sign)) return [];
  return lines.flatMap((line) => {
    const signed = SIGNED.exec(line);
    if (signed === null) return [line.startsWith(" ") ? line.slice(1) : line];
    return signed[1] === sign ? [signed[2] ?? ""] : [];
  });
}
