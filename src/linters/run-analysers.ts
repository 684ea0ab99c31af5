/**
 * Runs the analysers side by side, each in a process of its own that starts only if the change has its files. A file that
 * makes a tool crash or hang costs only that tool's findings in it.
 */
import { messageOf } from "../base/errors.ts";
import { createTaskProcess } from "../base/task-process/task-process.ts";
import type { Reading } from "../base/task-process/task-runner.ts";
import type { AnalyserGap, AnalyserReport } from "./analyser-report.ts";
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analyser, Program } from "./analyser.ts";
import type { Diagnostic } from "./engine.ts";
import { confirmDiagnostics } from "./second-opinion.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import { type AnalyserTasks, type Checked, type FileToCheck, isNotInstalled } from "./analyser-tasks.ts";
import type { Analysed, FileToAnalyse } from "./analysers.ts";
import { hideDisableComments } from "./disable-comments.ts";
import { limitDiagnostics } from "./limit-diagnostics.ts";
import { type CheckedFile, toFindings } from "./to-findings.ts";

/** Per analyser. Their texts are in memory at the same time. */
const MAX_FILES = 1_000;

/** A large file takes about half a second; the largest shell script about four. */
const MAX_FILE_MS = 10_000;

/** Files that may use up their time or memory. A change with more of them isn't a usual one, and must not block a worker. */
const MAX_STOPPED_FILES = 12;

/**
 * Otherwise V8 optimizes WebAssembly in the background: ten times the work, for a process that lives a second. It also validates all
 * functions at the start, an eighth of a second for ruff and ShellCheck together, although few are called.
 */
const NODE_OPTIONS = ["--liftoff-only", "--wasm-lazy-validation"];

/** CPU time of one run of a program, in addition to that for its files. Its start takes a quarter of a second. */
const MIN_RUN_CPU_SECONDS = 5;

/** Oxlint takes about a tenth of that. */
const CHARS_PER_CPU_SECOND = 1_000_000;

/** The limit of a run for up to a million characters, as almost all are. */
export const SMALL_RUN_CPU_SECONDS = MIN_RUN_CPU_SECONDS + 1;

/** CPU time of the runs that fail, together. A file that hangs, among a thousand, takes about 30 s to find. */
const MAX_FAILED_CPU_SECONDS = 120;

/** A run that crashes is over as soon as it has started. */
const CRASH_CPU_SECONDS = 1;

/** A run that fails is repeated with its files in this many parts. */
const PARTS = 8;

/** On the clock, for all files of one analyser. It ends what waits for something without using the CPU. */
const MAX_TOTAL_MS = 600_000;

export type RunAnalysersDeps = Limits & {
  readonly now: () => number;
  /** Omitted: all. */
  readonly analysers?: readonly Analyser[];
};

type Limits = {
  /** The module of analyser-main. */
  readonly entry: URL;
  /** Aborted with the review; within an analyser also at the end of its time. */
  readonly signal: AbortSignal;
};

/** The result for one file. */
type Check = Reading<Checked> | "not-installed";

/** Rejects only when the signal was aborted. */
export async function runAnalysers(
  files: readonly FileToAnalyse[],
  { entry, now, signal, analysers = ALL_ANALYSERS }: RunAnalysersDeps,
): Promise<Analysed> {
  const run = async (analyser: Analyser): Promise<Analysed | null> => {
    const own = files.filter((file) => analyser.isFor(file));
    if (own.length === 0) return null;
    const startedAt = now();
    const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_TOTAL_MS)]);
    const done = await analyseWith(analyser, own, { entry, signal: limited });
    signal.throwIfAborted();
    return toAnalysed(analyser, done, now() - startedAt);
  };
  const done = (await Promise.all(analysers.map(run))).filter((each) => each !== null);
  return {
    findings: done.flatMap(({ findings }) => findings),
    reports: done.flatMap(({ reports }) => reports),
  };
}

