/**
 * Runs the analysers side by side, each in a process of its own that starts only if the change has its files. A file that
 * makes a tool crash or hang costs only that tool's findings in it.
 */
import { messageOf } from "../base/errors.ts";
import { createTaskProcess } from "../base/task-process/task-process.ts";
import type { Reading } from "../base/task-process/task-runner.ts";
import type { AnalyserGap, AnalyserReport } from "../review/publication/publication.ts";
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analyser, Program } from "./analyser.ts";
import { type AnalyserTasks, type Checked, isNotInstalled } from "./analyser-tasks.ts";
import type { Analysed, FileToAnalyse } from "./analysers.ts";
import { hideDisableComments } from "./disable-comments.ts";
import type { AnalysedFile } from "./engine.ts";
import { type CheckedFile, toFindings } from "./to-findings.ts";

/** Per analyser. Their texts are in memory at the same time. */
const MAX_FILES = 1_000;

/** A large file takes about half a second on a quiet machine; this one may be busy. */
const MAX_FILE_MS = 10_000;

/** Otherwise V8 optimizes WebAssembly in the background: ten times the work, for a process that lives a second. */
const NODE_OPTIONS = ["--liftoff-only"];

/** One run of a program over all files. */
const MAX_RUN_MS = 10_000;

/** For all files of one analyser. A review doesn't wait longer for linters. */
const MAX_TOTAL_MS = 45_000;

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
    const { text } = file;
    if (text.length > analyser.maxChars.file) gaps.add(file, "too-large");
    else if (number >= MAX_FILES || chars + text.length > analyser.maxChars.review) gaps.add(file, "too-many");
    else {
      number++;
      chars += text.length;
      return true;
    }
    return false;
  });
  const checks = await checkFiles(analyser, checked, limits);
  const rules = new Map((await analyser.rules()).map((rule) => [rule.id, rule]));
  let version: string | null = null;
  const good = checked.flatMap((file) => {
    const check = checks.get(file.path);
    if (check === undefined || check === "not-installed" || check.kind !== "read") {
      gaps.add(file, ...gapOf(check));
      return [];
    }
    ({ version } = check.value);
    return [{ file, diagnostics: check.value.diagnostics }];
  });
  return {
    findings: good.flatMap((each) => toFindings(name, rules, each)),
    version,
    files: good.length,
    gaps: gaps.list(),
  };
}

function gapOf(
  check: Exclude<Check, { readonly kind: "read" }> | undefined,
): readonly [AnalyserGap["reason"], string?] {
  if (check === undefined) return ["time"];
  if (check === "not-installed") return [check];
  return check.kind === "failed" ? ["failed", check.message] : [check.limit];
}

/** Counts files by reason, with the first message. */
function createGaps() {
  const found = new Map<AnalyserGap["reason"], AnalyserGap>();
  return {
    add({ path }: FileToAnalyse, reason: AnalyserGap["reason"], message: string | null = null): void {
      const known = found.get(reason) ?? { reason, files: 0, paths: [], message };
      found.set(reason, { ...known, files: known.files + 1, paths: [...known.paths, path] });
    },
    list: (): readonly AnalyserGap[] => [...found.values()],
  };
}

/** By path; a file without a result wasn't reached in time. */
async function checkFiles(
  analyser: Analyser,
  files: readonly CheckedFile["file"][],
  limits: Limits,
): Promise<ReadonlyMap<string, Check>> {
  if (files.length === 0) return new Map();
  const inputs = files.map(({ path, language, text }) => ({
    path,
    language,
    text: hideDisableComments(analyser.name, text),
  }));
  if (analyser.kind === "engine") return checkInProcess(analyser.name, inputs, limits);
  const checks = new Map<string, Check>();
  try {
    await checkWithProgram(await analyser.load(), inputs, limits, checks);
  } catch (error) {
    const check = isNotInstalled(error)
      ? "not-installed"
      : ({ kind: "failed", message: messageOf(error) } as const);
    if (!limits.signal.aborted) for (const { path } of inputs) checks.set(path, check);
  }
  return checks;
}

async function checkInProcess(
  name: string,
  files: readonly AnalysedFile[],
  { entry, signal }: Limits,
): Promise<ReadonlyMap<string, Check>> {
  const checks = new Map<string, Check>();
  const runner = createTaskProcess<AnalyserTasks>(
    { entry, args: [name], nodeOptions: NODE_OPTIONS, purpose: `runs ${name}` },
    signal,
  );
  const check = async (file: AnalysedFile): Promise<void> => {
    try {
      const reading = await runner.ask("check", file, MAX_FILE_MS);
      if (reading.kind !== "read") checks.set(file.path, reading);
      else if (reading.value === "not-installed") checks.set(file.path, reading.value);
      else checks.set(file.path, { kind: "read", value: reading.value });
    } catch (error) {
      if (!signal.aborted) checks.set(file.path, { kind: "failed", message: messageOf(error) });
    }
  };
  try {
    await Promise.all(files.map(check));
  } finally {
    runner.close();
  }
  return checks;
}

/** A run that fails is repeated with each half of its files, until the files that make it fail are alone. */
async function checkWithProgram(
  program: Program,
  files: readonly AnalysedFile[],
  limits: Limits,
  checks: Map<string, Check>,
): Promise<void> {
  const reading = await program.check(files, { maxMs: MAX_RUN_MS, signal: limits.signal });
  if (reading.kind === "read") {
    const { version } = program;
    for (const [path, diagnostics] of reading.value)
      checks.set(path, { kind: "read", value: { version, diagnostics } });
  } else if (files.length === 1) {
    for (const { path } of files) checks.set(path, reading);
  } else {
    const middle = files.length >> 1;
    await checkWithProgram(program, files.slice(0, middle), limits, checks);
    await checkWithProgram(program, files.slice(middle), limits, checks);
  }
}
