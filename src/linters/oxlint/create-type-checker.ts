/**
 * Runs oxlint with the types of a project, by way of the package oxlint-tsgolint, which the operator installs. The files are in a private folder
 * with our configuration; nothing of the repository runs, and no file outside is compiled with them.
 */
import { writeFile, readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { messageOf } from "../../base/errors.ts";
import { createScratchFolder, removeScratchFolder } from "../../base/scratch-folder.ts";
import { startProcess } from "../../base/task-process/start-process.ts";
import type { Reading } from "../../base/task-process/task-runner.ts";
import type { AnalyserGap } from "../analyser-report.ts";
import type { ChecksByPath } from "../analyser.ts";
import { isNotInstalled } from "../analyser-tasks.ts";
import type { Analysed, FileToAnalyse } from "../analysers.ts";
import { hideDisableComments } from "../disable-comments.ts";
import { limitDiagnostics } from "../limit-diagnostics.ts";
import { toFindings } from "../to-findings.ts";
import { TYPE_CHECKER, type TypeChecker } from "../type-checker.ts";
import { isLaidOut, layOutProject } from "./lay-out-project.ts";
import { CANARY, FOLDER_FROM_INPUT, readOutput, runIn } from "./run-oxlint.ts";
import { TYPE_RULES } from "./type-rules.ts";

const PACKAGE = "oxlint-tsgolint";

/** Of each of the two processes. A project of 200,000 lines takes about ten. */
const MAX_CPU_SECONDS = 60;

/** On the clock. */
const MAX_MS = 180_000;

/** The collector works harder above this; the limit of the process is a third higher. */
const MEMORY_AIM = "1000MiB";

const CONFIG_NAME = "oxlint.json";

const CONFIG = JSON.stringify({
  plugins: ["typescript"],
  categories: { correctness: "off" },
  rules: Object.fromEntries(
    TYPE_RULES.map(({ id, plugin, options }) => [`${plugin}/${id}`, ["error", ...options]]),
  ),
});

const RULES = new Map(TYPE_RULES.map((rule) => [rule.id, rule]));

type Tools = { readonly version: string; readonly oxlint: URL; readonly program: string };

/** `resolve`: as `import.meta.resolve`. */
export function createTypeChecker(
  now: () => number,
  resolve: (name: string) => string = (name) => import.meta.resolve(name),
): TypeChecker {
  return {
    async check(files, project, signal) {
      const startedAt = now();
      const limited = AbortSignal.any([signal, AbortSignal.timeout(MAX_MS)]);
      const own = files.filter(({ path, text }) => text !== null && isLaidOut(path));
      const done = await checkWith(own, project, limited, resolve);
      signal.throwIfAborted();
      const report = { name: TYPE_CHECKER, package: PACKAGE, findings: done.findings.length };
      const left = files.filter((file) => !own.includes(file)).map(({ path }) => path);
      const unread: AnalyserGap = { reason: "unread", files: left.length, paths: left, message: null };
      const gaps = left.length === 0 ? done.gaps : [...done.gaps, unread];
      return {
        findings: done.findings,
        reports: [{ ...report, version: done.version, files: done.files, ms: now() - startedAt, gaps }],
      };
    },
  };
}

type Done = Pick<Analysed, "findings"> & {
  readonly version: string | null;
  readonly files: number;
  readonly gaps: readonly AnalyserGap[];
};

async function checkWith(
  files: readonly FileToAnalyse[],
  project: ReadonlyMap<string, string>,
  signal: AbortSignal,
  resolve: (name: string) => string,
): Promise<Done> {
  if (files.length === 0) return { findings: [], version: null, files: 0, gaps: [] };
  const missed = (reason: AnalyserGap["reason"], message: string | null = null): Done => {
    const paths = files.map(({ path }) => path);
    return { findings: [], version: null, files: 0, gaps: [{ reason, files: paths.length, paths, message }] };
  };
  try {
    const tools = await findTools(resolve);
    const reading = await run(files, project, tools, signal);
    if (reading.kind === "over-limit") return missed(reading.limit);
    if (reading.kind === "failed") return missed("failed", reading.message);
    return collect(files, reading.value, tools.version);
  } catch (error) {
    if (signal.aborted) return missed("time");
    return isNotInstalled(error) ? missed("not-installed") : missed("failed", messageOf(error));
  }
}

/** Rejects when a package isn't installed. */
async function findTools(resolve: (name: string) => string): Promise<Tools> {
  const manifest = new URL(resolve(`${PACKAGE}/package.json`));
  // The package's own file: it has a version.
  const { version } = JSON.parse(await readFile(manifest, "utf8")) as { readonly version: string };
  const platform = `@${PACKAGE}/${process.platform}-${process.arch}/package.json`;
  const program = join(dirname(createRequire(manifest).resolve(platform)), "tsgolint");
  return { version, oxlint: new URL("bin/oxlint", resolve("oxlint/package.json")), program };
}

async function run(
  files: readonly FileToAnalyse[],
  project: ReadonlyMap<string, string>,
  { oxlint, program }: Tools,
  signal: AbortSignal,
): Promise<Reading<ChecksByPath>> {
  const folder = await createScratchFolder("oxlint");
  try {
    const named = new Map(
      files.map(({ path, language, text }) => [path, { path, language, text: text ?? "" }]),
    );
    const texts = new Map(project);
    for (const [path, { text }] of named)
      texts.set(path, `${hideDisableComments("oxlint", text)}\n${CANARY}`);
    await layOutProject(folder, texts, [...named.keys()]);
    await writeFile(join(folder, CONFIG_NAME), CONFIG);
    const args = [
      "-c",
      CONFIG_NAME,
      "--type-aware",
      "--disable-nested-config",
      "--no-ignore",
      "--format=json",
    ];
    const start = (maxCpuSeconds: number) =>
      startProcess({
        entry: oxlint,
        args: [
          ...args,
          "--report-unused-disable-directives",
          ...[...named.keys()].map((path) => `./${path}`),
        ],
        nodeOptions: ["--import", FOLDER_FROM_INPUT],
        isGroup: true,
        maxCpuSeconds,
        environment: {
          OXLINT_TSGOLINT_PATH: program,
          // Packages aren't there, and so every project has errors.
          OXLINT_TSGOLINT_DANGEROUSLY_SUPPRESS_PROGRAM_DIAGNOSTICS: "true",
          GOMEMLIMIT: MEMORY_AIM,
        },
      });
    const output = await runIn(folder, start, { maxCpuSeconds: MAX_CPU_SECONDS, signal });
    return output.kind === "read" ? readOutput(output.value.output, named, output.value.isCut) : output;
  } finally {
    await removeScratchFolder(folder);
  }
}

function collect(files: readonly FileToAnalyse[], checks: ChecksByPath, version: string): Done {
  const unread: string[] = [];
  const findings = files.flatMap((file) => {
    const found = checks.get(file.path);
    const { text } = file;
    if (found === undefined || found.gap !== null || text === null) unread.push(file.path);
    if (found === undefined || text === null) return [];
    const { diagnostics } = limitDiagnostics(found, RULES, file.added);
    return toFindings("oxlint", RULES, { file: { ...file, text }, diagnostics });
  });
  const gap: AnalyserGap = { reason: "unparsed", files: unread.length, paths: unread, message: null };
  return { findings, version, files: files.length - unread.length, gaps: unread.length === 0 ? [] : [gap] };
}
