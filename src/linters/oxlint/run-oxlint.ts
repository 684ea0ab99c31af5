/**
 * Runs oxlint in a private folder that contains only the files under neutral names and our configuration. Nothing of the
 * repository is near it: no configuration, no plugin, no ignore file, no path that means anything.
 */
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { Socket } from "node:net";
import { join } from "node:path";
import { createPause } from "../../base/event-loop.ts";
import { createScratchFolder, removeScratchFolder } from "../../base/scratch-folder.ts";
import { startProcess } from "../../base/task-process/start-process.ts";
import type { Reading } from "../../base/task-process/task-runner.ts";
import type { ChecksByPath, Program, ProgramLimits } from "../analyser.ts";
import type { AnalysedFile, Diagnostic, FileCheck } from "../engine.ts";
import { isOtherDialect } from "./dialects.ts";
import { OXLINT_RULES, SYNTAX_ERROR } from "./rules.ts";

/** About 20,000 diagnostics. Of a file with more, the first ones are read. */
const MAX_OUTPUT_CHARS = 8_000_000;

/** Other work in this process waits no longer than this. */
const MAX_WRITING_MS = 10;

/** The end of the error output of a run that failed. */
const MAX_STDERR_CHARS = 500;

/** Extensions decide how a file is parsed. */
const EXTENSION = /(?:\.d)?\.(?:[cm]?[jt]s|[jt]sx)$/;
const TYPESCRIPT = /\.(?:[cm]?ts|tsx)$/;

/** JavaScript with types, such as Flow's, often parses as this. */
const WITH_TYPES = ".tsx";

/**
 * The last line of every file. Oxlint reports it as unused after all rules have run. Without that report it didn't check the
 * file: it says nothing about a file with `@flow` that it can't parse. A comment changes nothing else.
 */
export const CANARY = "// oxlint-disable-line";
const IS_CANARY = /^Unused oxlint-disable/;

/** The label of the bracket that has no partner. The error is where the partner should be. */
const OPENED = "Opened here";

const CONFIG_NAME = "config.json";

const CONFIG = JSON.stringify({
  plugins: [...new Set(OXLINT_RULES.map(({ plugin }) => plugin))],
  categories: { correctness: "off" },
  rules: Object.fromEntries(
    OXLINT_RULES.filter(({ id }) => id !== SYNTAX_ERROR).map(({ id, plugin, options = [] }) => [
      plugin === "eslint" ? id : `${plugin}/${id}`,
      ["error", ...options],
    ]),
  ),
});

const ARGUMENTS = [
  "-c",
  CONFIG_NAME,
  "--disable-nested-config",
  "--no-ignore",
  "--format=json",
  "--report-unused-disable-directives",
  ".",
];

/** Node waits for the folder before it loads oxlint, so a process can start before there are files. */
export const FOLDER_FROM_INPUT = `data:text/javascript,${encodeURIComponent(
  'import { readFileSync } from "node:fs"; process.chdir(readFileSync(0, "utf8"));',
)}`;

/** A process that got no files by then isn't needed, for example because oxlint is turned off. */
const MAX_READY_MS = 30_000;

type Child = ReturnType<typeof startProcess>;
type Start = (maxCpuSeconds: number) => Child;

/** Rejects when the package isn't installed. */
export async function loadOxlint(): Promise<Program> {
  const manifest = new URL(import.meta.resolve("oxlint/package.json"));
  // The package's own file: it has a version.
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { readonly version: string };
  const { prepare, start } = createStarts(new URL("bin/oxlint", manifest));
  return {
    version,
    prepare,
    async check(files, limits) {
      const first = await checkAs(extensionOf, start, files, limits);
      if (first.kind !== "read") return first;
      const untyped = files.filter(
        ({ path }) => first.value.get(path)?.gap === "unparsed" && !TYPESCRIPT.test(extensionOf(path)),
      );
      if (untyped.length === 0) return first;
      const second = await checkAs(() => WITH_TYPES, start, untyped, limits);
      const checks = new Map(first.value);
      for (const { path } of untyped) {
        const typed = second.kind === "read" ? second.value.get(path) : undefined;
        checks.set(path, choose(checks.get(path), typed));
      }
      return { kind: "read", value: checks };
    },
  };
}