type Done = Pick<Analysed, "findings"> & {
  readonly version: string | null;
  readonly files: number;
  readonly gaps: readonly AnalyserGap[];
};

function toAnalysed({ name, package: fromPackage }: Analyser, done: Done, ms: number): Analysed {
  const { findings, version, files, gaps } = done;
  // None of the files has anything that the tool is for.
  if (files === 0 && gaps.length === 0) return { findings, reports: [] };
  const report: AnalyserReport = {
    name,
    version,
    package: fromPackage,
    files,
    findings: findings.length,
    ms,
    gaps,
  };
  return { findings, reports: [report] };
}

async function analyseWith(
  analyser: Analyser,
  files: readonly FileToAnalyse[],
  limits: Limits,
): Promise<Done> {
  const { name } = analyser;
  const gaps = createGaps();
  const isOff = ({ config }: FileToAnalyse): boolean =>
    config.analysers[name] === "off" || !config.floor.enabled;
  const readable = files.filter((file): file is CheckedFile["file"] => {
    if (isOff(file)) gaps.add(file, "off");
    else if (file.text === null) gaps.add(file, "unread");
    return !isOff(file) && file.text !== null;
  });
  let chars = 0;
  let number = 0;
  const checked = readable.filter((file) => {
    const { length } = file.text;
    if (length > analyser.maxChars.file) gaps.add(file, "too-large");
    else if (number >= MAX_FILES || chars + length > analyser.maxChars.review) gaps.add(file, "too-many");
    else {
      number++;
      chars += length;
      return true;
    }
    return false;
  });
  const rules = new Map((await analyser.rules()).map((rule) => [rule.id, rule]));
  const checks = await checkFiles(analyser, rules, checked, limits);
  let version: string | null = null;
  let complete = 0;
  const findings = checked.flatMap((file) => {
    const result = checks.get(file.path);
    if (result === undefined || result === "not-installed" || result.kind !== "read") {
      gaps.add(file, ...gapOf(result));
      return [];
    }
    ({ version } = result.value);
    const { check } = result.value;
    if (check === null) return [];
    if (check.gap === null) complete++;
    else gaps.add(file, check.gap);
    return toFindings(name, rules, { file, diagnostics: check.diagnostics });
  });
  return { findings, version, files: complete, gaps: gaps.list() };
}

function gapOf(
  check: Exclude<Check, { readonly kind: "read" }> | undefined,
): readonly [AnalyserGap["reason"], string?] {
  if (check === undefined) return ["time"];
  if (check === "not-installed") return [check];
  return check.kind === "failed" ? ["failed", check.message] : [check.limit];
}

/** Lists files by reason, with the first message. */
function createGaps() {
  const found = new Map<
    AnalyserGap["reason"],
    { readonly message: string | null; readonly paths: string[] }
  >();
  return {
    add({ path }: FileToAnalyse, reason: AnalyserGap["reason"], message: string | null = null): void {
      const known = found.get(reason) ?? { message, paths: [] };
      known.paths.push(path);
      found.set(reason, known);
    },
    list: (): readonly AnalyserGap[] =>
      Array.from(found, ([reason, { message, paths }]) => ({ reason, files: paths.length, paths, message })),
  };
}

/** By path; a file without a result wasn't reached in time. */
async function checkFiles(
  analyser: Analyser,
  rules: ReadonlyMap<string, AnalyserRule>,
  files: readonly CheckedFile["file"][],
  limits: Limits,
): Promise<ReadonlyMap<string, Check>> {
  if (files.length === 0) return new Map();
  const inputs = files.map(({ path, language, text, added }) => ({
    path,
    language,
    text: hideDisableComments(analyser.name, text),
    added,
  }));
  if (analyser.kind === "engine") return checkInProcess(analyser.name, inputs, limits);
  const checks = new Map<string, Check>();
  try {
    const program = await analyser.load();
    await checkWithProgram(program, inputs, { ...limits, rules, checks, failedCpuSeconds: 0 });
    if (analyser.isDoubtful !== undefined) await confirm(analyser.isDoubtful, inputs, checks, limits);
  } catch (error) {
    const check = isNotInstalled(error)
      ? "not-installed"
      : ({ kind: "failed", message: messageOf(error) } as const);
    if (!limits.signal.aborted) for (const { path } of inputs) if (!checks.has(path)) checks.set(path, check);
  }
  return checks;
}

