/** Remembers the last reviews of a branch, so that the next one reads only what is new. */
import { hashParts } from "../base/hash.ts";
import { createSameLengthMask } from "../base/secrets/same-length-mask.ts";
import type { Repository } from "../repository/repository.ts";
import type { Change, ChangedFile } from "../review/change/change.ts";
import type { PriorReview, PriorRun } from "../review/context/prior-review.ts";
import { NO_PRIOR_REVIEW } from "../review/context/prior-findings.ts";
import { SECRET_RULES } from "../review/findings/secret-rules.ts";
import type { CliDeps } from "./command.ts";

/** Raised when the content of the file changes its form. Another version of Kodiai also has other rules, so it reads everything. */
const FORMAT = 1;

/** Several times the diff of the largest change that people review. Reading more would take longer than it saves. */
const MAX_BYTES = 16 * 1024 * 1024;

const KEY_CHARS = 32;

/** The text before the body. The checksum is over the text of the body, so that nothing has to be written again to check it. */
const HEADER = /^\{"version":"([^"]{0,100})","checksum":(\d{1,10}),"body":/;

/** Runs share most of their files, so each file is stored once and runs refer to it by its index. */
type Body = Pick<PriorReview, "findings"> & {
  readonly files: readonly ChangedFile[];
  readonly runs: readonly (Omit<PriorRun, "files"> & { readonly files: readonly number[] | null })[];
};

type MemoryKey = NonNullable<Repository["checkout"]> & {
  /** Reviews of different kinds of changes, or with other reviewers, don't share a memory. */
  readonly kind: string;
};

export type ReviewMemory = {
  /** Returns what earlier reviews of this change left. */
  recall(change: Change): PriorReview;
  keep(change: Change, left: PriorReview): void;
};

/** `note` gets one line for the user when a memory can't be used or kept. */
export async function openReviewMemory(
  { branch, gitFolder, kind }: MemoryKey,
  note: (line: string) => void,
  { openMemoryFile, version }: Pick<CliDeps, "openMemoryFile" | "version">,
): Promise<ReviewMemory> {
  const file = await openMemoryFile(gitFolder, hashParts([branch, kind], KEY_CHARS));
  const label = `${FORMAT}+${version}`;
  const text = file.read(MAX_BYTES);
  const found = text === null ? NO_PRIOR_REVIEW : parse(text, label);
  return {
    recall(change) {
      if (!isRemembered(change)) return NO_PRIOR_REVIEW;
      if (typeof found === "string") {
        note(`kodiai: ${found}; everything was read\n`);
        return NO_PRIOR_REVIEW;
      }
      return isContinued(change, found) ? found : NO_PRIOR_REVIEW;
    },
    keep(change, left) {
      if (!isRemembered(change)) return;
      // The largest changes would make a longer text than a string can hold.
      const written = countChars(change) > MAX_BYTES ? null : stringify(left, label);
      if (written !== null && Buffer.byteLength(written) <= MAX_BYTES) file.write(written);
      else {
        file.remove();
        note("kodiai: the change is too large to be remembered; the next review reads everything again\n");
      }
    },
  };
}

function countChars({ files }: Change): number {
  let sum = 0;
  for (const { hunks } of files) for (const { lines } of hunks) for (const { length } of lines) sum += length;
  return sum;
}

/** Without uncommitted work and without commits of its own, a branch stands for its last commit, which isn't remembered. */
function isRemembered({ kind }: Change): boolean {
  return kind === "branch" || kind === "working-tree" || kind === "staged";
}

/** Uncommitted work on top of another commit is another change: the earlier work was committed, not fixed. */
function isContinued({ base, commits }: Change, { runs }: PriorReview): boolean {
  return commits.length > 0 || runs[0]?.base === base;
}

function stringify({ runs: [newest, ...earlier], findings }: PriorReview, version: string): string {
  const indexes = new Map<string, number>();
  const indexOf = (file: ChangedFile): number => {
    const text = JSON.stringify(file);
    const known = indexes.get(text);
    if (known === undefined) indexes.set(text, indexes.size);
    return known ?? indexes.size - 1;
  };
  const runs = newest === undefined ? [] : [withoutSecrets(newest, findings), ...earlier];
  const stored = runs.map((run) => ({ ...run, files: run.files?.map(indexOf) ?? null }));
  const body = `{"runs":${JSON.stringify(stored)},"findings":${JSON.stringify(findings)},"files":[${[...indexes.keys()].join(",")}]}`;
  return `{"version":${JSON.stringify(version)},"checksum":${checksumOf(body)},"body":${body}}`;
}

/** A secret must be gone once its author has removed it. Masked lines differ from those of the change, so they are read again. */
function withoutSecrets(run: PriorRun, findings: PriorReview["findings"]): PriorRun {
  const paths = new Set(
    findings.flatMap(({ rule, path }) => (rule !== null && SECRET_RULES.has(rule) ? [path] : [])),
  );
  return { ...run, files: run.files?.map((file) => (paths.has(file.path) ? maskFile(file) : file)) ?? null };
}

function maskFile(file: ChangedFile): ChangedFile {
  // Masks keep line breaks. All hunks at once, because a key can begin in one and end in the next.
  const lines = createSameLengthMask()(file.hunks.flatMap((hunk) => hunk.lines).join("\n")).split("\n");
  return {
    ...file,
    hunks: file.hunks.map((hunk) => ({ ...hunk, lines: lines.splice(0, hunk.lines.length) })),
  };
}

/** Recognizes damage, which needs no cryptographic hash: a person who can write to git's own folder controls the base too. */
function checksumOf(text: string): number {
  return process.getBuiltinModule("node:zlib").crc32(text);
}

/** Returns why the memory can't be used, as the beginning of a sentence, if it can't. */
function parse(text: string, version: string): PriorReview | string {
  const [header, writtenBy, checksum] = HEADER.exec(text) ?? [];
  const body = header === undefined ? "" : text.slice(header.length, -1);
  if (String(checksumOf(body)) !== checksum) return "the memory of the last review was unreadable";
  if (writtenBy !== version) return "the last review was made by another version of Kodiai";
  // The checksum matches, so this version wrote it.
  const { runs, findings, files } = JSON.parse(body) as Body;
  const at = (index: number): readonly ChangedFile[] => files.slice(index, index + 1);
  return {
    runs: runs.map((run) => ({ ...run, files: run.files?.flatMap(at) ?? null })),
    findings,
  };
}
