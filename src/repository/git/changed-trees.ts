/**
 * Finds the files that differ between two trees. Trees are compared object by object, each pair once, and files are counted
 * before any is listed, because eight objects can expand to a million files. Folders with more files than a review can hold
 * are left out as a whole, the largest first.
 */
import { decodePath } from "../../review/change/decode-bytes.ts";
import type { ObjectReader } from "./object-reader.ts";
import { FOLDER_MODE, MAX_TREE_BYTES, parseTree, type TreeEntry } from "./tree-entries.ts";

/** Most files of a change, as bench/large-change.ts measures. GitHub itself lists 3,000. */
export const MAX_CHANGED_FILES = 10_000;

/** Limits all paths together, because paths and folder names are kept in several places. */
export const MAX_GIT_PATH_CHARS = 4 * 1024 * 1024;

/** Deeper folders are left out. Java and vendored packages go about 40 levels deep. */
const MAX_DEPTH = 64;

/** Pairs of folders to compare. A change of MAX_CHANGED_FILES files touches fewer. */
const MAX_PAIRS = 50_000;

/** Files kept in memory while trees are compared, over all distinct pairs. */
const MAX_REMEMBERED = 200_000;

/** Size of all trees read for one change. */
const MAX_ALL_TREES_BYTES = 128 * 1024 * 1024;

/** Folders requested at a time: enough to keep git busy, few enough to fit into memory. */
const PAIRS_AT_ONCE = 50;

export type ChangedEntry = {
  readonly path: string;
  /** Null if the side doesn't exist. */
  readonly oldMode: string | null;
  readonly newMode: string | null;
  /** Also null for a file on disk without an object in git. */
  readonly oldId: string | null;
  readonly newId: string | null;
};

/** A folder that was left out, with the number of its changed files. */
export type LeftOutFolder = { readonly path: string; readonly files: number };

export type ChangedPaths = {
  readonly entries: readonly ChangedEntry[];
  readonly folders: readonly LeftOutFolder[];
};

type Sides = { readonly old: string | null; readonly new: string | null };

/** Names are latin1. */
type NamedFile = Omit<ChangedEntry, "path"> & { readonly name: string };

/** The direct differences of a pair of folders. */
type Difference = {
  /** Null if there are too many to keep. */
  readonly files: readonly NamedFile[] | null;
  readonly fileCount: number;
  readonly folders: readonly { readonly name: string; readonly sides: Sides }[];
};

/** Reads the bytes of a tree. Null if it is too large or missing. */
type ReadTree = (id: string) => Promise<string | null>;

type Differences = ReadonlyMap<string, Difference>;

export async function compareTrees(sides: Sides, objects: ObjectReader): Promise<ChangedPaths> {
  const differences = await findDifferences(sides, objects);
  return chooseFiles(sides, differences, countFiles(sides, differences));
}

/** Compares level by level from the top. Pairs beyond a limit are missing from the result. */
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
      const batch = pairs.slice(from, from + PAIRS_AT_ONCE);
      const compared = await Promise.all(batch.map(([, sides]) => comparePair(sides, read)));
      batch.forEach(([key], index) => {
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

/** A tree that is too large or missing counts as infinitely many files. */
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

function treeId(item: TreeEntry | undefined): string | null {
  return item?.mode === FOLDER_MODE ? item.id : null;
}

function fileOf(item: TreeEntry | undefined): TreeEntry | null {
  return item === undefined || item.mode === FOLDER_MODE ? null : item;
}

async function readItems(id: string | null, read: ReadTree): Promise<ReadonlyMap<string, TreeEntry> | null> {
  if (id === null) return new Map();
  const latin1 = await read(id);
  return latin1 === null ? null : parseTree(latin1, id.length);
}

/** Counts the files below each pair, each pair once. Uses an explicit stack, because nesting is unlimited here. */
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
 * Includes all direct files of a folder or leaves the folder out. Subfolders with the fewest files come first. In a folder
 * with more files than a review can hold, identical subfolders are left out, because they are how a few objects expand to a
 * million files.
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
    // Each subfolder takes at least one slot, even if its files are left out.
    const slots = (own?.length ?? 0) + folders.length;
    const names = [...(own ?? []), ...folders].reduce(
      (sum, { name }) => sum + prefix.length + name.length,
      0,
    );
    if (own === null || depth > MAX_DEPTH || slots > files || names > chars) return leaveOut(sides, prefix);
    files -= slots;
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
