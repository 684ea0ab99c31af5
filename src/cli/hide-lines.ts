/**
 * Replaces the code of a remembered diff with hashes, so that no secret of a change stays behind after its author has removed it.
 * A review that has the same lines gets their text back, and compares original text with original text.
 */
import { hashTexts } from "../base/hash.ts";
import type { ChangedFile, Hunk } from "../review/change/change.ts";

/** Shorter texts stay as they are: they are mostly brackets, and no secret is that short. */
const MIN_HIDDEN_CHARS = 8;

/** With 128 bits, an author can't find two lines with the same hash, to have one read and commit the other. */
const HASH_CHARS = 32;

/** A line of a diff has no line feed, so a hash with one after its first digit equals no line. At an end it would be trimmed. */
const UNKNOWN = "\n";

export type LineHiding = {
  /** The files without code. Files that were revealed before may be among them. */
  hide(files: readonly ChangedFile[]): readonly ChangedFile[];
  /** The hidden files with the text of all lines that `known` has. The other lines stay hidden, and equal none. */
  reveal(hidden: readonly ChangedFile[], known: readonly ChangedFile[]): readonly ChangedFile[];
};

/** Each distinct text is hashed once, however often files are hidden and revealed. */
export function createLineHiding(): LineHiding {
  const hashes = new Map<string, string>();

  function addHashes(files: readonly ChangedFile[]): void {
    const texts = new Set<string>();
    for (const { hunks } of files) {
      for (const { lines } of hunks) {
        for (const line of lines) {
          const text = textOf(line);
          if (isHidden(text) && !text.includes(UNKNOWN) && !hashes.has(text)) texts.add(text);
        }
      }
    }
    for (const [text, hash] of hashTexts(texts, HASH_CHARS)) hashes.set(text, hash);
  }

  return {
    hide(files) {
      addHashes(files);
      return mapTexts(files, (text) => hashes.get(text) ?? text.replace(UNKNOWN, ""));
    },
    reveal(hidden, known) {
      addHashes(known);
      const texts = new Map(Array.from(hashes, ([text, hash]) => [hash, text]));
      return mapTexts(hidden, (hash) => texts.get(hash) ?? `${hash.slice(0, 1)}${UNKNOWN}${hash.slice(1)}`);
    },
  };
}

function isHidden(text: string): boolean {
  return text.length >= MIN_HIDDEN_CHARS;
}

/** Without the sign, and without the blanks at both ends, which stay readable. */
function textOf(line: string): string {
  return line.slice(1).trim();
}

function mapTexts(files: readonly ChangedFile[], map: (text: string) => string): readonly ChangedFile[] {
  const mapLine = (line: string): string => {
    const text = textOf(line);
    if (!isHidden(text)) return line;
    const start = line.indexOf(text, 1);
    return `${line.slice(0, start)}${map(text)}${line.slice(start + text.length)}`;
  };
  // The heading of a hunk is code too, and nothing is compared with it.
  const mapHunk = (hunk: Hunk): Hunk => ({ ...hunk, section: "", lines: hunk.lines.map(mapLine) });
  return files.map((file) => ({ ...file, hunks: file.hunks.map(mapHunk) }));
}