/** Takes out what isn't confirmed. */
async function confirm(
  isDoubtful: (diagnostic: Diagnostic) => boolean,
  files: readonly FileToCheck[],
  checks: Map<string, Check>,
  limits: Limits,
): Promise<void> {
  let version = "";
  const doubtful = files.flatMap((file) => {
    const first = checks.get(file.path);
    if (first === undefined || first === "not-installed" || first.kind !== "read") return [];
    const { check } = first.value;
    ({ version } = first.value);
    return check?.diagnostics.some(isDoubtful) ? [{ file, check }] : [];
  });
  if (doubtful.length === 0) return;
  for (const [path, check] of await confirmDiagnostics(doubtful, isDoubtful, limits))
    checks.set(path, { kind: "read", value: { version, check } });
}

async function checkInProcess(
  name: string,
  files: readonly FileToCheck[],
  { entry, signal }: Limits,
): Promise<ReadonlyMap<string, Check>> {
  const checks = new Map<string, Check>();
  const runner = createTaskProcess<AnalyserTasks>(
    { entry, args: [name], nodeOptions: NODE_OPTIONS, purpose: `runs ${name}` },
    signal,
  );
  let stopped = 0;
  const check = async (file: FileToCheck): Promise<void> => {
    try {
      const reading = await runner.ask("check", file, MAX_FILE_MS);
      if (reading.kind === "over-limit" && ++stopped === MAX_STOPPED_FILES) runner.close();
      if (reading.kind !== "read") checks.set(file.path, reading);
      else if (reading.value === "not-installed") checks.set(file.path, reading.value);
      else checks.set(file.path, { kind: "read", value: reading.value });
    } catch (error) {
      const isOver = signal.aborted || stopped >= MAX_STOPPED_FILES;
      if (!isOver) checks.set(file.path, { kind: "failed", message: messageOf(error) });
    }
  };
  try {
    await Promise.all(files.map(check));
  } finally {
    runner.close();
  }
  return checks;
}

type ProgramRuns = Pick<Limits, "signal"> & {
  readonly rules: ReadonlyMap<string, AnalyserRule>;
  readonly checks: Map<string, Check>;
  failedCpuSeconds: number;
};

/** A run that fails is repeated with parts of its files, until the files that make it fail are alone. */
async function checkWithProgram(
  program: Program,
  files: readonly FileToCheck[],
  runs: ProgramRuns,
): Promise<void> {
  if (runs.failedCpuSeconds >= MAX_FAILED_CPU_SECONDS) return;
  const chars = files.reduce((sum, { text }) => sum + text.length, 0);
  const maxCpuSeconds = MIN_RUN_CPU_SECONDS + Math.ceil(chars / CHARS_PER_CPU_SECOND);
  const reading = await program.check(files, { maxCpuSeconds, signal: runs.signal });
  if (reading.kind === "read") {
    const { version } = program;
    for (const { path, added } of files) {
      const found = reading.value.get(path);
      if (found === undefined) continue;
      const check = limitDiagnostics(found, runs.rules, added);
      runs.checks.set(path, { kind: "read", value: { version, check } });
    }
    return;
  }
  const isLate = reading.kind === "over-limit" && reading.limit === "time";
  runs.failedCpuSeconds += isLate ? maxCpuSeconds : CRASH_CPU_SECONDS;
  if (files.length === 1) {
    for (const { path } of files) runs.checks.set(path, reading);
    return;
  }
  const size = Math.ceil(files.length / PARTS);
  for (let start = 0; start < files.length; start += size)
    await checkWithProgram(program, files.slice(start, start + size), runs);
}
