/** The tasks of an analyser's process. */
import type { AnalysedFile, Diagnostic, LoadEngine } from "./engine.ts";
import type { Performers } from "../base/task-process/serve-tasks.ts";

/** Diagnostics of one file; a file with more is data. */
const MAX_DIAGNOSTICS = 1_000;

export type Checked = { readonly version: string; readonly diagnostics: readonly Diagnostic[] };

export type AnalyserTasks = {
  readonly check: { readonly takes: AnalysedFile; readonly gives: Checked | "not-installed" };
};

/** Loads the engine at once. If that fails, each task says why. */
export async function analyserPerformers(load: LoadEngine): Promise<Performers<AnalyserTasks>> {
  const [loaded] = await Promise.allSettled([load()]);
  return {
    async check(file) {
      if (loaded.status === "fulfilled") {
        const engine = loaded.value;
        const found = await engine.check(file);
        return { version: engine.version, diagnostics: found.slice(0, MAX_DIAGNOSTICS) };
      }
      if (isNotInstalled(loaded.reason)) return "not-installed";
      throw loaded.reason;
    },
  };
}

export function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "ERR_MODULE_NOT_FOUND";
}
