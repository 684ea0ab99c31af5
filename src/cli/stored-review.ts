/**
 * The text of a memory file. It's read without zod, which would take longer to load than a small review takes, so the shape of what it
 * holds is checked here. The types make sure that no field of a prior review is left out.
 */
import { CATEGORIES, SEVERITIES } from "../base/severity.ts";
import type { ChangedFile, FileStatus, Hunk, Unreadable } from "../review/change/change.ts";
import { MAX_FILE_DIFF_LINES } from "../review/change/change-limits.ts";
import type { LineReading, ModelReading, Readings } from "../review/change/readings.ts";
import { FINDING_SOURCES } from "../review/context/finding-sources.ts";
import { PROOFS } from "../review/context/proof.ts";
import { LIFE_STATES } from "../review/context/life-states.ts";
import { MAX_PRIOR_RUNS } from "../review/context/prior-findings.ts";
import type { GivenVerdict, Verification } from "../review/context/verification.ts";
import { VERIFIER_VERDICTS } from "../review/context/verifier-verdicts.ts";
import type {
  PriorFinding,
  PriorReview,
  PriorRun,
  PriorSource,
  SeenPlace,
} from "../review/context/prior-review.ts";

/** Runs share most of their files, so each file is stored once and runs refer to it by its index. */
export type RememberedReview = Pick<PriorReview, "findings"> & {
  readonly files: readonly ChangedFile[];
  readonly runs: readonly RememberedRun[];
};

type RememberedRun = Omit<PriorRun, "files"> & { readonly files: readonly number[] | null };

export type ParsedReview =
  | { readonly kind: "read"; readonly stored: RememberedReview }
  | { readonly kind: "other-version" | "broken" };

/** The text before the body. The checksum is over the text of the body, so that nothing has to be written again to check it. */
const HEADER = /^\{"version":"([^"]{0,100})","checksum":(\d{1,10}),"body":/;

export function stringifyReview({ runs, findings, files }: RememberedReview, version: string): string {
  const body = JSON.stringify({ runs, findings, files });
  return `{"version":${JSON.stringify(version)},"checksum":${checksumOf(body)},"body":${body}}`;
}

/** Never throws, whatever the text is. */
export function parseReview(text: string, version: string): ParsedReview {
  const [header, writtenBy, checksum] = HEADER.exec(text) ?? [];
  const body = header === undefined || !text.endsWith("}") ? "" : text.slice(header.length, -1);
  if (String(checksumOf(body)) !== checksum) return { kind: "broken" };
  if (writtenBy !== version) return { kind: "other-version" };
  const stored = parseJson(body);
  // Of a matching shape, and with indexes that mean a file each.
  return isStored(stored) && stored.runs.every((run) => isOfFiles(run, stored.files))
    ? { kind: "read", stored }
    : { kind: "broken" };
}

/** Recognizes damage, which needs no cryptographic hash: a person who can write to git's own folder controls the base too. */
function checksumOf(text: string): number {
  return process.getBuiltinModule("node:zlib").crc32(text);
}

/** Undefined for text that isn't JSON, or is nested too deeply for the parser. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** A file of another run, or the same one many times, would make a small memory grow without limit. */
function isOfFiles({ files }: RememberedRun, stored: RememberedReview["files"]): boolean {
  if (files === null) return true;
  return new Set(files).size === files.length && files.every((index) => index < stored.length);
}

type Check<Value> = (value: unknown) => value is Value;

const isText: Check<string> = (value) => typeof value === "string";
const isBoolean: Check<boolean> = (value) => typeof value === "boolean";

/** Larger numbers lose their last digits. */
const isCount: Check<number> = (value): value is number => Number.isSafeInteger(value) && Number(value) >= 0;

function isOneOf<Value extends string>(values: readonly Value[]): Check<Value> {
  const all: readonly unknown[] = values;
  return (value): value is Value => all.includes(value);
}

function orNull<Value>(check: Check<Value>): Check<Value | null> {
  return (value): value is Value | null => value === null || check(value);
}

function listOf<Value>(check: Check<Value>): Check<readonly Value[]> {
  return (value): value is readonly Value[] => Array.isArray(value) && value.every(check);
}

/** One check per field. Optional fields may be missing. */
function recordOf<Value extends object>(checks: {
  readonly [Name in keyof Value]-?: Check<Value[Name]>;
}): Check<Value> {
  const fields = Object.entries<Check<unknown>>(checks);
  return (value): value is Value =>
    typeof value === "object" &&
    value !== null &&
    fields.every(([name, check]) => check(Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined));
}

/** The context around changed lines has up to six lines for each. A longer range would only cost time. */
const MAX_RANGE_LINES = 7 * MAX_FILE_DIFF_LINES;

function isRange({ startLine, endLine }: Pick<PriorFinding, "startLine" | "endLine">): boolean {
  return (endLine ?? 0) - (startLine ?? 0) <= MAX_RANGE_LINES;
}

const PLACE = {
  side: orNull(isOneOf(["new", "old"] as const)),
  startLine: orNull(isCount),
  endLine: orNull(isCount),
};

const isOtherPlace = recordOf<PriorFinding["others"][number]>({ identity: isText, ...PLACE });

