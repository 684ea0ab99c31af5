/**
 * Runs the built-in rules on a change: sends each file to the reader, keeps the deadline, and lists every file that was
 * not read. The rules run in the reader's process, because hostile text in a change can make one slow.
 */
import { yieldToEventLoop } from "../../base/event-loop.ts";
import type { ConfigTree } from "../../config/repo-config/repo-config.ts";
import type {
  ChangeReading,
  RuleFile,
  FileRead,
  FileReading,
  Reader,
  ReviewedChange,
} from "../../reading/reader.ts";
import type { Repository } from "../../repository/repository.ts";
import type { Analysis } from "../../review/analysis/analysis.ts";
import type { BrokenExport } from "../../languages/exports/export-change.ts";
import type { DependencyReport } from "../../ecosystems/dependency-report.ts";
import type { Change, ChangedFile } from "../../review/change/change.ts";
import type { CheckGap } from "../../review/findings/check-gap.ts";
import type { Finding } from "../../review/findings/finding.ts";
import type { ReadCoverage, UnreadReason } from "../../review/publication/compose/compose-receipt.ts";
import { isManifest } from "../../base/path-kinds.ts";
import type { Listing } from "../gathering/gather-listing.ts";
import type { Degradations } from "../gathering/optional.ts";
import { readTexts } from "../gathering/read-texts.ts";

/** All texts of a batch are in memory at the same time. */
const FILES_PER_BATCH = 20;

/** Batches in progress: while the rules run on one, the next is prepared. */
const BATCHES_AHEAD = 2;

/** The slowest file that isn't hostile takes about a second on a quiet machine; this one may be busy. */
const MAX_FILE_MS = 10_000;

/** Small files are reviewed together up to this size, an eighth of the largest file, so that MAX_FILE_MS is as generous for them. */
const MAX_GROUP_CHARS = 32 * 1024;

/** Rules over the whole change look at every file. */
const MAX_WHOLE_CHANGE_MS = 30_000;

export type RulesTask = {
  readonly change: Change;
  readonly analysis: Analysis;
  readonly config: ConfigTree;
  readonly listing: Listing;
  readonly dependencies: DependencyReport | null;
  /** Called once. Omitted: not searched. */
  readonly findBrokenExports?: () => Promise<readonly BrokenExport[]>;
  /** Called once. Omitted: none are read. */
  readonly readTranslations?: () => Promise<ReadonlyMap<string, string>>;
};

export type RunRulesDeps = {
  readonly repository: Repository | null;
  readonly reader: Reader;
  readonly degradations: Degradations;
  readonly signal: AbortSignal;
  /** True once the time limit has passed. */
  readonly isLate: () => boolean;
  readonly onProgress: (done: number, total: number) => void;
};

export type RulesOutcome = {
  readonly findings: readonly Finding[];
  readonly coverage: Pick<ReadCoverage, "offPaths" | "unreadPaths">;
  /** Ids of the built-in rules that are on. Empty when the rules over the whole change couldn't run. */
  readonly rules: ReadonlySet<string>;
  /** Those that also check lock files, generated and skipped files. */
  readonly rulesForAll: ReadonlySet<string>;
};

type PlannedFile = {
  readonly file: ChangedFile;
  readonly facts: RuleFile;
  /** Lock files, generated files and skipped files. Only rules that apply to all files read them. */
  readonly isFiltered: boolean;
};

type Run = RunRulesDeps & { readonly change: Change; readonly unreadPaths: Map<string, UnreadReason> };

export async function runRules(task: RulesTask, deps: RunRulesDeps): Promise<RulesOutcome> {
  const planned = planFiles(task);
  const unreadPaths = new Map<string, UnreadReason>();
  const run: Run = { ...deps, change: task.change, unreadPaths };
  // The rules over the whole change come last. The list that they need is read while the reader is at the files.
  const listing = listPaths(task);
  // Awaited below, unless the files fail first.
  listing.catch(() => {});
  const findings = await reviewBatches(planned, run);
  const gathered = await gatherWhole(task, planned, listing);
  const whole = await reviewWhole(gathered, planned, run);
  return {
    findings: [...findings, ...(whole?.findings ?? [])],
    coverage: { offPaths: switchedOff(planned), unreadPaths },
    rules: new Set(whole?.rules),
    rulesForAll: new Set(whole?.rulesForAll),
  };
}

/** The findings in the order of the files. */
async function reviewBatches(planned: readonly PlannedFile[], run: Run): Promise<readonly Finding[]> {
  const batches = chunksOf(planned, FILES_PER_BATCH);
  const found: (readonly Finding[])[] = [];
  let next = 0;
  let done = 0;
  const work = async (): Promise<void> => {
    for (let index = next++; index < batches.length; index = next++) {
      const batch = batches[index] ?? [];
      run.signal.throwIfAborted();
      if (run.isLate()) for (const { file } of batch) run.unreadPaths.set(file.path, "limit:time");
      else {
        found[index] = await reviewBatch(batch, run);
        run.onProgress((done += batch.length), planned.length);
        await yieldToEventLoop();
      }
    }
  };
  await Promise.all(Array.from({ length: BATCHES_AHEAD }, work));
  return found.flat();
}

function chunksOf<Item>(items: readonly Item[], size: number): readonly (readonly Item[])[] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );
}

function switchedOff(planned: readonly PlannedFile[]): ReadonlySet<string> {
  return new Set(planned.flatMap(({ file, facts }) => (facts.floor.enabled ? [] : file.path)));
}

function planFiles({ change, analysis, config }: RulesTask): readonly PlannedFile[] {
  return change.files.flatMap((file) => {
    const known = analysis.byPath.get(file.path);
    if (known === undefined) return [];
    const { path, language, category, mark, isSkipped } = known;
    const { floor } = config.forPath(file.path).values;
    return [{ file, facts: { path, language, category, floor }, isFiltered: mark !== null || isSkipped }];
  });
}

