/**
 * Asks another parser about files in which a linter found a mistake of syntax. A file that this parser can read isn't broken: its dialect is one that the linter
 * doesn't know. The file still wasn't checked, so it keeps its gap.
 */
import { createTaskProcess } from "../base/task-process/task-process.ts";
import type { AnalysedFile, Diagnostic, FileCheck } from "./engine.ts";

/** A file of a megabyte takes about a second for each dialect. */
const MAX_FILE_MS = 10_000;

/** A change that breaks more files than this is no usual one. The others have only the gap. */
const MAX_FILES = 100;

export type SecondOpinionTasks = {
  readonly read: { readonly takes: AnalysedFile; readonly gives: boolean };
};

export type Doubtful = { readonly file: AnalysedFile; readonly check: FileCheck };

export type SecondOpinionDeps = {
  /** The module of analyser-main; that of the second opinion is in the same folder. */
  readonly entry: URL;
  readonly signal: AbortSignal;
};

/** The checks by path, without the diagnostics that weren't confirmed, also where the other parser couldn't be asked. */
export async function confirmDiagnostics(
  doubtful: readonly Doubtful[],
  isDoubtful: (diagnostic: Diagnostic) => boolean,
  { entry, signal }: SecondOpinionDeps,
): Promise<ReadonlyMap<string, FileCheck>> {
  const own = new URL(entry.href.replace(/analyser-main(?=\.m?[jt]s$)/, "second-opinion-main"));
  const runner = createTaskProcess<SecondOpinionTasks>({ entry: own, purpose: "parses again" }, signal);
  const isBroken = async ({ file }: Doubtful, index: number): Promise<boolean> => {
    if (index >= MAX_FILES) return false;
    try {
      const reading = await runner.ask("read", file, MAX_FILE_MS);
      return reading.kind === "read" && !reading.value;
    } catch {
      // A process that can't start confirms nothing.
      return false;
    }
  };
  try {
    const checks = await Promise.all(
      doubtful.map(async (each, index): Promise<readonly [string, FileCheck]> => {
        const { file, check } = each;
        if (await isBroken(each, index)) return [file.path, check];
        return [file.path, { ...check, diagnostics: check.diagnostics.filter((one) => !isDoubtful(one)) }];
      }),
    );
    return new Map(checks);
  } finally {
    runner.close();
  }
}
