/** The analysers, with everything but the question which files they check imported at the first file. */
import { ALL_ANALYSERS } from "./all-analysers.ts";
import type { Analyser, Program } from "./analyser.ts";
import type { Analysers } from "./analysers.ts";

/** `entry` is the module of analyser-main. */
export function createLazyAnalysers(entry: URL, now: () => number): Analysers {
  const analysers = ALL_ANALYSERS.map(loadedOnce);
  return {
    isFor: (file) => ALL_ANALYSERS.some((analyser) => analyser.isFor(file)),
    warm(files) {
      for (const analyser of analysers)
        if (analyser.kind === "program" && files.some((file) => analyser.isFor(file)))
          // A program that can't be loaded is reported when it has files to check.
          prepare(analyser).catch(() => {});
    },
    async analyse(files, signal) {
      const { runAnalysers } = await importRunning();
      return runAnalysers(files, { entry, now, signal, analysers });
    },
  };
}

const importRunning = () => import("./run-analysers.ts");

async function prepare({ load }: Extract<Analyser, { readonly kind: "program" }>): Promise<void> {
  const [{ SMALL_RUN_CPU_SECONDS }, program] = await Promise.all([importRunning(), load()]);
  program.prepare?.(SMALL_RUN_CPU_SECONDS);
}

/** The program that was prepared is the one that gets files. One that couldn't be loaded is loaded again. */
function loadedOnce(analyser: Analyser): Analyser {
  if (analyser.kind === "engine") return analyser;
  let loading: Promise<Program> | null = null;
  const load = async (): Promise<Program> => {
    try {
      return await (loading ??= analyser.load());
    } catch (error) {
      loading = null;
      throw error;
    }
  };
  return { ...analyser, load };
}
