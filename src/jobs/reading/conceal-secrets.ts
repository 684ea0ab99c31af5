/**
 * Takes secrets out of what is kept about a change, and finds quoted lines again in the change itself: the change has them
 * anyway, the database need not.
 */
import type { Change, ChangedFile, Hunk } from "../../review/change/change.ts";
import { walkHunk } from "../../review/change/walk-hunks.ts";
import type { Finding } from "../../review/findings/finding.ts";
import { findSecrets } from "../../base/secrets/find-secrets.ts";
import { type SecretSpan, withoutOverlaps } from "../../base/secrets/secret-span.ts";

/** Shorter parts of a secret are found all over a text, and give nothing away. */
const MIN_VALUE_CHARS = 8;

export type Concealer = {
  /** The text with stars instead of what is secret, of the same length and with the same lines. */
  readonly conceal: (text: string) => string;
  /**
   * The lines of a file that were concealed as this text: of several the nearest to where they are said to stand. The text
   * itself when there are none.
   */
  readonly restore: (concealed: string, place: Pick<Finding, "path" | "lineHint">) => string;
};

export type ConcealerOptions = {
  /** Secrets that are known from elsewhere; see `secretValuesIn`. */
  readonly moreValues?: ReadonlySet<string>;
  /** Each secret has its number among its stars, so that lines which hold nothing else are told apart. */
  readonly isNumbered?: boolean;
};

export function createConcealer(
  { files }: Pick<Change, "files">,
  { moreValues = new Set(), isNumbered = false }: ConcealerOptions = {},
): Concealer {
  const values = longestFirst([...secretValuesOf(files), ...moreValues]);
  const numbers = new Map(isNumbered ? values.map((value, index) => [value, index + 1]) : []);
  const conceal = (text: string): string =>
    star(text, [...findSecrets(text), ...occurrencesOf(values, text)], numbers);
  return {
    conceal,
    restore(concealed, { path, lineHint }) {
      if (!concealed.includes("*")) return concealed;
      const wanted = trimmed(concealed.split("\n"));
      const candidates = sidesOf(files.filter((file) => file.path === path || file.oldPath === path))
        .flatMap((side) => windowsOf(side, wanted.length))
        .filter(({ lines }) => isConcealedAs(trimmed(lines), wanted, conceal))
        .map((window) => ({ ...window, distance: Math.abs(window.start - (lineHint ?? 0)) }))
        .toArray()
        .toSorted((a, b) => a.distance - b.distance);
      return candidates[0]?.lines.join("\n") ?? concealed;
    },
  } satisfies Concealer;
}

/** Whoever quotes leaves out the indentation now and then. */
function trimmed(lines: readonly string[]): readonly string[] {
  return lines.map((line) => line.trim());
}

function isConcealedAs(
  lines: readonly string[],
  wanted: readonly string[],
  conceal: (text: string) => string,
): boolean {
  // Looking for secrets is slow; nearly all lines have another length.
  if (lines.some((line, index) => line.length !== wanted[index]?.length)) return false;
  return conceal(lines.join("\n")) === wanted.join("\n");
}

/** Lines that follow each other, and the number of the first. */
type Lines = { readonly start: number; readonly lines: readonly string[] };

/** Each hunk as it was and as it is. */
function* sidesOf(files: readonly ChangedFile[]): Generator<Lines> {
  for (const hunk of files.flatMap(({ hunks }) => hunks)) {
    yield { start: hunk.oldStart, lines: sideOf(hunk, "added") };
    yield { start: hunk.newStart, lines: sideOf(hunk, "removed") };
  }
}

function sideOf(hunk: Hunk, other: "added" | "removed"): readonly string[] {
  return [...walkHunk(hunk)].filter(({ kind }) => kind !== other).map(({ text }) => text);
}

function* windowsOf({ start, lines }: Lines, size: number): Generator<Lines> {
  for (let index = 0; index + size <= lines.length; index++)
    yield { start: start + index, lines: lines.slice(index, index + size) };
}

function secretValuesOf(files: readonly ChangedFile[]): readonly string[] {
  return [...sidesOf(files)].flatMap(({ lines }) => secretValuesIn(lines.join("\n")));
}

/** Line by line, since a line of a key that is quoted alone does not look like one. */
export function secretValuesIn(text: string): readonly string[] {
  return findSecrets(text).flatMap(({ start, end }) =>
    text
      .slice(start, end)
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line.length >= MIN_VALUE_CHARS),
  );
}

function longestFirst(values: readonly string[]): readonly string[] {
  return [...new Set(values)].toSorted((a, b) => b.length - a.length);
}

function* occurrencesOf(values: readonly string[], text: string): Generator<SecretSpan> {
  for (const value of values) {
    for (let at = text.indexOf(value); at !== -1; at = text.indexOf(value, at + value.length))
      yield { kind: "known", start: at, end: at + value.length };
  }
}

function star(text: string, spans: readonly SecretSpan[], numbers: ReadonlyMap<string, number>): string {
  let starred = "";
  let from = 0;
  for (const { start, end } of withoutOverlaps(spans)) {
    // Indentation stays, so that a line looks the same alone and within its file.
    const stars = text
      .slice(start, end)
      .replace(/\S(?:[^\n]*\S)?/g, (secret) => starsFor(secret, numbers.get(secret)));
    starred += text.slice(from, start) + stars;
    from = end;
  }
  return starred + text.slice(from);
}

function starsFor({ length }: string, number: number | undefined): string {
  if (number === undefined) return "*".repeat(length);
  return `*${number}`.padEnd(length, "*").slice(0, length);
}
