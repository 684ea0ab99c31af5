/**
 * Compares the diff of a change with the diffs that earlier runs have read. Hunks are compared by their changed lines, not by line
 * numbers or context, so a rebase or a merge of the base changes nothing. A hunk that is edited is compared line by line. Lines
 * that an earlier run had nowhere are unread, and so are the neighbors of lines that are gone: without them, the code around
 * may mean something else.
 */
import { alignLines } from "../../base/align.ts";
import type { ChangedFile, Hunk } from "./change.ts";
import {
  changedLinesOf,
  isChangedLine,
  type LineReading,
  type Readings,
  readingsOf,
  UNREAD,
} from "./readings.ts";
import type { HunkScope, HunkStatus } from "./scope.ts";

/** A diff as an earlier run has read it. */
export type EarlierDiff = { readonly files: readonly ChangedFile[]; readonly readings: Readings };

/** Fewer lines are too common to say that they moved: a closing brace is everywhere. */
const MIN_MOVED_LINES = 3;

/** A file with another path is the same one if they share this part of the smaller diff. */
const MIN_SHARED = 0.5;

/** A diff from a file may have abbreviated ids, which say nothing for sure. */
const FULL_ID_CHARS = 40;

/** A hunk while it is compared: its changed lines, and for each the reading of the same line in an earlier run. */
type OpenHunk = {
  readonly hunk: Hunk;
  readonly texts: readonly string[];
  readonly readings: (LineReading | null)[];
  status: HunkStatus | null;
};

/** `pairs` has the earlier file of each file. */
type PairedDiff = EarlierDiff & { readonly pairs: ReadonlyMap<ChangedFile, ChangedFile> };

type OpenFiles = ReadonlyMap<ChangedFile, readonly OpenHunk[]>;

type EarlierHunk = {
  readonly hunk: Hunk;
  readonly texts: readonly string[];
  readonly readings: readonly LineReading[];
};

/** The hunks of a file without an equal one in an earlier run, and the hunks that are left of that run. */
type ComparedFile = {
  readonly hunks: readonly OpenHunk[];
  readonly left: EarlierHunk[];
  readonly hasSameBase: boolean;
};

/** `earlier` is ordered newest first. The result has one entry per hunk of each path. */
export function compareScope(
  files: readonly ChangedFile[],
  earlier: readonly EarlierDiff[],
): ReadonlyMap<string, readonly HunkScope[]> {
  const diffs = earlier.map((diff) => ({ ...diff, pairs: pairFiles(files, diff.files) }));
  const carried = new Map(diffs.slice(0, 1).flatMap(carriedFiles));
  const open: OpenFiles = new Map(
    files.flatMap((file) => (carried.has(file) ? [] : [[file, file.hunks.map(openHunk)]])),
  );
  const [newest = []] = diffs.map((diff) => compareHunks(open, diff));
  // Only the last run tells which lines are gone since.
  takeMoved([...open.values()].flat(), newest);
  for (const file of newest) takeLines(file);
  return new Map(files.map((file) => [file.path, carried.get(file) ?? open.get(file)?.map(closeHunk) ?? []]));
}

/** The files that are the same as in the last run. Most are, so they aren't compared. */
function carriedFiles({
  pairs,
  readings,
}: PairedDiff): readonly (readonly [ChangedFile, readonly HunkScope[]])[] {
  return [...pairs].flatMap(([file, before]) => {
    if (!isSameDiff(file, before)) return [];
    const all = readingsOf(before, readings);
    let first = 0;
    const hunks = file.hunks.map(({ lines }): HunkScope => ({
      status: "carried",
      readings: lines.map((line) => (isChangedLine(line) ? (all[first++] ?? UNREAD) : null)),
    }));
    return [[file, hunks] as const];
  });
}

function openHunk(hunk: Hunk): OpenHunk {
  const texts = changedLinesOf(hunk);
  return { hunk, texts, readings: texts.map(() => null), status: null };
}

/** Gives hunks with equal changed lines their readings. */
function compareHunks(open: OpenFiles, { files, readings, pairs }: PairedDiff): readonly ComparedFile[] {
  const paired = new Set(pairs.values());
  const gone = files
    .filter((file) => !paired.has(file))
    .map((file) => ({ hunks: [], left: [...earlierHunks(file, readings)], hasSameBase: false }));
  const compared = [...pairs].flatMap(([file, before]) => {
    const hunks = open.get(file);
    if (hunks === undefined) return [];
    const hasSameBase = file.oldBlob !== null && file.oldBlob === before.oldBlob;
    if (isSameDiff(file, before)) {
      takeAll(hunks, readingsOf(before, readings));
      return [];
    }
    const left = takeEqual(hunks, earlierHunks(before, readings), hasSameBase);
    return { hunks: hunks.filter(({ status }) => status === null), left, hasSameBase };
  });
  return [...gone, ...compared];
}

