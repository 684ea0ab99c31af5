/**
 * Puts every added line of a change into exactly one entry of the receipt. The caller passes which rules failed and where
 * time ran out; this module never decides what is read.
 */
import type { Analysis, FileAnalysis, FileMark } from "../../analysis/analysis.ts";
import { categoryOf } from "../../analysis/categories.ts";
import { isDataFile } from "../../analysis/data-files.ts";
import { hasDataLines, languageOf } from "../../../languages/language-of.ts";
import type { ChangedFile, Unreadable } from "../../change/change.ts";
import { isHunkUnread, type Scope } from "../../change/scope.ts";
import { addedLineNumbers, walkHunk } from "../../change/walk-hunks.ts";
import type { CheckGap } from "../../findings/check-gap.ts";
import { isGapIncomplete, mergeGaps } from "../../findings/checks.ts";
import type {
  Coverage,
  FileCoverage,
  Receipt,
  ReceiptEntry,
  ReceiptReason,
  ReceiptStatus,
} from "../receipt.ts";
import { type FilePiece, splitByHunks, whyHunkUnread } from "./split-by-hunks.ts";

/** How much the reviewers have read. Paths are those of the changed files. */
export type ReadCoverage = {
  /** Files for which the configuration turns built-in rules off. */
  readonly offPaths: ReadonlySet<string>;
  /** Files that the rules didn't finish, and why. */
  readonly unreadPaths: ReadonlyMap<string, UnreadReason>;
  /** For each file assigned to a model. Null when no model was requested. */
  readonly byModel: ReadonlyMap<string, FileCoverage> | null;
  /** Numbers of the hunks that the model was asked to skim, by path; omitted: none. */
  readonly skimmed?: ReadonlyMap<string, ReadonlySet<number>>;
  /** Checks that lacked something or didn't reach it. */
  readonly gaps: readonly CheckGap[];
};

/** Why rules didn't read a file: one failed, the review ran out of time, or the file exceeded its limits. */
export type UnreadReason = Extract<ReceiptReason, "failed:rule-error" | "limit:time" | "limit:file-cost">;

const RULE_GAPS: Readonly<Record<UnreadReason, Pick<CheckGap, "reason" | "detail">>> = {
  "failed:rule-error": { reason: "failed", detail: "a rule failed" },
  "limit:time": { reason: "limit", detail: "ran out of time" },
  "limit:file-cost": { reason: "limit", detail: "over the time or memory limit for one file" },
};

/** The part of an entry that depends on a single line. */
type Bucket = Pick<ReceiptEntry, "status" | "reason" | "readBy" | "isSkimmed" | "carried" | "hunks">;

const REVIEWED: Bucket = { status: "reviewed", reason: null };

const UNREADABLE_BUCKETS: Readonly<Record<Unreadable, Bucket>> = {
  binary: { status: "unreviewable", reason: "binary" },
  submodule: { status: "unreviewable", reason: "submodule" },
  symlink: { status: "unreviewable", reason: "symlink" },
  "lfs-pointer": { status: "unreviewable", reason: "lfs-pointer" },
  "too-large": { status: "omitted", reason: "limit:too-large" },
  "too-many-files": { status: "omitted", reason: "limit:too-many-files" },
  filtered: { status: "omitted", reason: "limit:git-filter" },
  unreadable: { status: "unreviewable", reason: "unreadable" },
  "mode-only": { status: "unreviewable", reason: "mode-only" },
};

const MARK_REASONS: Readonly<Record<FileMark, ReceiptReason>> = {
  lockfile: "filtered:lockfile",
  generated: "filtered:generated",
  vendored: "filtered:vendored",
  minified: "filtered:minified",
};

/** True for limits and failures of Kodiai, and for reasons that leave the whole change unread. */
export function makesIncomplete(reason: ReceiptReason | null): boolean {
  if (reason === null) return false;
  return (
    reason.startsWith("limit:") ||
    reason.startsWith("failed:") ||
    reason === "unreadable" ||
    reason === "skipped:no-review" ||
    reason === "floor-off"
  );
}

/** An added line (new side), or null for all that aren't cut, and the number of its hunk, or null in a file without hunks. */
export type BucketPlace = { readonly line: number | null; readonly hunk: number | null };

