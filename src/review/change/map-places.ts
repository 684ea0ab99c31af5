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

/** Shorter code is too common to be recognized in another file. */
const MIN_MOVED_CHARS = 15;

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
    return mapped.kind === "same" ? mapped : (findMoved(place, { before, now: pair?.file }, files) ?? mapped);
  };
}

function mapWithin(place: Place, before: ChangedFile, file: ChangedFile): MappedPlace {
  const { side } = place;
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

/** The same code in the diff of its file, or among the changed lines of any file, if it's there exactly once. */
function findMoved(
  place: Place,
  { before, now }: { readonly before: ChangedFile; readonly now: ChangedFile | undefined },
  files: readonly ChangedFile[],
): MappedPlace | null {
  const lines = sideLines(before, place.side)
    .filter(({ line }) => line >= place.startLine && line <= place.endLine)
    .map(({ text }) => text.trim());
  const isWhole = lines.length === place.endLine - place.startLine + 1;
  if (!isWhole || lines.join("").length < MIN_MOVED_CHARS) return null;
  const found = files.flatMap((file) => {
    const current = sideLines(file, place.side).filter(({ isChanged }) => isChanged || file === now);
    return current.flatMap(({ line }, index): readonly MappedPlace[] => {
      const isHere = lines.every((text, offset) => {
        const other = current[index + offset];
        return other?.text.trim() === text && other.line === line + offset;
      });
      const endLine = line + lines.length - 1;
      return isHere ? [{ kind: "same", path: file.path, side: place.side, startLine: line, endLine }] : [];
    });
  });
  return found.length === 1 ? (found[0] ?? null) : null;
}

function sideLines({ hunks }: ChangedFile, side: Place["side"]): readonly SideLine[] {
  return hunks.flatMap((hunk) =>
    [...walkHunk(hunk)].flatMap(({ text, oldLine, newLine, kind }) => {
      const line = side === "new" ? newLine : oldLine;
      return line === null ? [] : [{ line, text, isChanged: kind !== "context" }];
    }),
  );
}
