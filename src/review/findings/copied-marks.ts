/**
 * Takes off what models copy along with code: fences, quotation marks, the gutter and the signs of a diff. Each function gives the
 * text without its kind of mark, or null when there is none. Whether the mark was code after all, the caller knows.
 */

/** The new and the old side of lines with the signs of a diff. */
export type SignedLines = {
  /** Added lines and those without a sign; empty when no line was added. */
  readonly added: readonly string[];
  /** Removed lines and those without a sign; empty when no line was removed. */
  readonly removed: readonly string[];
  /** All lines, when only the first one's sign need be one. */
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

/** Headers of a file or a hunk in a diff. */
export function withoutHeaders(lines: readonly string[]): readonly string[] | null {
  const code = lines.filter((line) => !HEADER.test(line));
  return code.length === lines.length || code.length === 0 ? null : code;
}

/** Backticks or quotation marks around the whole, or around each line; or the sign of a Markdown quote before each. */
export function withoutWrapping(lines: readonly string[]): readonly string[] | null {
  const said = lines.filter((line) => line.trim() !== "");
  if (said.length > 0 && said.every((line) => /^\s*>/.test(line)))
    return lines.map((line) => line.replace(/^\s*> ?/, ""));
  if (said.length > 1 && said.every((line) => unwrap(line) !== null))
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

/** `13: `, `13→`, `L13:`, `[13]`, `Line 13:`, `+13`, `12   13 |`, `13<tab>`. No part of it can be read in two ways. */
const GUTTER =
  /^[ \t]{0,20}(?<sign>[+-]?)(?:Line |line |L|\[|\()?(?<old>\d{1,7})(?: {1,20}(?<new>\d{1,7}))?[\])]?(?:\t|\.(?=\s)|[ \t]{0,20}[:|→│]| )(?<code>.*)$/;

export type Numbered = { readonly lines: readonly string[]; readonly firstNumber: number };

/** Numbers before each line that has text, or before the first one only. They must go upwards. */
export function withoutGutter(lines: readonly string[]): Numbered | null {
  const said = lines.filter((line) => line.trim() !== "");
  const [first] = said;
  const numbers = said.map((line) => numberOf(line));
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

/** Every line that has text must have a sign, or begin with the space of a line that wasn't changed; or the first has one. */
export function withoutSigns(lines: readonly string[]): SignedLines | null {
  const said = lines.filter((line) => line.trim() !== "");
  const isDiff = said.every((line) => SIGNED.test(line) || /^[ \t]/.test(line));
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
