/** Reads the diff between two states as changed files, and streams it through the parser. */
import { count } from "../../base/count.ts";
import { KodiaiError } from "../../base/errors.ts";
import { printable } from "../../base/printable.ts";
import type { ChangedFile, Unreadable } from "../../review/change/change.ts";
import { createDiffParser } from "../../review/change/parse-diff.ts";
import { createBinaryCheck } from "./binary-check.ts";
import { type ChangedEntry, type LeftOutFolder, MAX_CHANGED_FILES } from "./changed-trees.ts";
import {
  type DiffContext,
  type DiffSides,
  diffArguments,
  listChanged,
  type SizedEntry,
} from "./list-changed.ts";
import { DIFF_LIMITS, type DiffLimits, fitDiff, pathArguments } from "./plan-diff.ts";
import { type GitOptions, gitFailure, streamGit } from "./run-git.ts";

/** On the clock, for what hangs. A diff of 10,000 files takes seconds of CPU time, which `DIFF_LIMITS` limits, and longer on a busy machine. */
const MAX_DIFF_MS = 300_000;

/** Inexact rename detection compares every pair. Beyond this many files, git detects only exact renames. */
const RENAME_LIMIT = 1_000;

/**
 * Sets every option that configuration could change. With `--text`, attributes can't hide a file; the parser recognizes
 * binary files by their bytes.
 */
const DIFF_OPTIONS = [
  "-p",
  "--full-index",
  "--text",
  "--no-ext-diff",
  "--no-textconv",
  "--no-color",
  "--no-relative",
  "--find-renames",
  `-l${RENAME_LIMIT}`,
  "--diff-algorithm=histogram",
  "--unified=3",
  "--inter-hunk-context=0",
  "--src-prefix=a/",
  "--dst-prefix=b/",
  "--submodule=short",
  "--ignore-submodules=dirty",
];

export type ReadDiff = {
  readonly files: readonly ChangedFile[];
  /** Notes for the user about files that weren't compared. */
  readonly notes: readonly string[];
};

/**
 * Requests the whole diff at once, which is nearly always enough. Meanwhile it measures the files of commits. If something is
 * too large, it stops git and requests the rest. Files that aren't compared are listed with the reason.
 */
export async function readDiff(
  sides: DiffSides,
  git: DiffContext,
  allLimits: readonly DiffLimits[] = DIFF_LIMITS,
): Promise<ReadDiff> {
  const stopping = new AbortController();
  const signal = git.signal === undefined ? stopping.signal : AbortSignal.any([git.signal, stopping.signal]);
  const [first] = allLimits;
  const whole = attempt(runDiff(sides, [], { ...git, signal, maxCpuSeconds: first?.maxCpuSeconds }));
  // Files on disk are measured only after git fails, because measuring would cost every review an extra process.
  const isMeasured = sides.kind === "trees" || git.filters.size > 0;
  const early = isMeasured ? null : await whole;
  if (early?.kind === "read") return { files: early.files, notes: [] };
  try {
    const listing = await listChanged(sides, git);
    const listed = {
      notes: describeFolders(listing.folders),
      files: [
        ...listing.folders.map(folderAsFile),
        ...listing.entries.flatMap((entry) =>
          entry.refused === null ? [] : [fileWithoutDiff(entry, entry.refused)],
        ),
      ],
    };
    const entries = listing.entries.filter(({ refused }) => refused === null);
    for (const limits of allLimits) {
      const { kept, tooLarge } = fitDiff(entries, limits);
      const isWhole = limits === first && tooLarge.length + listed.files.length === 0;
      if (!isWhole) stopping.abort();
      const leftOut = [...listed.files, ...tooLarge].map(({ path }) => path);
      const parts = { kept: kept.map(({ path }) => path), leftOut };
      const answer = isWhole ? await whole : await attempt(runParts(sides, parts, { ...git, ...limits }));
      if (answer.kind === "failed" && !isOverLimit(answer.error)) throw answer.error;
      if (answer.kind === "read")
        return { ...listed, files: [...answer.files, ...listed.files, ...(await nameLarge(tooLarge, git))] };
    }
    return { ...listed, files: [...listed.files, ...(await nameLarge(entries, git))] };
  } finally {
    stopping.abort();
  }
}

type Attempt =
  | { readonly kind: "read"; readonly files: readonly ChangedFile[] }
  | { readonly kind: "failed"; readonly error: unknown };

async function attempt(running: Promise<readonly ChangedFile[]>): Promise<Attempt> {
  try {
    return { kind: "read", files: await running };
  } catch (error) {
    return { kind: "failed", error };
  }
}

