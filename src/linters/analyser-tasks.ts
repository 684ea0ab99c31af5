/** The tasks of an analyser's process. */
import type { Performers } from "../base/task-process/serve-tasks.ts";
import type { Analyser } from "./analyser.ts";
import type { AnalyserRule } from "./analyser-rule.ts";
import type { AnalysedFile, Engine, FileCheck } from "./engine.ts";
import { limitDiagnostics } from "./limit-diagnostics.ts";

/** A file with the numbers of its added lines. */
export type FileToCheck = AnalysedFile & { readonly added: ReadonlySet<number> };

/** `check` is null when there is nothing for the tool. */
export type Checked = { readonly version: string; readonly check: FileCheck | null };

export type AnalyserTasks = {
  readonly check: { readonly takes: FileToCheck; readonly gives: Checked | "not-installed" };
};

/** Loads the engine at once. If that fails, each task says why. */
export async function analyserPerformers(
  analyser: Extract<Analyser, { readonly kind: "engine" }>,
): Promise<Performers<AnalyserTasks>> {
  const [loaded] = await Promise.allSettled([loadWithRules(analyser)]);
  return {
    async check({ added, ...file }) {
      if (loaded.status === "fulfilled") {
        const { engine, rules } = loaded.value;
        const found = await engine.check(file);
        const check = found === null ? null : limitDiagnostics(found, rules, added);
        return { version: engine.version, check };
      }
      if (isNotInstalled(loaded.reason)) return "not-installed";
      throw loaded.reason;
    },
  };
}

async function loadWithRules({ load, rules }: Extract<Analyser, { readonly kind: "engine" }>): Promise<{
  readonly engine: Engine;
  readonly rules: ReadonlyMap<string, AnalyserRule>;
}> {
  return {
    engine: await load(),
    rules: new Map((await rules()).map((rule) => [rule.id, rule])),
  };
}

export function isNotInstalled(error: unknown): boolean {
  return error instanceof Error && "code" in error && /^(?:ERR_)?MODULE_NOT_FOUND$/.test(String(error.code));
}