/**
 * The file of the earlier diff that each file was: by its path at the base, by its path, or by its contents if the base has renamed it
 * or if it's a new file with another name.
 */
export function pairFiles(
  files: readonly ChangedFile[],
  earlier: readonly ChangedFile[],
): ReadonlyMap<ChangedFile, ChangedFile> {
  const pairs = new Map<ChangedFile, ChangedFile>();
  const left = new Set(earlier);
  const pairBy = (find: (file: ChangedFile) => ChangedFile | undefined): void => {
    for (const file of files) {
      const before = pairs.has(file) ? undefined : find(file);
      if (before !== undefined && left.delete(before)) pairs.set(file, before);
    }
  };
  const byOldPath = new Map(earlier.map((file) => [file.oldPath, file]));
  pairBy(({ oldPath }) => (oldPath === null ? undefined : byOldPath.get(oldPath)));
  const byPath = new Map(earlier.map((file) => [file.path, file]));
  pairBy(({ path }) => byPath.get(path));
  if (left.size === 0 || pairs.size === files.length) return pairs;
  const byBlob = new Map([...left].map((file) => [file.oldBlob, file]));
  pairBy(({ oldBlob }) => (oldBlob === null ? undefined : byBlob.get(oldBlob)));
  // The context counts too: one line alone says little.
  const owners = new Map([...left].flatMap((file) => linesOf(file).map((line) => [line, file])));
  pairBy((file) => {
    const lines = linesOf(file);
    const votes = Map.groupBy(lines, (line) => owners.get(line));
    return [...votes].find(([owner, its]) => {
      const smaller = Math.min(lines.length, owner === undefined ? 0 : linesOf(owner).length);
      const least = Math.max(Math.min(MIN_MOVED_LINES, lines.length), smaller * MIN_SHARED);
      return owner !== undefined && its.length >= least;
    })?.[0];
  });
  return pairs;
}

/** The same blobs have the same diff. */
export function isSameDiff(file: ChangedFile, before: ChangedFile): boolean {
  if (file === before) return true;
  return (
    file.newBlob !== null &&
    file.newBlob.length >= FULL_ID_CHARS &&
    file.newBlob === before.newBlob &&
    file.oldBlob === before.oldBlob &&
    file.hunks.length === before.hunks.length &&
    file.hunks.every(({ lines }, index) => lines.length === before.hunks[index]?.lines.length)
  );
}

function takeAll(hunks: readonly OpenHunk[], readings: readonly LineReading[]): void {
  let first = 0;
  for (const hunk of hunks) {
    if (hunk.status === null) {
      for (const index of hunk.readings.keys()) hunk.readings[index] = readings[first + index] ?? UNREAD;
      hunk.status = "carried";
    }
    first += hunk.readings.length;
  }
}

function linesOf({ hunks }: ChangedFile): readonly string[] {
  return hunks.flatMap(({ lines }) => lines);
}

/**
 * Returns the earlier hunks that are left. With the same base, an equal hunk has the same place and context; otherwise its lines were
 * moved. With another base, one with the same context comes first.
 */
function takeEqual(
  hunks: readonly OpenHunk[],
  before: readonly EarlierHunk[],
  hasSameBase: boolean,
): EarlierHunk[] {
  const waiting = Map.groupBy(before, ({ texts }) => texts[0]);
  const matched = new Set<OpenHunk>();
  for (const isWhole of hasSameBase ? [true] : [true, false]) {
    // A hunk that a newer run had takes its equal one with it, so that a copy isn't taken for it.
    for (const open of hunks.toSorted((a, b) => Number(a.status === null) - Number(b.status === null))) {
      const similar = waiting.get(open.texts[0]);
      if (similar === undefined || matched.has(open)) continue;
      const at = similar.findIndex(
        ({ hunk, texts }) =>
          (!hasSameBase || hunk.oldStart === open.hunk.oldStart) &&
          (isWhole ? isEqual(hunk.lines, open.hunk.lines) : isEqual(texts, open.texts)),
      );
      if (at === -1) continue;
      matched.add(open);
      const [equal] = similar.splice(at, 1);
      if (open.status === null) take(open, equal?.readings ?? [], isWhole ? "carried" : "rebased");
    }
  }
  return [...waiting.values()].flat();
}

