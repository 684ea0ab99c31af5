/** Finds lines of an earlier diff in the diff of this change, by their text. */
import { alignLines } from "../../base/align.ts";
import type { ChangedFile } from "./change.ts";
import { pairFiles } from "./compare-scope.ts";
import { walkHunk } from "./walk-hunks.ts";

/** Lines are 1-based and inclusive, counted on `side`. */
export type Place = {
  readonly path: string;
  readonly side: "new" | "old";
  readonly startLine: number;
  readonly endLine: number;
};

export type MappedPlace =
  /** All of its lines are still there. */
  | ({ readonly kind: "same" } & Place)
  /** Some lines were edited or removed. The place is where they were. */
  | ({ readonly kind: "changed" } & Place)
  /** The change no longer has the file, or nothing near these lines. */
  | { readonly kind: "gone" }
  /** The earlier diff can't be read any more, so the lines may be anywhere in the file. */
  | { readonly kind: "unknown"; readonly path: string };

/** Shorter code, with its neighbors, is too common to be recognized at another place. */
const MIN_MOVED_CHARS = 15;

/** Lines above and below that are compared. Code that needs more of them is all over the change. */
const MAX_NEIGHBORS = 3;

type SideLine = { readonly line: number; readonly text: string; readonly isChanged: boolean };

export function createPlaceMap(
  files: readonly ChangedFile[],
  earlier: readonly ChangedFile[],
): (place: Place) => MappedPlace {
  const now = new Map(
    [...pairFiles(files, earlier)].map(([file, before]) => [before.path, { file, before }]),
  );
  return (place) => {
    const pair = now.get(place.path);
    const before = pair?.before ?? earlier.find(({ path }) => path === place.path);
    if (before === undefined) return { kind: "gone" };
    const mapped =
      pair === undefined ? ({ kind: "gone" } as const) : mapWithin(place, pair.before, pair.file);
    return mapped.kind === "same"
      ? mapped
      : (findMoved(place, { files: earlier, own: before }, { files, own: pair?.file }) ?? mapped);
  };
}

function mapWithin(place: Place, before: ChangedFile, file: ChangedFile): MappedPlace {
  const { side } = place;
  // The memory of the command line keeps no lines of files that aren't reviewed, such as lock files.
  if (before.hunks.length === 0) return { kind: "unknown", path: file.path };
  const [old, current] = [sideLines(before, side), sideLines(file, side)];
  const from = alignLines(
    old.map(({ text }) => text),
    current.map(({ text }) => text),
  );
  const to = new Map(from.flatMap((index, position) => (index === -1 ? [] : [[index, position]])));
  const wanted = old.flatMap(({ line }, index) =>
    line >= place.startLine && line <= place.endLine ? [index] : [],
  );
  const [first, last] = [wanted[0], wanted.at(-1)];
  if (first === undefined || last === undefined) return { kind: "gone" };
  const found = wanted.flatMap((index) => to.get(index) ?? []);
  const at = (start: number | undefined, end: number | undefined): Place | null => {
    const [from_, to_] = [current[start ?? -1], current[end ?? -1]];
    if (from_ === undefined || to_ === undefined || to_.line < from_.line) return null;
    return { path: file.path, side, startLine: from_.line, endLine: to_.line };
  };
  const whole = found.length === wanted.length ? at(found[0], found.at(-1)) : null;
  if (whole !== null && whole.endLine - whole.startLine === place.endLine - place.startLine)
    return { kind: "same", ...whole };
  // The lines between the nearest ones that are still there.
  const [above, below] = [nearest(to, first, -1, old.length), nearest(to, last, 1, old.length)];
  const near = at((above ?? -1) + 1, (below ?? current.length) - 1) ?? at(above ?? below, below ?? above);
  return near === null ? { kind: "gone" } : { kind: "changed", ...near };
}

function nearest(
  to: ReadonlyMap<number, number>,
  from: number,
  step: 1 | -1,
  length: number,
): number | undefined {
  for (let index = from + step; index >= 0 && index < length; index += step) {
    const position = to.get(index);
    if (position !== undefined) return position;
  }
  return undefined;
}

/**
 * The same code in the diff of its file, or among the changed lines of any file. Neighbors tell short and repeated code apart: with as
 * many of them as needed, the code must be there exactly once, before and now.
 */
function findMoved({ side, startLine, endLine }: Place, was: Searched, is: Searched): MappedPlace | null {
  const lines = was.own === undefined ? [] : sideLines(was.own, side);
  const code: Spot = { path: "", lines, at: lines.findIndex(({ line }) => line === startLine) };
  const length = endLine - startLine + 1;
  if (code.at === -1 || textsAt(code, 0, length).includes(null)) return null;
  let [before, now] = [spotsOf(code, length, side, was), spotsOf(code, length, side, is)];
  for (let neighbors = 0; neighbors <= MAX_NEIGHBORS; neighbors++) {
    const wanted = textsAt(code, -neighbors, length + neighbors);
    const isHere = (spot: Spot): boolean =>
      textsAt(spot, -neighbors, length + neighbors).every(
        (text, index) => text === wanted[index] || wanted[index] === null,
      );
    [before, now] = [before.filter(isHere), now.filter(isHere)];
    const [moved] = now;
    if (moved === undefined) return null;
    if (wanted.join("").length < MIN_MOVED_CHARS || before.length > 1 || now.length > 1) continue;
    const line = moved.lines[moved.at]?.line ?? 0;
    return { kind: "same", path: moved.path, side, startLine: line, endLine: line + length - 1 };
  }
  return null;
}

/** `own` is the file of the place. */
type Searched = { readonly files: readonly ChangedFile[]; readonly own: ChangedFile | undefined };

/** A line of a file's diff, as an index. */
type Spot = { readonly path: string; readonly lines: readonly SideLine[]; readonly at: number };

/** Where code of this length may be: its first line is the same. */
function spotsOf(code: Spot, length: number, side: Place["side"], { files, own }: Searched): readonly Spot[] {
  const first = code.lines[code.at]?.text.trim() ?? "";
  return files.flatMap((file) => {
    // Most files don't have it, and searching is faster than counting lines.
    if (!file.hunks.some((hunk) => hunk.lines.some((line) => line.includes(first)))) return [];
    const lines = sideLines(file, side);
    return lines.flatMap(({ text }, at): readonly Spot[] => {
      const isOurs = file === own || lines.slice(at, at + length).every(({ isChanged }) => isChanged);
      return isOurs && text.trim() === first ? [{ path: file.path, lines, at }] : [];
    });
  });
}

/** The texts of lines around a spot; null for those that the diff doesn't have. */
function textsAt({ lines, at }: Spot, from: number, to: number): readonly (string | null)[] {
  return Array.from({ length: to - from }, (_, index) => {
    const line = lines[at + from + index];
    return line?.line === (lines[at]?.line ?? 0) + from + index ? line.text.trim() : null;
  });
}

function sideLines({ hunks }: ChangedFile, side: Place["side"]): readonly SideLine[] {
  return hunks.flatMap((hunk) =>
    walkHunk(hunk).flatMap(({ text, oldLine, newLine, kind }) => {
      const line = side === "new" ? newLine : oldLine;
      return line === null ? [] : [{ line, text, isChanged: kind !== "context" }];
    }),
  );
}
