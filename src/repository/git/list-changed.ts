/**
 * Lists the files that a change touches and their sizes, before anything is compared. The list decides what is diffed. Files
 * on disk with a filter are marked, because Kodiai doesn't run filters and so can't know what git would store.
 */
import { KodiaiError } from "../../base/errors.ts";
import type { Unreadable } from "../../review/change/change.ts";
import type { ShareFile } from "../../review/change/share-files.ts";
import { decodePath } from "../../review/change/decode-bytes.ts";
import {
  type ChangedEntry,
  compareTrees,
  type LeftOutFolder,
  MAX_CHANGED_FILES,
  MAX_GIT_PATH_CHARS,
} from "./changed-trees.ts";
import type { ObjectReader } from "./object-reader.ts";
import { type GitOptions, runGit, streamUntil } from "./run-git.ts";
import { diskPath } from "./work-tree.ts";

/** The two sides: two trees, or a tree and the index or the files on disk. `mergeBase` compares from the merge base with HEAD. */
export type DiffSides =
  | { readonly kind: "trees"; readonly old: string; readonly new: string }
  | { readonly kind: "index"; readonly old: string }
  | { readonly kind: "working-tree"; readonly old: string; readonly mergeBase: boolean };

export type DiffContext = GitOptions & {
  readonly root: string | null;
  readonly objects: ObjectReader;
  /** Names of filters in the configuration. */
  readonly filters: ReadonlySet<string>;
  readonly share?: ShareFile | undefined;
  /** Called when git has started to compare. */
  readonly onWaiting?: (() => void) | undefined;
};

export type SizedEntry = ChangedEntry & {
  /** Size of the larger side. 0 if nothing has to be read. */
  readonly bytes: number;
  /** Why the file must not be diffed, regardless of its size. */
  readonly refused: Unreadable | null;
};

export type ChangedListing = {
  readonly entries: readonly SizedEntry[];
  readonly folders: readonly LeftOutFolder[];
};

/** In the largest repositories, listing the files that differ from a commit takes a second. */
const MAX_LISTING_SECONDS = 30;

/** Arguments for one `git check-attr`. */
const MAX_PATHS_AT_ONCE = 100;

export function diffArguments(sides: DiffSides): readonly string[] {
  switch (sides.kind) {
    case "trees":
      return [sides.old, sides.new];
    case "index":
      return ["--cached", sides.old];
    case "working-tree":
      return [...(sides.mergeBase ? ["--merge-base"] : []), sides.old];
  }
}

export async function listChanged(sides: DiffSides, git: DiffContext): Promise<ChangedListing> {
  const { entries, folders } =
    sides.kind === "trees" ? await compareCommits(sides, git) : await listRaw(sides, git);
  const filtered = await findFiltered(sides.kind === "working-tree" ? entries.filter(isOnDisk) : [], git);
  const moved = findMoved(entries);
  const sizes = await Promise.all(
    entries.map((entry) => (moved.has(entry.path) ? Promise.resolve(0) : sizeOf(entry, git))),
  );
  return {
    entries: entries.map((entry, index) => ({
      ...entry,
      bytes: sizes[index] ?? 0,
      refused: filtered.has(entry.path) ? "filtered" : null,
    })),
    folders,
  };
}

async function compareCommits(sides: { readonly old: string; readonly new: string }, git: DiffContext) {
  const [before, after] = await Promise.all(
    [sides.old, sides.new].map((id) => git.objects.readInfo(`${id}^{tree}`)),
  );
  return compareTrees({ old: before?.id ?? null, new: after?.id ?? null }, git.objects);
}

/** Reads records of the form `:mode mode id id status NUL path NUL`, and stops when there are too many. */
async function listRaw(sides: DiffSides, git: DiffContext) {
  const options = ["--raw", "-z", "--no-abbrev", "--no-renames", "--ignore-submodules=dirty"];
  const args = ["diff", ...options, ...diffArguments(sides), "--"];
  const entries: ChangedEntry[] = [];
  let rest = "";
  let chars = 0;
  const hasMore = await streamUntil(args, { ...git, maxCpuSeconds: MAX_LISTING_SECONDS }, (chunk) => {
    const fields = (rest + chunk).split("\0");
    rest = fields.splice(fields.length - (fields.length % 2 === 0 ? 2 : 1)).join("\0");
    for (let at = 0; at < fields.length; at += 2)
      entries.push(...parseRecord(fields[at] ?? "", fields[at + 1] ?? ""));
    chars += chunk.length;
    return entries.length > MAX_CHANGED_FILES || chars > MAX_GIT_PATH_CHARS;
  });
  if (hasMore) throw tooManyFiles();
  return { entries, folders: [] };
}