type Verdict = NonNullable<PriorFinding["verdict"]>;
const isVerdict = recordOf<Verdict>({ by: isText, reason: isText });

const isThread = recordOf<NonNullable<PriorFinding["thread"]>>({
  id: isText,
  url: isText,
  isResolved: isBoolean,
  isResolvedByPerson: isBoolean,
  isReplied: isBoolean,
});

const isFraction: Check<number> = (value): value is number =>
  typeof value === "number" && value >= 0 && value <= 1;

function orMissing<Value>(check: Check<Value>): Check<Value | undefined> {
  return (value): value is Value | undefined => value === undefined || check(value);
}

const isVerdictGiven = recordOf<GivenVerdict>({
  verdict: isOneOf(VERIFIER_VERDICTS),
  isNew: isBoolean,
  severity: isOneOf(SEVERITIES),
  evidence: orNull(recordOf<NonNullable<GivenVerdict["evidence"]>>({ path: isText, line: isCount })),
  because: isText,
  model: isText,
});

const isVerdictMissing = recordOf<Exclude<Verification, GivenVerdict>>({
  verdict: isOneOf(["failed"] as const),
  model: isText,
});

const isVerification: Check<Verification> = (value): value is Verification =>
  isVerdictGiven(value) || isVerdictMissing(value);
const isSeenPlace = recordOf<SeenPlace>({ path: isText, startLine: isCount, endLine: isCount });

const isSource = recordOf<PriorSource>({
  title: isText,
  body: isText,
  severity: isOneOf(SEVERITIES),
  category: isOneOf(CATEGORIES),
  suggestion: orNull(isText),
  confidence: isFraction,
  evidence: listOf(isText),
  source: isOneOf(FINDING_SOURCES),
  rule: orNull(isText),
  pass: isText,
  proof: orMissing(isOneOf(PROOFS)),
  isSecret: orMissing(isBoolean),
  isExisting: orMissing(isBoolean),
  verification: orMissing(isVerification),
  seenAt: orMissing(listOf(isSeenPlace)),
});

const isFinding = recordOf<PriorFinding>({
  identity: isText,
  number: (value): value is number => isCount(value) && value > 0,
  path: isText,
  ...PLACE,
  others: (value): value is PriorFinding["others"] => listOf(isOtherPlace)(value) && value.every(isRange),
  title: isText,
  words: listOf(isText),
  severity: isOneOf(SEVERITIES),
  category: isOneOf(CATEGORIES),
  rule: orNull(isText),
  source: isOneOf(FINDING_SOURCES),
  sources: orMissing(listOf(isSource)),
  state: isOneOf(LIFE_STATES),
  isOnlyComment: orMissing((value): value is true => value === true),
  verdict: orMissing(isVerdict),
  thread: orNull(isThread),
});

const isModelReading = recordOf<ModelReading>({ id: isText, head: isText });
const isReading = recordOf<LineReading>({ model: orNull(isModelReading) });

type OtherReadings = Readings["others"][number];
const isSpan = recordOf<OtherReadings["spans"][number]>({ lines: isCount, reading: isReading });
const isOtherReadings = recordOf<OtherReadings>({
  path: isText,
  // Each line becomes a value.
  spans: (value): value is OtherReadings["spans"] =>
    listOf(isSpan)(value) && value.reduce((sum, { lines }) => sum + lines, 0) <= MAX_FILE_DIFF_LINES,
});

const isHunk = recordOf<Hunk>({
  oldStart: isCount,
  newStart: isCount,
  section: isText,
  lines: (value): value is readonly string[] =>
    listOf(isText)(value) && value.every((line) => /^[ +-]/.test(line)),
});

const STATUSES: readonly FileStatus[] = ["added", "modified", "deleted", "renamed", "copied", "type-changed"];

const UNREADABLE: Readonly<Record<Unreadable, true>> = {
  binary: true,
  submodule: true,
  symlink: true,
  "lfs-pointer": true,
  "too-large": true,
  "too-many-files": true,
  filtered: true,
  unreadable: true,
  "mode-only": true,
};

const isFile = recordOf<ChangedFile>({
  path: isText,
  oldPath: orNull(isText),
  status: isOneOf(STATUSES),
  oldMode: orNull(isText),
  newMode: orNull(isText),
  oldBlob: orNull(isText),
  newBlob: orNull(isText),
  addedLines: isCount,
  removedLines: isCount,
  hunks: listOf(isHunk),
  unreadable: (value): value is Unreadable | null =>
    value === null || (isText(value) && Object.hasOwn(UNREADABLE, value)),
  cutLines: listOf(isCount),
});

const isRun = recordOf<RememberedRun>({
  base: isText,
  head: isText,
  config: isText,
  readings: recordOf<Readings>({ usual: isReading, others: listOf(isOtherReadings) }),
  files: orNull(listOf(isCount)),
});

const isStored = recordOf<RememberedReview>({
  runs: (value): value is RememberedReview["runs"] => listOf(isRun)(value) && value.length <= MAX_PRIOR_RUNS,
  findings: (value): value is RememberedReview["findings"] =>
    listOf(isFinding)(value) && value.every(isRange),
  files: listOf(isFile),
});
