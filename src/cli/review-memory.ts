/** Remembers the last reviews of a branch, so that the next one reads only what is new. No code is stored, only its hashes. */
import { hashParts } from "../base/hash.ts";
import type { Repository } from "../repository/repository.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { PriorReview, PriorRun } from "../review/context/prior-review.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import type { Receipt } from "../review/publication/receipt.ts";
import type { CliDeps, CliFiles } from "./command.ts";
import { createLineHiding, type LineHiding } from "./hide-lines.ts";
import { parseReview, type RememberedReview, stringifyReview } from "./stored-review.ts";

/** Raised when the content of the file changes its form. Another version of Kodiai also has other rules, so it reads everything. */
const FORMAT = 2;

/** Several times the diff of the largest change that people review. Reading more would take longer than it saves. */
const MAX_BYTES = 16 * 1024 * 1024;

const KEY_CHARS = 32;

type MemoryKey = NonNullable<Repository["checkout"]> & {
  /** Reviews of different kinds of changes, or with other reviewers, don't share a memory. */
  readonly kind: string;
};

export type ReviewMemory = {
  /** Returns what earlier reviews of this change left. */
  recall(change: Change): PriorReview;
  /** `receipt` tells which files no reviewer is given, now or later. */
  keep(change: Change, left: PriorReview, receipt: Receipt): void;
};

export type MemoryDeps = Pick<CliDeps, "version"> & { readonly files: Pick<CliFiles, "openMemoryFile"> };

/** `note` gets one line for the user when a memory can't be used or kept. */
export async function openReviewMemory(
  { branch, gitFolder, kind }: MemoryKey,
  note: (line: string) => void,
  { files, version }: MemoryDeps,
): Promise<ReviewMemory> {
  const file = await files.openMemoryFile(gitFolder, hashParts([branch, kind], KEY_CHARS));
  const label = `${FORMAT}+${version}`;
  const text = file.read(MAX_BYTES);
  const found = text === null ? null : parseReview(text, label);
  const hiding = createLineHiding();
  return {
    recall(change) {
      if (!isRemembered(change) || found === null) return NO_PRIOR_REVIEW;
      if (found.kind === "read")
        return isContinued(change, found.stored) ? reveal(found.stored, change, hiding) : NO_PRIOR_REVIEW;
      if (found.kind === "broken") file.putAside();
      note(`kodiai: ${UNUSABLE[found.kind]}; everything was read\n`);
      return NO_PRIOR_REVIEW;
    },
    keep(change, left, receipt) {
      if (!isRemembered(change)) return;
      const stored = hide(withoutUnreviewed(left, receipt), hiding);
      // The largest changes would make a longer text than a string can hold.
      const written = countChars(stored) > MAX_BYTES ? null : stringifyReview(stored, label);
      if (written !== null && Buffer.byteLength(written) <= MAX_BYTES) file.write(written);
      else {
        file.remove();
        note("kodiai: the change is too large to be remembered; the next review reads everything again\n");
      }
    },
  };
}

const UNUSABLE = {
  broken: "the memory of the last review was unreadable and was put aside",
  "other-version": "the last review was made by another version of Kodiai",
} as const;

/** Without uncommitted work and without commits of its own, a branch stands for its last commit, which isn't remembered. */
function isRemembered({ kind }: Change): boolean {
  return kind === "branch" || kind === "working-tree" || kind === "staged";
}

/** Uncommitted work on top of another commit is another change: the earlier work was committed, not fixed. */
function isContinued({ base, commits }: Change, { runs }: RememberedReview): boolean {
  return commits.length > 0 || runs[0]?.base === base;
}

/**
 * Lock files, generated files and others that are excluded from the review keep their names, but not their lines: no model has read
 * them, so the next review compares nothing with them. Some are larger than all code of a change.
 */
function withoutUnreviewed(
  { runs: [newest, ...earlier], findings }: PriorReview,
  { entries }: Receipt,
): PriorReview {
  if (newest === undefined) return { runs: [], findings };
  const excluded = new Set(
    entries.flatMap(({ path, reason }) => (reason?.startsWith("filtered:") === true ? [path] : [])),
  );
  const { usual, others } = newest.readings;
  const run: PriorRun = {
    ...newest,
    readings: { usual, others: others.filter(({ path }) => !excluded.has(path)) },
    files:
      newest.files?.map((file) => (excluded.has(file.path) ? { ...file, hunks: [], cutLines: [] } : file)) ??
      null,
  };
  return { runs: [run, ...earlier], findings };
}

function countChars({ files }: RememberedReview): number {
  let sum = 0;
  for (const { hunks } of files) for (const { lines } of hunks) for (const { length } of lines) sum += length;
  return sum;
}

function hide({ runs, findings }: PriorReview, hiding: LineHiding): RememberedReview {
  const files = [...new Set(runs.flatMap((run) => run.files ?? []))];
  const indexes = new Map<string, number>();
  const stored: ChangedFile[] = [];
  const indexOf = new Map(
    hiding.hide(files).map((file, position) => {
      const text = JSON.stringify(file);
      const index = indexes.get(text) ?? stored.push(file) - 1;
      indexes.set(text, index);
      return [files[position], index];
    }),
  );
  return {
    runs: runs.map((run) => ({
      ...run,
      files: run.files?.flatMap((file) => indexOf.get(file) ?? []) ?? null,
    })),
    findings,
    files: stored,
  };
}

function reveal(
  { runs, findings, files }: RememberedReview,
  change: Change,
  hiding: LineHiding,
): PriorReview {
  // A lock file is stored without its lines, so those that it has now needn't be hashed.
  const byPath = Map.groupBy(files, ({ path }) => path);
  const isCompared = ({ path }: ChangedFile): boolean =>
    byPath.get(path)?.some(({ hunks }) => hunks.length > 0) ?? true;
  const shown = hiding.reveal(files, change.files.filter(isCompared));
  const at = (index: number): readonly ChangedFile[] => shown.slice(index, index + 1);
  return { runs: runs.map((run) => ({ ...run, files: run.files?.flatMap(at) ?? null })), findings };
}