function parseRecord(record: string, path: string): readonly ChangedEntry[] {
  const [, oldMode = "", newMode = "", oldId = "", newId = "", status] =
    /^:(\d{6}) (\d{6}) ([0-9a-f]+) ([0-9a-f]+) (\w)/.exec(record) ?? [];
  // An unmerged file has an extra record with this status.
  if (status === undefined || status === "U") return [];
  const mode = (text: string): string | null => (text === "000000" ? null : text);
  const id = (text: string): string | null => (/^0+$/.test(text) ? null : text);
  return [
    {
      path: decodePath(path),
      oldMode: mode(oldMode),
      newMode: mode(newMode),
      oldId: id(oldId),
      newId: id(newId),
    },
  ];
}

/** Git has no object for the file and would read it from disk. */
function isOnDisk({ newMode, newId }: ChangedEntry): boolean {
  return newMode !== null && newId === null;
}

/** Finds files with a filter among those that git would read from disk. */
async function findFiltered(
  entries: readonly ChangedEntry[],
  git: DiffContext,
): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  if (git.filters.size === 0) return found;
  for (let from = 0; from < entries.length; from += MAX_PATHS_AT_ONCE) {
    const paths = entries.slice(from, from + MAX_PATHS_AT_ONCE).map(({ path }) => path);
    const fields = (await runGit(["check-attr", "-z", "filter", "--", ...paths], git)).split("\0");
    for (let at = 0; at + 2 < fields.length; at += 3)
      if (git.filters.has(fields[at + 2] ?? "")) found.add(decodePath(fields[at] ?? ""));
  }
  return found;
}

/** Finds files that were moved unchanged. Git recognizes them by their ids and reads neither side. */
function findMoved(entries: readonly ChangedEntry[]): ReadonlySet<string> {
  const idsOf = (isWanted: (entry: ChangedEntry) => boolean, id: (entry: ChangedEntry) => string | null) =>
    Map.groupBy(entries.filter(isWanted), (entry) => id(entry) ?? "");
  const gone = idsOf(
    ({ newMode }) => newMode === null,
    ({ oldId }) => oldId,
  );
  const come = idsOf(
    ({ oldMode }) => oldMode === null,
    ({ newId }) => newId,
  );
  const moved = new Set<string>();
  for (const [id, added] of come) {
    const deleted = gone.get(id) ?? [];
    if (id === "" || added.length !== deleted.length) continue;
    for (const { path } of [...added, ...deleted]) moved.add(path);
  }
  return moved;
}

async function sizeOf(entry: ChangedEntry, git: DiffContext): Promise<number> {
  const { oldId, newId, oldMode, newMode } = entry;
  if (oldId === newId && oldId !== null) return 0;
  const ofObject = async (id: string | null, mode: string | null): Promise<number> =>
    id === null || mode === SUBMODULE ? 0 : ((await git.objects.readInfo(id))?.bytes ?? 0);
  const sizes = await Promise.all([
    ofObject(oldId, oldMode),
    isOnDisk(entry) ? sizeOnDisk(entry.path, git) : ofObject(newId, newMode),
  ]);
  return Math.max(...sizes);
}

const SUBMODULE = "160000";

async function sizeOnDisk(path: string, { root }: DiffContext): Promise<number> {
  if (root === null) return 0;
  const { lstat } = process.getBuiltinModule("node:fs").promises;
  // The file may have been deleted in the meantime.
  const found = await lstat(diskPath(root, path)).catch(() => null);
  return found?.isFile() === true ? found.size : 0;
}

function tooManyFiles(): KodiaiError {
  return new KodiaiError(
    "too-large",
    `more than ${MAX_CHANGED_FILES.toLocaleString("en")} files are changed`,
    {
      hint: "Review a part of them: single commits with --commit, or staged files with --staged.",
    },
  );
}
