/** Reads the diff between two states as changed files, streamed through the parser. */
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

/** A diff of 10,000 files arrives within seconds. */
const MAX_DIFF_MS = 60_000;

/** Inexact rename detection compares every pair; past this many files git keeps to exact renames. */
const RENAME_LIMIT = 1_000;

/**
 * Every option that configuration could change is given. `--text` so that attributes cannot hide a file; binary files
 * are recognised by their bytes in the parser.
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
  /** What a person should know about what was not compared. */
  readonly notes: readonly string[];
};

/**
 * Git is asked for the whole diff at once, and nearly always that is the answer. Beside it the files of commits are measured: when
 * something is too large, git is stopped and asked again for the rest. Files that are not compared are listed with the reason.
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
  // What a person has on disk is measured only when git fails on it: that would cost every review a process.
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
  git: GitOptions,
): Promise<readonly ChangedFile[]> {
  const parser = createDiffParser();
  // Paths are literal by their own words here; as a setting of git's that would forbid to exclude any.
  const magic = paths.length === 0 ? [] : ["--no-literal-pathspecs"];
  const args = ["diff", ...DIFF_OPTIONS, ...diffArguments(sides), "--", ...paths];
  const late = AbortSignal.timeout(MAX_DIFF_MS);
  const signal = git.signal === undefined ? late : AbortSignal.any([git.signal, late]);
  try {
    const exit = await streamGit([...magic, ...args], { ...git, signal }, (chunk) => parser.push(chunk));
    if (exit.code !== 0) throw gitFailure(args, exit);
  } catch (error) {
    if (late.aborted && git.signal?.aborted !== true) throw tooSlow(error);
    throw error;
  }
  return joinTypeChanges(parser.end());
}

function tooSlow(cause: unknown): KodiaiError {
  return new KodiaiError("too-large", `git diff took more than ${MAX_DIFF_MS / 1_000} s and was stopped`, {
    hint: "Review less at a time, for instance one commit.",
    cause,
  });
}

/** A large file without text is named as that: it would not have been read at any size. */
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

/** Folders named in a note; all of them are in the receipt. */
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

/** Git shows a file that became a link (or the reverse) as a deletion and an addition of the same path. */
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
