/** Measures how long it takes to build the prompt of a large change, compared with joining its diff, which any prompt must do. */
import { NO_CONTEXT } from "../test/support/no-context.ts";
import {
  analysisOf,
  changedFile,
  changeOf,
  configOf,
  configTreeOf,
} from "../test/support/analysis-fixtures.ts";
import type { Change } from "../src/review/change/change.ts";
import { buildPrompt } from "../src/review/prompt/build-prompt.ts";
import { createGuard } from "../src/review/untrusted/create-guard.ts";
import { LIMITS } from "./limits.ts";
import { judge } from "./measure.ts";

const FILES = 1_000;
const LINES_PER_FILE = 30;
const ROUNDS = 15;

function changeOfFiles(): Change {
  const files = Array.from({ length: FILES }, (_, index) =>
    changedFile({
      path: `src/${index % 100}/file-${index}.ts`,
      lines: Array.from(
        { length: LINES_PER_FILE },
        (_line, line) => `+export const value${line} = compute(${index}, ${line}, "a text of usual length");`,
      ),
    }),
  );
  return changeOf(files, { title: "feat: many values", body: "A description.\n".repeat(100) });
}

function medianMs(work: () => number): number {
  const times: number[] = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const startedAt = performance.now();
    if (work() < FILES) throw new Error("nothing was built");
    // The first round warms up and doesn't count.
    if (round > 0) times.push(performance.now() - startedAt);
  }
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Number.NaN;
}

export async function prompt(): Promise<void> {
  const change = changeOfFiles();
  // All files in one pass, in full: the largest prompt.
  const config = configOf({ largePR: { fullReviewTokens: 1_000_000 } });
  const analysis = analysisOf(change, configTreeOf(config));
  const [pass] = analysis.passes;
  if (pass === undefined) return;
  const task = { config: config.values, pass, evidence: [] };
  for (const size of ["full", "lean"] as const) {
    const baselineMs = medianMs(
      () => change.files.flatMap(({ hunks }) => hunks.map(({ lines }) => lines.join("\n"))).join("\n").length,
    );
    const builtMs = medianMs(
      () =>
        buildPrompt(change, analysis, NO_CONTEXT, { ...task, size, guard: createGuard("5e1f0c9a7b3d2468") })
          .user.length,
    );
    console.log(`  joining the diff of ${FILES} files (baseline)   ${baselineMs.toFixed(2).padStart(9)} ms`);
    console.log(`  building the ${size} prompt                    ${builtMs.toFixed(2).padStart(9)} ms`);
    judge(LIMITS.promptToJoin, builtMs / baselineMs, size);
  }
}