function isOverLimit(error: unknown): boolean {
  return error instanceof KodiaiError && error.code === "too-large";
}

async function runParts(
  sides: DiffSides,
  { kept, leftOut }: { readonly kept: readonly string[]; readonly leftOut: readonly string[] },
  git: DiffContext,
): Promise<readonly ChangedFile[]> {
  const files: ChangedFile[] = [];
  for (const paths of pathArguments(kept, leftOut)) files.push(...(await runDiff(sides, paths, git)));
  return files;
}

async function runDiff(
  sides: DiffSides,
  paths: readonly string[],
  { share, onWaiting, ...git }: GitOptions & Pick<DiffContext, "share" | "onWaiting">,
): Promise<readonly ChangedFile[]> {
  const parser = createDiffParser(share);
  // The paths are marked as literal themselves, because the global setting would forbid excluding any.
  const magic = paths.length === 0 ? [] : ["--no-literal-pathspecs"];
  const args = ["diff", ...DIFF_OPTIONS, ...diffArguments(sides), "--", ...paths];
  const late = AbortSignal.timeout(MAX_DIFF_MS);
  const signal = git.signal === undefined ? late : AbortSignal.any([git.signal, late]);
  try {
    const running = streamGit([...magic, ...args], { ...git, signal }, (chunk) => parser.push(chunk));
    onWaiting?.();
    const exit = await running;
    if (exit.code !== 0) throw gitFailure(args, exit);
  } catch (error) {
    if (late.aborted && git.signal?.aborted !== true) throw tooSlow(error);
    throw error;
  }
  return joinTypeChanges(parser.end());
}

function tooSlow(cause: unknown): KodiaiError {
  return new KodiaiError("too-large", `git diff took more than ${MAX_DIFF_MS / 1_000} s and was stopped`, {
    hint: "Review less at a time, for example a single commit.",
    cause,
  });
}

/** Reports large binary files as binary, because they wouldn't have been read at any size. */
async function nameLarge(entries: readonly SizedEntry[], git: DiffContext): Promise<readonly ChangedFile[]> {
  const isBinary = createBinaryCheck(git);
  const files: ChangedFile[] = [];
  for (const entry of entries)
    files.push(fileWithoutDiff(entry, (await isBinary(entry)) ? "binary" : "too-large"));
  return files;
}

function fileWithoutDiff(entry: ChangedEntry, unreadable: Unreadable): ChangedFile {
  const { path, oldMode, newMode } = entry;
  return {
    path,
    oldPath: oldMode === null ? null : path,
    status: oldMode === null ? "added" : newMode === null ? "deleted" : "modified",
    oldMode,
    newMode,
    oldBlob: entry.oldId,
    newBlob: entry.newId,
    addedLines: 0,
    removedLines: 0,
    hunks: [],
    unreadable,
    cutLines: [],
  };
}

function folderAsFile({ path }: LeftOutFolder): ChangedFile {
  const modes = { oldMode: "040000", newMode: "040000" };
  return fileWithoutDiff({ path, ...modes, oldId: null, newId: null }, "too-many-files");
}

/** Folders named in a note. The receipt lists all of them. */
const MAX_NAMED_FOLDERS = 3;

function describeFolders(folders: readonly LeftOutFolder[]): readonly string[] {
  if (folders.length === 0) return [];
  const named = folders.slice(0, MAX_NAMED_FOLDERS).map(({ path }) => printable(path));
  const more = folders.length - named.length;
  const total = folders.reduce((sum, { files }) => sum + files, 0);
  const files = Number.isFinite(total) ? count(total, "changed file") : "countless changed files";
  const names = [...named, ...(more > 0 ? [count(more, "more folder")] : [])].join(", ");
  return [
    `too many files: ${names} with ${files} were not read; a review reads at most ${MAX_CHANGED_FILES.toLocaleString("en")}`,
  ];
}

/** Git reports a file that became a link (or the reverse) as a deletion and an addition of the same path. */
function joinTypeChanges(files: readonly ChangedFile[]): readonly ChangedFile[] {
  const joined: ChangedFile[] = [];
  for (const file of files) {
    const before = joined.at(-1);
    if (before?.path === file.path && before.status === "deleted" && file.status === "added") {
      joined[joined.length - 1] = {
        ...file,
        status: "type-changed",
        oldPath: before.path,
        oldMode: before.oldMode,
        oldBlob: before.oldBlob,
        removedLines: before.removedLines,
      };
    } else joined.push(file);
  }
  return joined;
}
