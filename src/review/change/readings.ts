/**
 * Records which model has read the changed lines of a diff. A run leaves this for the runs after it, whose models read only the rest.
 * Rules and linters read everything every time, so nothing is recorded for them.
 */
import type { ChangedFile, Hunk } from "./change.ts";

export type ModelReading = { readonly id: string; readonly head: string };

/** Null: no model has read the line. */
export type LineReading = { readonly model: ModelReading | null };

export const UNREAD: LineReading = { model: null };

/** Stands for the commit of a change in the working tree, which has none. */
export const UNCOMMITTED = "uncommitted";

/** Consecutive changed lines with the same reading. */
type ReadingSpan = { readonly lines: number; readonly reading: LineReading };

export type Readings = {
  /** Most files of a review are read by the same model. */
  readonly usual: LineReading;
  /** The files with other readings, each with those of all its changed lines in order. */
  readonly others: readonly { readonly path: string; readonly spans: readonly ReadingSpan[] }[];
};

/** The readings of each changed line. */
export type FileReadings = { readonly path: string; readonly readings: readonly LineReading[] };

export function isChangedLine(line: string): boolean {
  return line[0] !== " ";
}

export function changedLinesOf({ lines }: Hunk): readonly string[] {
  return lines.filter(isChangedLine);
}

/** The readings of a file's changed lines, in order. A file that was read in another form counts as not read. */
export function readingsOf(file: ChangedFile, { usual, others }: Readings): readonly LineReading[] {
  const changed = file.hunks.reduce((sum, hunk) => sum + changedLinesOf(hunk).length, 0);
  const other = others.find(({ path }) => path === file.path);
  if (other === undefined) return Array.from({ length: changed }, () => usual);
  const listed = other.spans.flatMap(({ lines, reading }) => Array.from({ length: lines }, () => reading));
  return listed.length === changed ? listed : Array.from({ length: changed }, () => UNREAD);
}

/** Finds the most common reading, and lists the files that differ from it. */
export function packReadings(files: readonly FileReadings[]): Readings {
  const uniform = files.flatMap(({ readings }) => {
    const [first] = readings;
    return first !== undefined && readings.every((each) => isSameReading(each, first)) ? [first] : [];
  });
  const groups = Map.groupBy(uniform, (reading) => JSON.stringify(reading));
  const [most] = [...groups.values()].toSorted((a, b) => b.length - a.length);
  const usual = most?.[0] ?? UNREAD;
  const others = files
    .filter(({ readings }) => !readings.every((each) => isSameReading(each, usual)))
    .map(({ path, readings }) => ({ path, spans: toSpans(readings) }));
  return { usual, others };
}

function toSpans(readings: readonly LineReading[]): readonly ReadingSpan[] {
  const spans: ReadingSpan[] = [];
  for (const reading of readings) {
    const last = spans.at(-1);
    if (last !== undefined && isSameReading(last.reading, reading))
      spans[spans.length - 1] = { ...last, lines: last.lines + 1 };
    else spans.push({ lines: 1, reading });
  }
  return spans;
}

function isSameReading(a: LineReading, b: LineReading): boolean {
  return a === b || (a.model?.id === b.model?.id && a.model?.head === b.model?.head);
}