/** Starts processes, of which one can be prepared. */
function createStarts(entry: URL): {
  readonly prepare: (maxCpuSeconds: number) => void;
  readonly start: Start;
} {
  const startNew: Start = (maxCpuSeconds) => {
    const nodeOptions = ["--import", FOLDER_FROM_INPUT];
    return startProcess({ entry, args: ARGUMENTS, nodeOptions, isGroup: true, maxCpuSeconds });
  };
  let ready: { readonly child: Child; readonly maxCpuSeconds: number } | null = null;
  return {
    prepare(maxCpuSeconds) {
      if (ready !== null) return;
      const child = startNew(maxCpuSeconds);
      // A failure to start is reported by the start that a check needs.
      const forget = (): void => void (ready = ready?.child === child ? null : ready);
      child.on("error", forget).on("exit", forget);
      if (!Object.hasOwn(child, "stdio")) return;
      ready = { child, maxCpuSeconds };
      for (const each of handlesOf(child)) each.unref();
      setTimeout(() => {
        if (ready?.child === child) child.stdin.destroy();
      }, MAX_READY_MS).unref();
    },
    start(maxCpuSeconds) {
      if (ready?.maxCpuSeconds !== maxCpuSeconds) return startNew(maxCpuSeconds);
      const { child } = ready;
      ready = null;
      for (const each of handlesOf(child)) each.ref();
      return child;
    },
  };
}

/** These keep Node from ending while the process runs. Its pipes are sockets. */
function handlesOf(child: Child): readonly (Child | Socket)[] {
  return [child, ...[child.stdin, child.stdout, child.stderr].filter((pipe) => pipe instanceof Socket)];
}

/** A syntax error in JavaScript is likely when the file with types has the same one. Babel confirms it. */
function choose(plain: FileCheck | undefined, typed: FileCheck | undefined): FileCheck {
  if (typed !== undefined && typed.gap !== "unparsed") return typed;
  const [error] = plain?.diagnostics ?? [];
  const [other] = typed?.diagnostics ?? [];
  const isCertain = error !== undefined && error.line === other?.line && error.message === other.message;
  return { diagnostics: isCertain ? [error] : [], gap: "unparsed" };
}

async function checkAs(
  extension: (path: string) => string,
  start: Start,
  files: readonly AnalysedFile[],
  limits: ProgramLimits,
): Promise<Reading<ChecksByPath>> {
  limits.signal.throwIfAborted();
  const folder = await createScratchFolder("oxlint");
  try {
    const named = new Map(
      files.map((file, index) => [`${String(index + 1).padStart(4, "0")}${extension(file.path)}`, file]),
    );
    writeFileSync(join(folder, CONFIG_NAME), CONFIG);
    // Small files are written in less time than a promise takes.
    const pause = createPause(MAX_WRITING_MS);
    for (const [name, { text }] of named) {
      writeFileSync(join(folder, name), `${text}\n${CANARY}`);
      await pause();
    }
    const run = await runIn(folder, start, limits);
    if (run.kind !== "read") return run;
    const { output, isCut } = run.value;
    // A run with fewer files may be within the limit.
    if (isCut && files.length > 1) return { kind: "over-limit", limit: "memory" };
    return readOutput(isCut ? endOutput(output) : output, named, isCut);
  } finally {
    await removeScratchFolder(folder);
  }
}

function extensionOf(path: string): string {
  return EXTENSION.exec(path.toLowerCase())?.[0] ?? ".js";
}

/** The output up to its last complete diagnostic: there is one on each line. */
function endOutput(output: string): string {
  return `${output.slice(0, output.lastIndexOf(",\n"))}]}`;
}

type RunOutput = { readonly output: string; readonly isCut: boolean };

