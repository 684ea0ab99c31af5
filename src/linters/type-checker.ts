/**
 * The TypeChecker port: a linter that knows the types of a whole project. It takes about ten seconds of CPU time and half a gigabyte for 200,000
 * lines, so it runs only where the configuration wants it. A failure costs only its own findings and is part of its report.
 */
import type { Analysed, FileToAnalyse } from "./analysers.ts";

/** Its name in reports. */
export const TYPE_CHECKER = "oxlint with types";

export type TypeChecker = {
  /** `project`: texts by path, with the manifests that say what imports mean. Rejects only when the signal was aborted. */
  check(
    files: readonly FileToAnalyse[],
    project: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<Analysed>;
};
