/**
 * Which files differ between two trees. Trees are compared object by object, each pair once, and the files are counted before any is
 * listed: eight objects can be a million files. Folders with more than a review can hold are left out whole, the fullest first.
 */
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { ObjectReader } from "./object-reader.ts";

/** Most files of a change: what bench/large-change.ts measures. GitHub itself lists 3,000. */
export const MAX_CHANGED_FILES = 10_000;

/** All paths together. They are kept in several places, and so are the names of the folders above. */
export const MAX_GIT_PATH_CHARS = 4 * 1024 * 1024;

/** Deeper folders are left out. Java and vendored packages end at about 40. */
const MAX_DEPTH = 64;

/** Pairs of folders that are compared; a change of MAX_CHANGED_FILES files touches fewer. */
const MAX_PAIRS = 50_000;

/** Files that are remembered while trees are compared, over all distinct pairs. */
const MAX_REMEMBERED = 200_000;

/** 100,000 files in one folder. */
const MAX_TREE_BYTES = 8 * 1024 * 1024;

/** All trees that are read for one change. */
const MAX_ALL_TREES_BYTES = 128 * 1024 * 1024;

/** Folders asked for at a time: enough to keep git busy, few enough to hold in memory. */
const PAIRS_AT_ONCE = 50;

export type ChangedEntry = {
  readonly path: string;
  /** Null where the side does not exist. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Null also for a file on disk that git has no object of. */
  readonly oldId: string | null;
  readonly newId: string | null;
};

/** A folder that was not looked into, with how many changed files it holds. */
export type LeftOutFolder = { readonly path: string; readonly files: number };

export type ChangedPaths = {
  readonly entries: readonly ChangedEntry[];
  readonly folders: readonly LeftOutFolder[];
};

type Sides = { readonly old: string | null; readonly new: string | null };

/** Names are latin1. */
type Item = { readonly mode: string; readonly id: string };
type NamedFile = Omit<ChangedEntry, "path"> & { readonly name: string };

/** What differs directly in a pair of folders. */
type Difference = {
  /** Null when there are too many to remember. */
  readonly files: readonly NamedFile[] | null;
  readonly fileCount: number;
  readonly folders: readonly { readonly name: string; readonly sides: Sides }[];
};

/** The bytes of a tree; null when there are too many, or it is missing. */
type ReadTree = (id: string) => Promise<string | null>;

type Differences = ReadonlyMap<string, Difference>;

export async function compareTrees(sides: Sides, objects: ObjectReader): Promise<ChangedPaths> {
  const differences = await findDifferences(sides, objects);
  return chooseFiles(sides, differences, countFiles(sides, differences));
}

/** Level by level, from the top; what is reached past a limit is missing from the result. */
async function findDifferences(top: Sides, objects: ObjectReader): Promise<Differences> {
  const found = new Map<string, Difference>();
  let remembered = 0;
  let bytesLeft = MAX_ALL_TREES_BYTES;
  const read: ReadTree = async (id) => {
    const latin1 = await objects.read(id, Math.min(bytesLeft, MAX_TREE_BYTES), "tree");
    bytesLeft -= latin1?.length ?? 0;
    return latin1;
  };
  let level = new Map([[keyOf(top), top]]);
  for (let depth = 0; depth <= MAX_DEPTH && level.size > 0; depth++) {
    const next = new Map<string, Sides>();
    const pairs = [...level].slice(0, MAX_PAIRS - found.size);
    for (let from = 0; from < pairs.length; from += PAIRS_AT_ONCE) {
      const some = pairs.slice(from, from + PAIRS_AT_ONCE);
      const compared = await Promise.all(some.map(([, sides]) => comparePair(sides, read)));
      some.forEach(([key], index) => {
        const { files, ...rest } = compared[index] ?? NOTHING;
        remembered += files?.length ?? 0;
        found.set(key, { ...rest, files: remembered > MAX_REMEMBERED ? null : files });
        for (const { sides } of rest.folders) next.set(keyOf(sides), sides);
      });
    }
    level = new Map([...next].filter(([key]) => !found.has(key)));
  }
  return found;
}

const NOTHING: Difference = { files: [], fileCount: 0, folders: [] };

/** A tree that is too large or missing counts as more files than anybody reads. */
const UNKNOWN: Difference = { files: null, fileCount: Number.POSITIVE_INFINITY, folders: [] };

