/**
 * Judges a scope by membership: with unique lines, a changed line was in an earlier diff or it wasn't, and no alignment is needed to
 * know.
 */
import type { ChangedFile } from "../../src/review/change/change.ts";
import { changedLinesOf, isChangedLine } from "../../src/review/change/readings.ts";
import type { Scope } from "../../src/review/change/scope.ts";

/** `fileOf` identifies a file whatever its path is. */
export type JudgedDiff = {
  readonly files: readonly ChangedFile[];
  readonly fileOf: (path: string) => number | undefined;
  /** The lines of a file at the base and at the head. */
  readonly baseLines: (file: number | undefined) => readonly string[];
  readonly headLines: (file: number | undefined) => readonly string[];
};

/**
 * missed: a line that no earlier run had counts as read; or the hunk lost a neighbor or was rearranged, and all of it counts as read.
 * reread: the hunk is unchanged, but has unread lines. moved: all lines were read elsewhere; either answer is right.
 */
export type Verdict = "missed" | "reread" | "moved and unread" | "moved and read" | "right";

/** Larger blocks that move as a whole count as read. */
const MIN_MOVED_LINES = 3;

type Spot = {
  readonly file: number | undefined;
  readonly path: string;
  readonly position: number;
  readonly hunk: readonly string[];
};

/** `earlier` is ordered newest first. */
export function judgeScope(
  current: JudgedDiff,
  earlier: readonly JudgedDiff[],
  { byPath }: Scope,
): readonly { readonly verdict: Verdict; readonly path: string; readonly hunk: readonly string[] }[] {
  const { files, fileOf } = current;
  const [newest, ...older] = earlier.map(spotsOf);
  const now = spotsOf(current);
  const changed = [newest, ...older].map((spots) => new Set([...now.keys(), ...(spots?.keys() ?? [])]));
  if (newest === undefined) return [];
  return files.flatMap(({ path, hunks }) => {
    const file = fileOf(path);
    const ordered = hunks.flatMap(changedLinesOf);
    const crossing = crossingLines(ordered, (text) => {
      const spot = newest.get(text);
      return spot?.file === file ? spot?.position : undefined;
    });
    return hunks.map((hunk, index) => {
      const texts = changedLinesOf(hunk);
      const readings = (byPath.get(path)?.[index]?.readings ?? []).filter((_, at) =>
        isChangedLine(hunk.lines[at] ?? " "),
      );
      const unread = texts.map((_, at) => (readings[at]?.model ?? null) === null);
      const isUnread = unread.includes(true);
      const equals = earlier.length === 0 ? [] : [newest, ...older].map((spots) => equalHunk(texts, spots));
      const isOldHunk = equals.slice(1).some((spot) => spot !== undefined);
      const isDisplaced = (index: number): boolean => {
        const before = earlier[index];
        return (
          before !== undefined &&
          texts.some((text) => isLineDisplaced(text, file, [current, before], changed[index]))
        );
      };
      // If another file has taken its path since, git itself mixes the two up.
      const isSameFile = (spot: Spot | undefined): boolean =>
        spot !== undefined && spot.file === file && [undefined, file].includes(fileOf(spot.path));
      const isSameHunk = equals.some((spot, index) => isSameFile(spot) && !isDisplaced(index));
      const spots = texts.map((text) => newest.get(text));
      const isKnown = (at: number): boolean => spots[at] !== undefined || isOldHunk;
      const isElsewhere = (text: string): boolean => now.get(text)?.file !== file;
      const hasLost = spots.some((spot, at) =>
        neighborsOf(spot?.hunk ?? [], texts[at] ?? "").some(isElsewhere),
      );
      const isRearranged = spots.some((spot, at) => {
        const next = spots[at + 1];
        if (spot === undefined || next === undefined) return false;
        return spot.file !== next.file || spot.position > next.position;
      });
      const isIntact =
        spots.every(
          (spot, at) => isSameFile(spot) && !crossing.has(texts[at] ?? "") && !spot?.hunk.some(isElsewhere),
        ) && !isDisplaced(0);
      const isAllKnown = texts.every((_, at) => isKnown(at));
      const isMissed =
        texts.some((_, at) => !isKnown(at) && !unread[at]) ||
        ((hasLost || isRearranged) && equals.every((spot) => spot === undefined) && !isUnread) ||
        (isAllKnown && !isUnread && !isSameHunk && isDisplaced(0) && texts.length < MIN_MOVED_LINES);
      const verdict: Verdict = isMissed
        ? "missed"
        : (isSameHunk || isIntact) && isUnread
          ? "reread"
          : !isAllKnown || isSameHunk || isIntact || (hasLost && isUnread)
            ? "right"
            : isUnread
              ? "moved and unread"
              : "moved and read";
      return {
        verdict,
        path,
        hunk: hunk.lines.map((line, at) => `${unreadMark(byPath, path, index, at)}${line}`),
      };
    });
  });
}

function unreadMark(byPath: Scope["byPath"], path: string, hunk: number, line: number): string {
  const reading = byPath.get(path)?.[hunk]?.readings[line] ?? null;
  return reading === null ? "      " : reading.model === null ? "unread" : "read  ";
}

function spotsOf({ files, fileOf }: JudgedDiff): ReadonlyMap<string, Spot> {
  return new Map(
    files.flatMap(({ path, hunks }) => {
      let position = 0;
      return hunks.flatMap((hunk) => {
        const texts = changedLinesOf(hunk);
        return texts.map((text): [string, Spot] => [
          text,
          { file: fileOf(path), path, position: position++, hunk: texts },
        ]);
      });
    }),
  );
}

function equalHunk(texts: readonly string[], spots: ReadonlyMap<string, Spot>): Spot | undefined {
  const spot = spots.get(texts[0] ?? "");
  return spot !== undefined && spot.hunk.join("\n") === texts.join("\n") ? spot : undefined;
}

/** Whether a line was moved within its file since. Only known if the base hasn't changed. `changed` are all lines of both diffs. */
function isLineDisplaced(
  text: string,
  file: number | undefined,
  [current, before]: readonly [JudgedDiff, JudgedDiff],
  changed: ReadonlySet<string> = new Set(),
): boolean {
  const base = new Set(current.baseLines(file));
  if (text[0] !== "+" || [...base].join("\n") !== before.baseLines(file).join("\n")) return false;
  const [lines, oldLines] = [current.headLines(file), before.headLines(file)];
  const common = new Set(oldLines.filter((line) => base.has(line) && !changed.has(`+${line}`)));
  const anchorIn = (each: readonly string[]): string | undefined =>
    each.slice(0, each.indexOf(text.slice(1))).findLast((line) => common.has(line) && lines.includes(line));
  return anchorIn(lines) !== anchorIn(oldLines);
}

function neighborsOf(hunk: readonly string[], text: string): readonly string[] {
  const at = hunk.indexOf(text);
  return at === -1 ? [] : [...hunk.slice(Math.max(0, at - 1), at), ...hunk.slice(at + 1, at + 2)];
}

/** The lines that have changed their order relative to any other line. */
function crossingLines(
  texts: readonly string[],
  positionOf: (text: string) => number | undefined,
): ReadonlySet<string> {
  const known = texts.flatMap((text) => {
    const position = positionOf(text);
    return position === undefined ? [] : [{ text, position }];
  });
  return new Set(
    known
      .filter(({ position }, index) =>
        known.some(
          (other, otherIndex) => otherIndex < index !== other.position < position && otherIndex !== index,
        ),
      )
      .map(({ text }) => text),
  );
}