/** Gives whole hunks that were elsewhere before their readings: in the same file, or in another one. Their lines are still together. */
function takeMoved(hunks: readonly OpenHunk[], earlier: readonly ComparedFile[]): void {
  const waiting = Map.groupBy(
    earlier.flatMap(({ left }) => left.map((hunk) => ({ hunk, left }))),
    ({ hunk: { hunk } }) => coreOf(hunk),
  );
  for (const open of hunks) {
    if (open.status !== null || open.texts.length < MIN_MOVED_LINES) continue;
    const moved = waiting.get(coreOf(open.hunk))?.shift();
    if (moved === undefined) continue;
    moved.left.splice(moved.left.indexOf(moved.hunk), 1);
    take(open, moved.hunk.readings, "moved");
  }
}

function take(open: OpenHunk, readings: readonly LineReading[], status: HunkStatus): void {
  for (const [index, reading] of readings.entries()) open.readings[index] = reading;
  open.status = status;
}

/** Compares the other hunks line by line. Lines of a hunk that an even earlier run had aren't gone either, but they are read. */
function takeLines({ hunks, left, hasSameBase }: ComparedFile): void {
  const open = new Set(hunks.filter(({ status }) => status === null));
  const rest = hunks.filter(({ status }) => status !== "moved");
  const [before, after] = [left.flatMap(placedLines), rest.flatMap(placedLines)];
  const from = alignLines(
    before.map(({ text }) => text),
    after.map(({ text }) => text),
  );
  const pairs = from.flatMap((old, index) => {
    const [was, line] = [before[old], after[index]];
    return was === undefined || line === undefined ? [] : [{ old, was, line }];
  });
  for (const { was, line } of pairs) {
    if (!open.has(line.owner)) continue;
    line.owner.readings[line.index] = was.owner.readings[was.index] ?? UNREAD;
    line.owner.status = "changed";
  }
  const known = new Set([...open].filter(({ readings }) => !readings.includes(null)));
  const markUnread = ({ owner, index }: (typeof after)[number]): void => {
    if (open.has(owner)) owner.readings[index] = UNREAD;
    known.delete(owner);
  };
  const kept = new Map(pairs.map(({ old, line }) => [old, line]));
  for (const [old, { owner }] of before.entries()) {
    for (const neighbor of kept.has(old) ? [] : [old - 1, old + 1]) {
      const line = before[neighbor]?.owner === owner ? kept.get(neighbor) : undefined;
      if (line !== undefined) markUnread(line);
    }
  }
  // Lines that are all known, but that are at other lines of the same base, were moved.
  if (hasSameBase)
    for (const { was, line } of pairs.filter(({ line: { owner } }) => known.has(owner)))
      if (was.position !== line.position) markUnread(line);
}

/** The changed lines of a hunk, each with the line of the base that it's at. */
function placedLines<Owner extends OpenHunk | EarlierHunk>(owner: Owner) {
  let position = owner.hunk.oldStart;
  let index = 0;
  return owner.hunk.lines.flatMap((text) => {
    const line = { owner, text, index, position };
    if (text[0] !== "+") position++;
    if (isChangedLine(text)) index++;
    return isChangedLine(text) ? [line] : [];
  });
}

function closeHunk({ hunk, readings, status }: OpenHunk): HunkScope {
  let changed = 0;
  return {
    status: status ?? "new",
    readings: hunk.lines.map((line) => (isChangedLine(line) ? (readings[changed++] ?? UNREAD) : null)),
  };
}

function earlierHunks(file: ChangedFile, all: Readings): readonly EarlierHunk[] {
  const readings = readingsOf(file, all);
  let first = 0;
  return file.hunks.map((hunk) => {
    const texts = changedLinesOf(hunk);
    return { hunk, texts, readings: readings.slice(first, (first += texts.length)) };
  });
}

/** The lines of a hunk from the first changed one to the last. */
function coreOf({ lines }: Hunk): string {
  return lines.slice(lines.findIndex(isChangedLine), lines.findLastIndex(isChangedLine) + 1).join("\n");
}

function isEqual(a: readonly string[], b: readonly string[]): boolean {
  return a.length === b.length && a.every((line, index) => line === b[index]);
}