/** The first matching reason wins. */
export function bucketOf(
  file: ChangedFile,
  { line, hunk }: BucketPlace,
  analysis: Pick<Analysis, "byPath" | "skippedBecause">,
  coverage: ReadCoverage,
): Bucket {
  const known: FileAnalysis | undefined = analysis.byPath.get(file.path);
  // A lock file of any size is excluded on purpose; only a file that would have been read can be too large.
  const isLeftOut = file.unreadable === "too-large" && filterReason(known) !== null;
  if (file.unreadable === "too-large" && !isLeftOut && isDataFile(known ?? factsByName(file.path)))
    return { status: "unreviewable", reason: "data-file" };
  if (file.unreadable !== null && !isLeftOut) return UNREADABLE_BUCKETS[file.unreadable];
  const isCut = line !== null && file.cutLines.includes(line);
  const ofModel = whyHunkUnread(coverage.byModel?.get(file.path), hunk);
  // Lines that a model has read are reviewed, also where the rules didn't finish: that is a gap of the rules.
  const ofRules = ofModel === null ? null : coverage.unreadPaths.get(file.path);
  const before =
    filterReason(known) ?? (analysis.skippedBecause === null ? null : ("skipped:no-review" as const));
  if (before === null && isCut && hasDataLines(known?.language ?? languageOf(file.path)))
    return { status: "unreviewable", reason: "data-line" };
  const reason =
    before ??
    (isCut ? "limit:line-too-long" : null) ??
    (coverage.offPaths.has(file.path) ? offReason(ofModel) : null) ??
    ofRules ??
    null;
  if (reason !== null) return { status: "omitted", reason };
  if (ofModel === null || ofModel === undefined) return REVIEWED;
  return { status: "omitted", reason: ofModel, readBy: "rules" };
}

export function composeReceipt(
  files: readonly ChangedFile[],
  analysis: Analysis,
  coverage: ReadCoverage,
  scope: Pick<Scope, "byPath"> = { byPath: new Map() },
): Receipt {
  const entries = new Map<string, ReceiptEntry>();
  const add = (path: string, bucket: Bucket, lines: number): void => {
    const { by, head } = bucket.carried ?? {};
    const key = `${bucket.status}\0${bucket.reason}\0${bucket.readBy}\0${bucket.isSkimmed}\0${by}\0${head}\0${path}`;
    entries.set(key, { path, ...bucket, lines: (entries.get(key)?.lines ?? 0) + lines });
  };
  for (const piece of files.flatMap((file) => splitByHunks(file, coverage, scope))) {
    const { file, hunk } = piece;
    const cut = new Set(file.cutLines);
    const numbers = addedLineNumbers(file).slice(0, file.addedLines);
    const cutNumbers = numbers.filter((line) => cut.has(line));
    const whole = bucketOfPiece(piece, bucketOf(file, { line: null, hunk }, analysis, coverage));
    // All cut lines of a piece are in the same bucket, and so are all others: one lookup for each kind is enough.
    const [firstCut] = cutNumbers;
    if (firstCut !== undefined)
      add(file.path, bucketOf(file, { line: firstCut, hunk }, analysis, coverage), cutNumbers.length);
    const isLeftByRules = whole.reason !== null && whole.reason === coverage.unreadPaths.get(file.path);
    const isRead = whole.status === "reviewed" || whole.readBy === "rules" || isLeftByRules;
    const carried = isRead ? carriedLines(piece, "added", coverage) : [];
    for (const bucket of carried) add(file.path, bucket, 1);
    const rest = numbers.length - cutNumbers.length - carried.length;
    if (rest > 0) add(file.path, whole, rest);
    // Lines that were counted but whose text wasn't kept: no reviewer read them, whatever the file's bucket.
    const unseen = file.addedLines - numbers.length;
    if (unseen > 0) add(file.path, unseenBucket(whole), unseen);
    // Removed lines aren't counted, but their file was read now or before.
    const [removed, ...others] = isRead ? carriedLines(piece, "removed", coverage) : [];
    const isRemovalCarried = removed !== undefined && others.length + 1 === file.removedLines;
    if (file.addedLines === 0) add(file.path, isRemovalCarried ? removed : whole, 0);
    else if (carried.length > 0 && rest === 0 && file.removedLines > 0 && !isRemovalCarried)
      add(file.path, whole, 0);
  }
  const all = [...entries.values()];
  const gaps = mergeGaps([...coverage.gaps, ...gapsOfRules(all, coverage)]);
  return { entries: all, gaps, coverage: sumCoverage(all, gaps) };
}

