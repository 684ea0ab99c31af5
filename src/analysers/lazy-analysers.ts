/** The analysers, with everything but the question which files they check imported at the first file. */
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analysers } from "./analysers.ts";

/** `entry` is the module of analyser-main. */
export function createLazyAnalysers(entry: URL, now: () => number): Analysers {
  return {
    isFor: (file) => ALL_ANALYSERS.some((analyser) => analyser.isFor(file)),
    async analyse(files, signal) {
      const { runAnalysers } = await import("./run-analysers.ts");
      return runAnalysers(files, { entry, now, signal });
    },
  };
}