/** The output of a run in the folder. */
export function runIn(
  folder: string,
  start: Start,
  { maxCpuSeconds, signal }: ProgramLimits,
): Promise<Reading<RunOutput>> {
  const child = start(maxCpuSeconds);
  return new Promise((resolve, reject) => {
    let output = "";
    let errors = "";
    const end = (): void => {
      if (child.pid === undefined) return;
      try {
        process.kill(-child.pid, "SIGKILL");
      } catch {
        child.kill("SIGKILL");
      }
    };
    const settle = (how: () => void): void => {
      signal.removeEventListener("abort", onAbort);
      how();
    };
    const stop = (reading: Reading<RunOutput>): void => {
      end();
      settle(() => resolve(reading));
    };
    const onAbort = (): void => {
      end();
      settle(() => reject(signal.reason));
    };
    signal.addEventListener("abort", onAbort, { once: true });
    child.on("error", (error) => stop({ kind: "failed", message: error.message }));
    // With too many files open, Node returns a child without streams and reports the error later.
    if (!Object.hasOwn(child, "stdio")) return;
    child.stdin.on("error", () => {});
    child.stdin.end(folder);
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      if (output.length > MAX_OUTPUT_CHARS) stop({ kind: "read", value: { output, isCut: true } });
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      errors = (errors + text).slice(-MAX_STDERR_CHARS);
    });
    child.on("close", (code, by) => settle(() => resolve(readingOf(output, errors, { code, by }))));
  });
}

type Exit = { readonly code: number | null; readonly by: NodeJS.Signals | null };

function readingOf(output: string, errors: string, { code, by }: Exit): Reading<RunOutput> {
  // Exit code 1 means that there are diagnostics.
  if (code === 0 || code === 1) return { kind: "read", value: { output, isCut: false } };
  if (by === "SIGXCPU") return { kind: "over-limit", limit: "time" };
  // The system kills a process that uses too much.
  if (by === "SIGKILL") return { kind: "over-limit", limit: "memory" };
  return { kind: "failed", message: errors.trim().split("\n").at(-1) || (by ?? `exit code ${code}`) };
}

/** The parts of oxlint's JSON that we read. */
type Output = {
  readonly diagnostics: readonly {
    /** `plugin(rule)`; a syntax error has none. */
    readonly code?: string;
    readonly message: string;
    readonly filename: string;
    readonly labels: readonly {
      readonly label?: string;
      /** In bytes; the line is 1-based. */
      readonly span: { readonly offset: number; readonly length: number; readonly line: number };
    }[];
  }[];
};

export function readOutput(
  output: string,
  named: ReadonlyMap<string, AnalysedFile>,
  isCut: boolean,
): Reading<ChecksByPath> {
  try {
    // Only oxlint writes it. A wrong shape throws here.
    const { diagnostics } = JSON.parse(output) as Output;
    const byName = Map.groupBy(diagnostics, ({ filename }) => filename);
    const checks = Array.from(
      named,
      ([name, file]) => [file.path, checkOf(byName.get(name) ?? [], file, isCut)] as const,
    );
    return { kind: "read", value: new Map(checks) };
  } catch {
    return { kind: "failed", message: "its output isn't readable" };
  }
}

function checkOf(results: Output["diagnostics"], { text }: AnalysedFile, isCut: boolean): FileCheck {
  const bytes = Buffer.from(text);
  const lines = text.split("\n");
  // An error at the end of the file is reported on the line of the canary.
  const lastLine = lines.findLastIndex((line) => line.trim() !== "") + 1;
  const diagnostics: Diagnostic[] = [];
  let syntaxError: Diagnostic | null = null;
  let isChecked = false;
  let isDialect = false;
  for (const { code, message, labels } of results) {
    if (code === undefined && IS_CANARY.test(message)) isChecked = true;
    const rule = code === undefined ? SYNTAX_ERROR : /\(([^()]+)\)$/.exec(code)?.[1];
    // The last place is the problem itself; earlier ones say where a name was declared or a key was first used.
    const place = labels.findLast(({ label }) => label !== OPENED)?.span;
    if (rule === undefined || place === undefined) continue;
    const spanned = bytes.subarray(place.offset, place.offset + place.length).toString("latin1");
    const line = Math.max(1, Math.min(place.line, lastLine));
    const found = {
      rule,
      line,
      endLine: line + spanned.split("\n").length - 1,
      related: labels.filter(({ span }) => span !== place).map(({ span }) => span.line),
      message,
    };
    if (rule !== SYNTAX_ERROR) diagnostics.push(found);
    else if (syntaxError === null) {
      syntaxError = found;
      isDialect = isOtherDialect(text, lines[line - 1] ?? "");
    }
  }
  if (isCut) return { diagnostics, gap: "too-many-findings" };
  if (isChecked) return { diagnostics, gap: null };
  return { diagnostics: syntaxError === null || isDialect ? [] : [syntaxError], gap: "unparsed" };
}