/** The gaps of the built-in rules in files that a model has read. The other files that the rules didn't finish are entries. */
function gapsOfRules(entries: readonly ReceiptEntry[], { unreadPaths }: ReadCoverage): readonly CheckGap[] {
  return entries.flatMap(({ path, status }): readonly CheckGap[] => {
    const why = status === "reviewed" || status === "carried" ? unreadPaths.get(path) : undefined;
    // check-proof.ts knows by the path that the silence of its rules proves nothing.
    return why === undefined
      ? []
      : [{ check: "built-in rules", paths: [path], rules: [], ...RULE_GAPS[why] }];
  });
}

/** Counts the hunks that no model has read, if one has read the others, and marks those that it skimmed. */
function bucketOfPiece({ scopes, totalHunks: total, isSkimmed }: FilePiece, bucket: Bucket): Bucket {
  if (isSkimmed && bucket.status === "reviewed") return { ...bucket, isSkimmed };
  if (bucket.readBy !== "rules") return bucket;
  const unread = scopes.filter((hunk) => hunk === undefined || isHunkUnread(hunk)).length;
  return unread < total ? { ...bucket, hunks: { unread, total } } : bucket;
}

/** The lines of a kind that a model has read in an earlier review, each with its bucket. Without a model now, the rules' reading counts. */
function carriedLines(
  { file, scopes }: FilePiece,
  wanted: "added" | "removed",
  { byModel }: ReadCoverage,
): readonly Bucket[] {
  if (byModel === null) return [];
  const cut = new Set(file.cutLines);
  return file.hunks.flatMap((hunk, index) =>
    walkHunk(hunk).flatMap(({ kind, newLine }, position): readonly Bucket[] => {
      const reading = scopes[index]?.readings[position];
      if (kind !== wanted || reading === null || reading === undefined || cut.has(newLine ?? 0)) return [];
      const { model } = reading;
      return model === null
        ? []
        : [{ status: "carried", reason: null, carried: { by: model.id, head: model.head } }];
    }),
  );
}

function unseenBucket({ status, reason }: Bucket): Bucket {
  return status === "reviewed" ? UNREADABLE_BUCKETS.unreadable : { status, reason };
}

/** Without built-in rules, coverage depends on the model alone. */
function offReason(byModel: ReceiptReason | null | undefined): ReceiptReason | null {
  return byModel === undefined ? "floor-off" : byModel;
}

function factsByName(path: string): Pick<FileAnalysis, "path" | "category" | "language"> {
  return { path, category: categoryOf(path), language: languageOf(path) };
}

function filterReason(known: FileAnalysis | undefined): ReceiptReason | null {
  if (known === undefined) return null;
  if (known.isSkipped) return "filtered:skip-paths";
  return known.mark === null ? null : MARK_REASONS[known.mark];
}

function sumCoverage(entries: readonly ReceiptEntry[], gaps: readonly CheckGap[]): Coverage {
  const linesOf = (status: ReceiptStatus): number =>
    entries.reduce((sum, entry) => (entry.status === status ? sum + entry.lines : sum), 0);
  const reviewed = entries.filter(({ status }) => status === "reviewed" || status === "carried");
  return {
    addedLines: entries.reduce((sum, entry) => sum + entry.lines, 0),
    reviewedLines: linesOf("reviewed"),
    carriedLines: linesOf("carried"),
    omittedLines: linesOf("omitted"),
    unreviewableLines: linesOf("unreviewable"),
    files: new Set(entries.map(({ path }) => path)).size,
    reviewedFiles: new Set(reviewed.map(({ path }) => path)).size,
    isComplete: !entries.some(({ reason }) => makesIncomplete(reason)) && !gaps.some(isGapIncomplete),
  };
}