/** Reviews most files by their diff alone. Files whose rules need the whole text are then read together and reviewed again. */
async function reviewBatch(batch: readonly PlannedFile[], run: Run): Promise<readonly Finding[]> {
  const { repository, change, degradations } = run;
  const unread = repository === null ? null : "unread";
  const first = await reviewFiles(
    batch.map((planned) => ({ ...planned, text: unread })),
    run,
  );
  const wantsText = batch.filter((_, index) => first[index] === "text-wanted");
  const texts = await degradations.optional("file contents", () =>
    readTexts(
      wantsText.map(({ file }) => file),
      change,
      repository,
    ),
  );
  const second = await reviewFiles(
    wantsText.map((planned) => {
      const whole = texts?.get(planned.file.path);
      return { ...planned, text: whole === undefined ? null : { whole } };
    }),
    run,
  );
  const reviewed = [...first, ...second].filter((each) => each !== "text-wanted" && each !== null);
  for (const gap of reviewed.flatMap(({ gaps }) => gaps))
    degradations.miss(repository === null ? gap : orUnread(gap, texts !== null));
  return reviewed.flatMap(({ findings }) => findings);
}

/** In a repository, a text is missing only if it is too large, or if reading failed. */
function orUnread(gap: CheckGap, isRead: boolean): CheckGap {
  if (gap.reason !== "off") return gap;
  return isRead
    ? { ...gap, reason: "limit", detail: "the file is too large" }
    : { ...gap, reason: "failed", detail: "the file couldn't be read" };
}

/** In the order of the files. */
async function reviewFiles(files: readonly FileReading[], run: Run): Promise<readonly (FileRead | null)[]> {
  const groups: FileReading[][] = [];
  let chars = Infinity;
  for (const file of files) {
    const own = charsOf(file);
    chars += own;
    if (chars <= MAX_GROUP_CHARS) groups.at(-1)?.push(file);
    else {
      groups.push([file]);
      chars = own;
    }
  }
  return (await Promise.all(groups.map((group) => reviewGroup(group, run)))).flat();
}

function charsOf({ file, text }: FileReading): number {
  const whole = text === null || text === "unread" ? 0 : text.whole.length;
  return file.hunks.reduce(
    (sum, { lines }) => lines.reduce((chars, line) => chars + line.length, sum),
    whole,
  );
}

/** If the task fails for a group, each of its files gets its own. */
async function reviewGroup(group: readonly FileReading[], run: Run): Promise<readonly (FileRead | null)[]> {
  if (group.length > 1) {
    const reading = await run.reader.ask("review-files", { files: group }, MAX_FILE_MS);
    if (reading.kind === "read") {
      for (const [index, { file }] of group.entries()) noteStopped(file, reading.value[index], run);
      return reading.value;
    }
  }
  return Promise.all(group.map((file) => reviewFile(file, run)));
}

function noteStopped({ path }: ChangedFile, read: FileRead | undefined, { unreadPaths }: Run): void {
  if (read !== undefined && read !== "text-wanted" && read.stoppedRules.length > 0)
    unreadPaths.set(path, "limit:file-cost");
}

/** Null when the file wasn't read. The receipt lists it, whether a rule failed or the file exceeded its limits. */
async function reviewFile(reading: FileReading, run: Run): Promise<FileRead | null> {
  const { reader, degradations, unreadPaths } = run;
  const { path } = reading.file;
  const read = await reader.ask("review-file", reading, MAX_FILE_MS);
  switch (read.kind) {
    case "read":
      noteStopped(reading.file, read.value, run);
      return read.value;
    case "over-limit":
      unreadPaths.set(path, "limit:file-cost");
      return null;
    case "failed":
      unreadPaths.set(path, "failed:rule-error");
      degradations.note("a rule failed", `${path}: ${read.message}`);
      return null;
  }
}

/** Three rules need the list: about missing tests, for changes without tests, about links in documents, and about lock files. */
async function listPaths({ analysis, listing }: RulesTask): ReturnType<Listing> {
  const isNeeded =
    !analysis.files.some(({ category }) => category === "test") ||
    analysis.files.some(({ category, path }) => category === "docs" || isManifest(path));
  return isNeeded ? listing() : null;
}

async function gatherWhole(
  { change, config, dependencies, findBrokenExports, readTranslations }: RulesTask,
  planned: readonly PlannedFile[],
  listing: ReturnType<Listing>,
): Promise<ChangeReading> {
  const brokenExports = (await findBrokenExports?.()) ?? [];
  const translations = (await readTranslations?.()) ?? new Map<string, string>();
  return {
    change,
    facts: planned.map(({ facts }) => facts),
    floor: config.root.values.floor,
    guidelineFiles: config.root.values.review.guidelines.files,
    repositoryPaths: await listing,
    dependencies,
    brokenExports,
    translations,
  };
}

/** If these rules fail, text that hides code or steers a reviewer may go unnoticed, so the rules have finished no file. */
async function reviewWhole(
  task: ChangeReading,
  planned: readonly PlannedFile[],
  { reader, degradations, unreadPaths }: Run,
): Promise<ReviewedChange | null> {
  const reading = await reader.ask("review-change", task, MAX_WHOLE_CHANGE_MS);
  if (reading.kind === "read") return reading.value;
  const [reason, message] =
    reading.kind === "failed"
      ? (["failed:rule-error", reading.message] as const)
      : (["limit:file-cost", `stopped: they used too much ${reading.limit}`] as const);
  degradations.note("rules over the whole change", message);
  for (const { file } of planned) if (!unreadPaths.has(file.path)) unreadPaths.set(file.path, reason);
  return null;
}