async function comparePair(sides: Sides, read: ReadTree): Promise<Difference> {
  const [before, after] = await Promise.all([readItems(sides.old, read), readItems(sides.new, read)]);
  if (before === null || after === null) return UNKNOWN;
  const files: NamedFile[] = [];
  const folders: { name: string; sides: Sides }[] = [];
  let fileCount = 0;
  for (const name of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(name), after.get(name)];
    if (old?.id === now?.id && old?.mode === now?.mode) continue;
    const trees = { old: treeId(old), new: treeId(now) };
    if (trees.old !== trees.new) folders.push({ name, sides: trees });
    const [oldFile, newFile] = [fileOf(old), fileOf(now)];
    if (oldFile === null && newFile === null) continue;
    fileCount++;
    if (fileCount > MAX_CHANGED_FILES) continue;
    files.push({
      name,
      oldMode: oldFile?.mode ?? null,
      newMode: newFile?.mode ?? null,
      oldId: oldFile?.id ?? null,
      newId: newFile?.id ?? null,
    });
  }
  if (folders.length > MAX_CHANGED_FILES) return UNKNOWN;
  return { files: fileCount > MAX_CHANGED_FILES ? null : files, fileCount, folders };
}

function keyOf({ old, new: now }: Sides): string {
  return `${old ?? ""}:${now ?? ""}`;
}

function treeId(item: Item | undefined): string | null {
  return item?.mode === TREE_MODE ? item.id : null;
}

function fileOf(item: Item | undefined): Item | null {
  return item === undefined || item.mode === TREE_MODE ? null : item;
}

const TREE_MODE = "040000";

/** Entries are `mode SP name NUL id`, the id as bytes. */
async function readItems(id: string | null, read: ReadTree): Promise<ReadonlyMap<string, Item> | null> {
  if (id === null) return new Map();
  const latin1 = await read(id);
  if (latin1 === null) return null;
  const items = new Map<string, Item>();
  const idBytes = id.length / 2;
  for (let at = 0; at < latin1.length;) {
    const space = latin1.indexOf(" ", at);
    const end = latin1.indexOf("\0", space);
    if (space === -1 || end === -1) return null;
    const next = end + 1 + idBytes;
    items.set(latin1.slice(space + 1, end), {
      mode: latin1.slice(at, space).padStart(6, "0"),
      id: Buffer.from(latin1.slice(end + 1, next), "latin1").toString("hex"),
    });
    at = next;
  }
  return items;
}

/** Files below each pair. A pair that is part of many others is counted once; a stack, for nesting has no limit here. */
function countFiles(top: Sides, differences: Differences): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  const stack = [keyOf(top)];
  for (let key = stack.at(-1); key !== undefined; key = stack.at(-1)) {
    const { fileCount, folders } = differences.get(key) ?? UNKNOWN;
    const keys = folders.map(({ sides }) => keyOf(sides));
    const missing = keys.filter((each) => !counts.has(each));
    if (missing.length > 0) {
      for (const each of missing) stack.push(each);
      continue;
    }
    stack.pop();
    counts.set(
      key,
      keys.reduce((sum, each) => sum + (counts.get(each) ?? 0), fileCount),
    );
  }
  return counts;
}

/**
 * A folder gives all of its own files or is left out; of its folders the one with fewest files comes first. In a folder with more
 * files than a review holds, equal folders are left out: they are how a few objects become a million files.
 */
function chooseFiles(
  top: Sides,
  differences: Differences,
  counts: ReadonlyMap<string, number>,
): ChangedPaths {
  const entries: ChangedEntry[] = [];
  const leftOut: LeftOutFolder[] = [];
  const countOf = (sides: Sides): number => counts.get(keyOf(sides)) ?? Number.POSITIVE_INFINITY;
  let files = MAX_CHANGED_FILES;
  let chars = MAX_GIT_PATH_CHARS;
  const leaveOut = (sides: Sides, prefix: string): void => {
    leftOut.push({ path: prefix === "" ? "./" : decodePath(prefix), files: countOf(sides) });
    files--;
  };
  const take = (sides: Sides, prefix: string, depth: number): void => {
    const { files: own, folders } = differences.get(keyOf(sides)) ?? UNKNOWN;
    // Each folder below takes a place at least, for itself if not for its files.
    const places = (own?.length ?? 0) + folders.length;
    const names = [...(own ?? []), ...folders].reduce(
      (sum, { name }) => sum + prefix.length + name.length,
      0,
    );
    if (own === null || depth > MAX_DEPTH || places > files || names > chars) return leaveOut(sides, prefix);
    files -= places;
    chars -= names;
    for (const { name, ...rest } of own) entries.push({ path: decodePath(prefix + name), ...rest });
    const equals = Map.groupBy(folders, (folder) => keyOf(folder.sides));
    const isOverfull = countOf(sides) > MAX_CHANGED_FILES;
    for (const folder of folders.toSorted((a, b) => countOf(a.sides) - countOf(b.sides))) {
      files++;
      const path = `${prefix}${folder.name}/`;
      const isRepeated = (equals.get(keyOf(folder.sides))?.length ?? 0) > 1;
      if (isOverfull && isRepeated) leaveOut(folder.sides, path);
      else take(folder.sides, path, depth + 1);
    }
  };
  take(top, "", 0);
  return { entries, folders: leftOut };
}
