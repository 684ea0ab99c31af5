/**
 * Finds the bodies of private keys, line by line: also in listings with numbers and markers before each line, in changes
 * where one key replaces another, and in parts of a file that show only the end of a key.
 */
import { type SecretSpan, withoutOverlaps } from "./secret-span.ts";
import { entropyBits, isMixed } from "./secret-values.ts";
import { isEncodedText } from "./value-strength.ts";

const BORDER = /-----(BEGIN|END) [A-Z ]{0,20}PRIVATE KEY(?: BLOCK)?/g;
/** The longest keys in use have about a hundred lines; a change may show two of them. */
const MAX_KEY_LINES = 250;
/** Headers (`Proc-Type:`) and empty lines may precede a key's body; more lines without base64 end it. */
const MAX_LINES_BETWEEN = 3;
/** Longer runs are matched in pieces: an unlimited expression would overflow its stack. */
const BASE64 = /[A-Za-z0-9+/=]{16,100000}/g;
/** Code about keys continues with names; a key continues with a line that doesn't look like a name. */
const MIN_FIRST_LINE_CHARS = 40;
/** The last line of a body may have any length. */
const LAST_LINE = /(?<![A-Za-z0-9+/=])[A-Za-z0-9+/]{2,15}={0,2}(?=["'`,;\s\\]*$)/g;

type Line = { readonly start: number; readonly text: string };

/** Every line of a key that the text shows, with or without its borders. */
export function findKeyLines(text: string): readonly SecretSpan[] {
  return withoutOverlaps([...findKeyBodies(text), ...findLoneKeyLines(text)]);
}

/** One span per run of base64; none crosses a line. Linear: text between two borders is scanned once. */
function findKeyBodies(text: string): readonly SecretSpan[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const borders = [...text.matchAll(BORDER)].map(({ 0: found, 1: kind, index }) => ({
    isBegin: kind === "BEGIN",
    start: index,
    end: index + found.length,
  }));
  return borders.flatMap(({ isBegin, start, end }, at) => {
    if (isBegin) return bodyAfter(bodyLinesIn(text, end, borders[at + 1]?.start ?? text.length));
    const before = borders[at - 1];
    return before?.isBegin === true ? [] : bodyBefore(bodyLinesIn(text, before?.end ?? 0, start));
  });
}

/** None in a text that has no room for the first line of a body. */
function bodyLinesIn(text: string, from: number, to: number): readonly Line[] {
  return to - from < MIN_FIRST_LINE_CHARS ? [] : linesIn(text, from, to);
}

function linesIn(text: string, from: number, to: number): readonly Line[] {
  let start = from;
  return text
    .slice(from, to)
    .split("\n")
    .map((line) => {
      const placed = { start, text: line };
      start += line.length + 1;
      return placed;
    });
}

function bodyAfter(lines: readonly Line[]): readonly SecretSpan[] {
  const spans: SecretSpan[] = [];
  /** Numbers and names occur there too: only a long line starts a body, and a short one ends it. */
  let isInside: boolean = false;
  let between = 0;
  for (const line of lines.slice(0, MAX_KEY_LINES)) {
    const candidates = runsIn(line, BASE64);
    const long: readonly Line[] = isInside ? candidates : candidates.filter(isFirstLine);
    const runs: readonly Line[] = long.length === 0 && isInside ? runsIn(line, LAST_LINE) : long;
    for (const run of runs) spans.push(toSpan(run));
    // Another key may follow the last line, where a change replaced the key.
    isInside = long.length > 0 || (isInside && runs.length === 0);
    between = runs.length === 0 ? between + 1 : 0;
    if (between > MAX_LINES_BETWEEN) break;
  }
  return spans;
}

/** The end of a key whose start isn't shown, from its last line upwards. */
function bodyBefore(lines: readonly Line[]): readonly SecretSpan[] {
  const found: Line[] = [];
  let between = 0;
  for (const line of lines.slice(-MAX_KEY_LINES).toReversed()) {
    const long = runsIn(line, BASE64);
    const runs = long.length === 0 && found.length === 0 ? runsIn(line, LAST_LINE) : long;
    for (const run of runs) found.push(run);
    between = runs.length === 0 ? between + 1 : 0;
    if (between > MAX_LINES_BETWEEN || (runs.length === 0 && found.length > 0)) break;
  }
  return found.some(isFirstLine) ? found.map(toSpan).toReversed() : [];
}

function runsIn({ start, text }: Line, expression: RegExp): readonly Line[] {
  return [...text.matchAll(expression)].map(({ 0: run, index }) => {
    // A plus may be the marker of an added line, an n the end of an escaped line end.
    const marker = run.startsWith("+") || (text[index - 1] === "\\" && /^[nr]/.test(run)) ? 1 : 0;
    return { start: start + index + marker, text: run.slice(marker) };
  });
}

function toSpan({ start, text }: Line): SecretSpan {
  return { kind: "private-key", start, end: start + text.length };
}

function isFirstLine({ text }: Line): boolean {
  return text.length >= MIN_FIRST_LINE_CHARS && isMixed(text);
}

/** A line of base64 as keys have them, alone, in quotes, or with an escaped line end. */
const LONE_LINE =
  /^(?:[ \d]{1,20}\|)?[+-]?[ \t]{0,60}["'`]?(?<run>[A-Za-z0-9+/]{60,80}={0,2})(?:\\r)?(?:\\n)?["'`]?[ \t]{0,20}[+.,;\\]?[ \t]{0,20}\r?$/;
/** With numbers, indentation and quotes around 80 characters of base64. */
const MAX_LONE_LINE_CHARS = 220;
/** A key that starts after its name: `key: MIIE…`. */
const FIRST_LINE = /[A-Za-z0-9+/]{40,80}(?=(?:\\r)?(?:\\n)?["'`+.,;\\\s]*$)/g;
/** Two lines of the same length in a row are no coincidence. */
const MIN_LONE_LINES = 2;
/** 64 random characters of base64 have about 5.2 bits each, names in a row less than 4.5. */
const MIN_LONE_BITS = 4.6;
/** Other base64 with a known header: a certificate, a public key, a signature, an image. */
const NO_KEY =
  /BEGIN (?!.*PRIVATE)|END (?!.*PRIVATE)|certificate|public(?!-Lines)|signature|base64,|data:|image|font/i;
const NO_KEY_START =
  /^(?:iVBORw0|\/9j\/|R0lGOD|UklGR|d09G|H4sI|UEsDB|JVBERi|AAEAAAA|MIIBIjANBgkq|MIICIjANBgkq|MIGfMA0GCSq|MFkwEwYHKoZI|MII[A-Za-z0-9+/]{5,9}gAwIBAgI)/;
/** Lines that may be between a border and its body: headers and an empty line. */
const MAX_HEADER_LINES = 3;

/** The middle of a key, without its first and last line. Only borders distinguish it from a certificate. */
function findLoneKeyLines(text: string): readonly SecretSpan[] {
  const lines = linesIn(text, 0, text.length);
  const spans: SecretSpan[] = [];
  let from = 0;
  while (from < lines.length) {
    const body: Line[] = [];
    for (let run = loneRun(lines[from]); run !== null; run = loneRun(lines[from + body.length]))
      body.push(run);
    const after = lines[from + body.length];
    if (
      body.length >= MIN_LONE_LINES &&
      isLoneKey(body, lines.slice(Math.max(0, from - MAX_HEADER_LINES), from), after)
    ) {
      const before = lines[from - 1];
      const first = before === undefined ? [] : runsIn(before, FIRST_LINE);
      const last = after === undefined ? [] : runsIn(after, LAST_LINE);
      for (const run of [...first, ...body, ...last]) spans.push(toSpan(run));
    }
    from += body.length + 1;
  }
  return spans;
}

function loneRun(line: Line | undefined): Line | null {
  const run =
    line === undefined || line.text.length > MAX_LONE_LINE_CHARS
      ? undefined
      : LONE_LINE.exec(line.text)?.groups?.["run"];
  return line === undefined || run === undefined
    ? null
    : { start: line.start + line.text.indexOf(run), text: run };
}

function isLoneKey(body: readonly Line[], before: readonly Line[], after: Line | undefined): boolean {
  const [first, second] = body;
  if (first === undefined || second === undefined || NO_KEY_START.test(first.text)) return false;
  // The nearest line decides: a public key may follow a private one.
  const nearest = before.findLast(({ text }) => NO_KEY.test(text) || /private/i.test(text));
  if (
    (nearest !== undefined && NO_KEY.test(nearest.text)) ||
    (after !== undefined && NO_KEY.test(after.text))
  )
    return false;
  if (isEncodedText(body.map(({ text }) => text).join(""))) return false;
  return (
    first.text.length === second.text.length &&
    body.every(({ text }) => isMixed(text) && entropyBits(text) >= MIN_LONE_BITS)
  );
}
