/** The analysers, with everything but the question which files they check imported at the first file. */
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analysers } from "./analysers.ts";

/** `entry` is the module of analyser-main. */
export function createLazyAnalysers(entry: URL, now: () => number): Analysers {
  return {
    isFor: (file) => ALL_ANALYSERS.some((analyser) => analyser.isFor(file)),
    warm(files) {
      // A program that can't be loaded is reported when it has files to check.
      const ignore = (): void => {};
      for (const analyser of ALL_ANALYSERS)
        if (analyser.kind === "program" && files.some((file) => analyser.isFor(file)))
          Promise.all([importRunning(), analyser.load()]).catch(ignore);
    },
    async analyse(files, signal) {
      const { runAnalysers } = await importRunning();
      return runAnalysers(files, { entry, now, signal });
    },
  };
}

const importRunning = () => import("./run-analysers.ts");
